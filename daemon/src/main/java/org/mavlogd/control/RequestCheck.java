package org.mavlogd.control;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests get no page, and counts them: not understood, meant for another host, without the token, not GET
 * or HEAD. Owned by the control thread.
 */
final class RequestCheck {
    private final HostCheck hostCheck;
    private final Optional<AccessToken> token;
    private final HttpCounters counters;

    RequestCheck(HostCheck hostCheck, Optional<AccessToken> token, HttpCounters counters) {
        this.hostCheck = hostCheck;
        this.token = token;
        this.counters = counters;
    }

    /** Why the request is refused, to be sent; null when it is not. */
    @Nullable
    Response refusal(HttpRequest request, InetAddress arrivedOn) {
        counters.requests().increment();
        if (request.decoderResult().isFailure()) {
            return bad(unreadable(request.decoderResult().cause()));
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        boolean mayLackHost = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (hosts.size() > 1 || (hosts.isEmpty() && !mayLackHost)) {
            return bad(Response.text(400, "Bad request: one Host header is needed."));
        }
        if (!hosts.isEmpty() && !hostCheck.isOurs(hosts.get(0), arrivedOn)) {
            counters.badHosts().increment();
            return Response.text(403, "Forbidden: the Host header names another host than this one.");
        }
        if (token.isPresent() && !hasToken(request, token.get())) {
            counters.badTokens().increment();
            return Response.text(401, "Unauthorized: send \"Authorization: Bearer\" and the token.");
        }
        return wrongKind(request);
    }

    /** More requests wait on a connection than are kept: it is closed without an answer to the last one. */
    void tooMany() {
        counters.requests().increment();
        counters.badRequests().increment();
    }

    private static boolean hasToken(HttpRequest request, AccessToken token) {
        List<String> headers = request.headers().getAll(HttpHeaderNames.AUTHORIZATION);
        return headers.size() == 1 && token.isIn(headers.get(0));
    }

    private @Nullable Response wrongKind(HttpRequest request) {
        HttpMethod method = request.method();
        if (!HttpMethod.GET.equals(method) && !HttpMethod.HEAD.equals(method)) {
            return bad(Response.text(405, "Method not allowed: only GET and HEAD."));
        }
        if (!request.uri().startsWith("/") || request.protocolVersion().majorVersion() != 1) {
            return bad(Response.text(400, "Bad request: not a path, or not HTTP/1."));
        }
        return null;
    }

    private Response bad(Response response) {
        counters.badRequests().increment();
        return response;
    }

    private static Response unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Response.text(414, "URI too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Response.text(431, "Request header fields too large.");
        }
        return Response.text(400, "Bad request.");
    }
}
