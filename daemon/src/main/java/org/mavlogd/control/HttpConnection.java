package org.mavlogd.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: answers one request at a time, in order, and reads the next only when the answer is sent, so that a
 * client that sends much and reads little costs no memory. Owned by the control thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    /** Requests that may wait for the previous answer; a client that sends more at once is disconnected. */
    static final int MAX_PIPELINED = 64;

    private static final int MAX_PARAMETERS = 16;
    // As a string, and encoded.
    private static final int BYTES_PER_CHARACTER = 3;
    private static final Endpoint.Response NO_MEMORY = Endpoint.Response.text(
            503, "the memory budget has no room for the answer; close other connections and ask again");

    private final Pages pages;
    private final RequestCheck check;
    private final ExchangeDeadline deadline;
    private final MemoryShare memory;
    // At most MAX_PIPELINED, while one is answered.
    private final ContainedPart part;
    private final Queue<HttpRequest> waiting = new ArrayDeque<>();
    private boolean serving;
    private boolean answering;
    private boolean closing;

    /** @param memory for answers that clients have not read yet */
    HttpConnection(Pages pages, RequestCheck check, ExchangeDeadline deadline, ContainedPart part, MemoryShare memory) {
        this.part = part;
        this.memory = memory;
        this.pages = pages;
        this.check = check;
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
        // Anything else is the end of a request or its body. A body is never read: answer() closes the connection after
        // it.
        if (closing || !(part instanceof HttpRequest request)) {
            return;
        }
        if (waiting.size() == MAX_PIPELINED) {
            check.tooMany();
            closing = true;
            waiting.clear();
            context.close();
            return;
        }
        waiting.add(request);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        serve(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // Usually caused by the client, such as a reset. Not logged by default, because clients could fill the log.
        LOG.debug("HTTP connection from {} failed", context.channel().remoteAddress(), cause);
        if (!(cause instanceof IOException)) {
            part.contain(cause);
        }
        closing = true;
        context.close();
    }

    /** Answers waiting requests, and reads more if there are none. */
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
        Endpoint.Response wanted = respond(context, request);
        long bytes = (long) BYTES_PER_CHARACTER * wanted.body().length();
        boolean hasMemory = memory.reserve(bytes);
        Endpoint.Response response = hasMemory ? wanted : NO_MEMORY;
        // Bytes after a body that was not read could not be interpreted.
        closing = request.decoderResult().isFailure() || hasBody(request) || !HttpUtil.isKeepAlive(request);
        answering = true;
        long reserved = hasMemory ? bytes : 0;
        FullHttpResponse encoded;
        try {
            boolean isHead = HttpMethod.HEAD.equals(request.method());
            boolean isZipped = hasMemory && GzipBody.isWanted(request.headers(), response.body());
            encoded = encode(context, response, pages.access(path(request)).methods(), isHead, isZipped);
        } catch (Throwable e) {
            memory.release(reserved);
            throw e;
        }
        context.writeAndFlush(encoded).addListener((ChannelFutureListener) written -> {
            memory.release(reserved);
            onAnswered(context, written.isSuccess());
        });
    }

    /** The answer was sent, at once or after the client had read enough of it. */
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

    private Endpoint.Response respond(ChannelHandlerContext context, HttpRequest request) {
        InetSocketAddress arrivedOn = (InetSocketAddress) context.channel().localAddress();
        Endpoint.Response refusal = check.refusal(request, arrivedOn.getAddress(), pages.access(path(request)));
        return refusal != null ? refusal : pages.respond(path(request), asked(request));
    }

    private static String path(HttpRequest request) {
        String target = request.uri();
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    private static Endpoint.Request asked(HttpRequest request) {
        String accept = String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT));
        Map<String, String> parameters = new HashMap<>();
        try {
            new QueryStringDecoder(request.uri(), StandardCharsets.UTF_8, true, MAX_PARAMETERS)
                    .parameters()
                    .forEach((name, values) -> parameters.put(name, values.get(0)));
        } catch (IllegalArgumentException e) {
            parameters.clear(); // an invalid query counts as empty
        }
        return new Endpoint.Request(accept, parameters);
    }

    private static boolean hasBody(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || !headers.get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0");
    }

    /** @param methods that are allowed here */
    private FullHttpResponse encode(
            ChannelHandlerContext context,
            Endpoint.Response response,
            String methods,
            boolean isHead,
            boolean isZipped) {
        ByteBuf body = isZipped
                ? Unpooled.wrappedBuffer(GzipBody.of(response.body()))
                : ByteBufUtil.writeUtf8(context.alloc(), response.body());
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
        headers.set(HttpHeaderNames.VARY, "Accept, Accept-Encoding");
        if (isZipped) {
            headers.set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        if (response.status() == HttpResponseStatus.METHOD_NOT_ALLOWED.code()) {
            headers.set(HttpHeaderNames.ALLOW, methods);
        }
        if (response.status() == HttpResponseStatus.UNAUTHORIZED.code()) {
            headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"mavlogd\"");
        }
        HttpUtil.setKeepAlive(message, !closing);
        return message;
    }

    /**
     * Closes a connection on which an exchange takes too long, whether it is idle or sends or reads a byte from time to
     * time. Owned by the control thread.
     */
    static final class ExchangeDeadline {
        private final long timeoutMs;
        private final Counter timedOut;
        private @Nullable ScheduledFuture<?> pending;

        ExchangeDeadline(long timeoutMs, Counter timedOut) {
            this.timeoutMs = timeoutMs;
            this.timedOut = timedOut;
        }

        void restart(ChannelHandlerContext context) {
            cancel();
            pending = context.executor().schedule(() -> close(context), timeoutMs, TimeUnit.MILLISECONDS);
        }

        void cancel() {
            if (pending != null) {
                pending.cancel(false);
                pending = null;
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
        private void close(ChannelHandlerContext context) {
            timedOut.increment();
            context.close();
        }
    }
}
