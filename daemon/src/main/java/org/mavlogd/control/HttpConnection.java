package org.mavlogd.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: answers one request at a time, in order, and asks for the next only when the answer is on its way, so
 * that a client which sends much and reads little costs no memory. Owned by the control thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final String ALLOWED_METHODS = "GET, HEAD";

    private final Pages pages;
    private final HostCheck hostCheck;
    private final ExchangeDeadline deadline;
    // Bounded: what one read from the socket holds.
    private final Queue<HttpRequest> waiting = new ArrayDeque<>();
    private boolean serving;
    private boolean answering;
    private boolean closing;

    HttpConnection(Pages pages, HostCheck hostCheck, ExchangeDeadline deadline) {
        this.pages = pages;
        this.hostCheck = hostCheck;
        this.deadline = deadline;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        deadline.restart(context);
        context.read();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        deadline.cancel();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        // What is not a request is its end or its body. A body is never read: answer() closes after it.
        if (!closing && part instanceof HttpRequest request) {
            waiting.add(request);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        serve(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // As a rule the client's doing, a reset for one. Not logged by default: clients could fill the log with it.
        LOG.debug("HTTP connection from {} failed", context.channel().remoteAddress(), cause);
        closing = true;
        context.close();
    }

    /** Answers what waits, and asks for more when nothing does. */
    private void serve(ChannelHandlerContext context) {
        serving = true;
        while (!answering && !closing && !waiting.isEmpty()) {
            answer(context, waiting.remove());
        }
        serving = false;
        if (!answering && !closing) {
            context.read();
        }
    }

    private void answer(ChannelHandlerContext context, HttpRequest request) {
        Response response = respond(context, request);
        // What follows a body that was not read would not be understood.
        closing = request.decoderResult().isFailure() || hasBody(request) || !HttpUtil.isKeepAlive(request);
        answering = true;
        boolean isHead = HttpMethod.HEAD.equals(request.method());
        context.writeAndFlush(encode(context, response, isHead))
                .addListener((ChannelFutureListener) written -> onAnswered(context, written.isSuccess()));
    }

    /** The answer left, at once or when the client had read enough of it. */
    private void onAnswered(ChannelHandlerContext context, boolean success) {
        answering = false;
        if (closing || !success) {
            closing = true;
            context.close();
            return;
        }
        deadline.restart(context);
        if (!serving) {
            serve(context);
        }
    }

    private Response respond(ChannelHandlerContext context, HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return unreadable(request.decoderResult().cause());
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        boolean mayLackHost = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (hosts.size() > 1 || (hosts.isEmpty() && !mayLackHost)) {
            return Response.text(400, "Bad request: one Host header is needed.");
        }
        InetSocketAddress arrivedOn = (InetSocketAddress) context.channel().localAddress();
        if (!hosts.isEmpty() && !hostCheck.isOurs(hosts.get(0), arrivedOn.getAddress())) {
            return Response.text(403, "Forbidden: the Host header names another host than this one.");
        }
        return respond(request);
    }

    private Response respond(HttpRequest request) {
        HttpMethod method = request.method();
        if (!HttpMethod.GET.equals(method) && !HttpMethod.HEAD.equals(method)) {
            return Response.text(405, "Method not allowed: only GET and HEAD.");
        }
        String target = request.uri();
        if (!target.startsWith("/") || request.protocolVersion().majorVersion() != 1) {
            return Response.text(400, "Bad request: not a path, or not HTTP/1.");
        }
        int query = target.indexOf('?');
        return pages.respond(query < 0 ? target : target.substring(0, query));
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

    private static boolean hasBody(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || !headers.get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0");
    }

    private FullHttpResponse encode(ChannelHandlerContext context, Response response, boolean isHead) {
        ByteBuf body = ByteBufUtil.writeUtf8(context.alloc(), response.body());
        int length = body.readableBytes();
        if (isHead) {
            body.clear();
        }
        FullHttpResponse message =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()), body);
        HttpHeaders headers = message.headers();
        headers.set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
        headers.set(HttpHeaderNames.CONTENT_LENGTH, length);
        headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        if (response.status() == HttpResponseStatus.METHOD_NOT_ALLOWED.code()) {
            headers.set(HttpHeaderNames.ALLOW, ALLOWED_METHODS);
        }
        HttpUtil.setKeepAlive(message, !closing);
        return message;
    }
}
