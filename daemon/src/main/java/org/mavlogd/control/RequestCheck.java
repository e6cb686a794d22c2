package org.mavlogd.control;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests, and counts them: not understood, meant for another host, without the token, or with another method.
 * Owned by the control thread.
 */
final class RequestCheck {
    private final HostCheck hostCheck;
    private final StatusServer.Tokens tokens;
    private final StatusServer.Counters counters;

    RequestCheck(HostCheck hostCheck, StatusServer.Tokens tokens, StatusServer.Counters counters) {
        this.hostCheck = hostCheck;
        this.tokens = tokens;
        this.counters = counters;
    }

    /**
     * The answer to a request that is refused; null if it is not.
     *
     * @param access of the requested path
     */
    Endpoint.@Nullable Response refusal(HttpRequest request, InetAddress arrivedOn, Endpoint.Access access) {
        counters.requests().increment();
        if (request.decoderResult().isFailure()) {
            return bad(unreadable(request.decoderResult().cause()));
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        boolean mayLackHost = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (hosts.size() > 1 || (hosts.isEmpty() && !mayLackHost)) {
            return bad(Endpoint.Response.text(400, "Bad request: one Host header is needed."));
        }
        if (!hosts.isEmpty() && !hostCheck.isOurs(hosts.get(0), arrivedOn)) {
            counters.badHosts().increment();
            return Endpoint.Response.text(403, "Forbidden: the Host header does not name this computer.");
        }
        if (!mayAsk(request, access)) {
            counters.badTokens().increment();
            return Endpoint.Response.text(401, "Unauthorized: send \"Authorization: Bearer\" and the token.");
        }
        return wrongKind(request, access);
    }

    /** A connection has more waiting requests than allowed: it is closed without an answer to the last one. */
    void tooMany() {
        counters.requests().increment();
        counters.badRequests().increment();
    }

    /** Commands are refused if there is no token for them. */
    private boolean mayAsk(HttpRequest request, Endpoint.Access access) {
        return access.isGuarded()
                ? tokens.commands().isPresent()
                        && hasToken(request, tokens.commands().get())
                : tokens.pages().isEmpty() || hasToken(request, tokens.pages().get());
    }

    private static boolean hasToken(HttpRequest request, AccessToken token) {
        List<String> headers = request.headers().getAll(HttpHeaderNames.AUTHORIZATION);
        return headers.size() == 1 && token.isIn(headers.get(0));
    }

    private Endpoint.@Nullable Response wrongKind(HttpRequest request, Endpoint.Access access) {
        HttpMethod method = request.method();
        boolean isRead = HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method);
        if (access == Endpoint.Access.COMMAND ? !HttpMethod.POST.equals(method) : !isRead) {
            String methods = access == Endpoint.Access.COMMAND ? "POST" : "GET and HEAD";
            return bad(Endpoint.Response.text(405, "Method not allowed: only " + methods + "."));
        }
        if (!request.uri().startsWith("/") || request.protocolVersion().majorVersion() != 1) {
            return bad(Endpoint.Response.text(400, "Bad request: not a path, or not HTTP/1."));
        }
        return null;
    }

    private Endpoint.Response bad(Endpoint.Response response) {
        counters.badRequests().increment();
        return response;
    }

    private static Endpoint.Response unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Endpoint.Response.text(414, "URI too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Endpoint.Response.text(431, "Request header fields too large.");
        }
        return Endpoint.Response.text(400, "Bad request.");
    }

    /**
     * Checks the Host header. A web page may point its own name at this computer's address and let the user's browser
     * send requests to it (DNS rebinding). Then the Host header has that name, and the request is refused.
     */
    static final class HostCheck {
        private static final String LOCALHOST = "localhost";

        private final String listenHost;

        HostCheck(String listenHost) {
            this.listenHost = normal(listenHost);
        }

        /**
         * Whether the request was meant for this server: by a loopback name or address, by the configured name, or by
         * the address on which it arrived.
         */
        boolean isOurs(String hostHeader, InetAddress arrivedOn) {
            String host = normal(withoutPort(hostHeader.strip()));
            if (host.equals(LOCALHOST) || (!host.isEmpty() && host.equals(listenHost))) {
                return true;
            }
            // Literals only: the header is never looked up.
            byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
            if (literal == null) {
                return false;
            }
            InetAddress address = address(literal);
            return address.isLoopbackAddress() || address.equals(arrivedOn);
        }

        private static InetAddress address(byte[] bytes) {
            try {
                return InetAddress.getByAddress(bytes);
            } catch (java.net.UnknownHostException e) {
                throw new IllegalStateException("address of " + bytes.length + " bytes", e);
            }
        }

        private static String withoutPort(String header) {
            int end = header.startsWith("[") ? header.indexOf(']') + 1 : header.indexOf(':');
            String port = end < 0 ? "" : header.substring(end);
            boolean wellFormed =
                    port.isEmpty() || (port.startsWith(":") && port.length() <= 6 && isDigits(port.substring(1)));
            return wellFormed ? header.substring(0, header.length() - port.length()) : "";
        }

        private static boolean isDigits(String text) {
            return text.chars().allMatch(c -> c >= '0' && c <= '9');
        }

        private static String normal(String host) {
            String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
            String lower = bare.toLowerCase(Locale.ROOT);
            return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        }
    }
}
