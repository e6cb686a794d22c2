package org.mavlogd.control;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Metrics;

/**
 * Serves pages over HTTP/1.1 to operators and scrapers, on one thread named {@code control}.
 *
 * <p>Made for few, well-meaning clients and safe from all others: GET and HEAD only, {@link #MAX_CONNECTIONS}
 * connections, bounded request lines and headers, no request bodies, {@link #EXCHANGE_TIMEOUT_MS} for each exchange, and
 * no answer to a request whose Host header names somebody else.
 */
public final class StatusServer implements AutoCloseable {
    static final int MAX_CONNECTIONS = 32;
    /** Where not only this computer can connect, one address cannot take all connections. */
    static final int MAX_CONNECTIONS_PER_ADDRESS = 8;

    static final int MAX_LINE_LENGTH = 2048;
    static final int MAX_HEADERS_LENGTH = 8192;
    static final long EXCHANGE_TIMEOUT_MS = 30_000;

    private static final int CHUNK_LENGTH = 4096;
    private static final int BACKLOG = 16;
    private static final long STOP_TIMEOUT_MS = 1_000;

    private final String host;
    private final int port;
    private final Pages pages;
    private final RequestCheck check;
    private final HttpCounters counters;
    private final ContainedPart part;
    private final long exchangeTimeoutMs;
    private final List<Channel> connections = new ArrayList<>(); // control thread only
    private @Nullable EventLoopGroup group;

    /**
     * Opens nothing yet.
     *
     * @param host a name or address of this computer, IPv6 without brackets
     * @param port 0 lets the system choose
     * @param token what requests must show, if anything
     */
    public StatusServer(String host, int port, Optional<AccessToken> token, List<Endpoint> endpoints, Metrics metrics) {
        this(host, port, token, endpoints, metrics, EXCHANGE_TIMEOUT_MS);
    }

    StatusServer(
            String host,
            int port,
            Optional<AccessToken> token,
            List<Endpoint> endpoints,
            Metrics metrics,
            long exchangeTimeoutMs) {
        this.host = host;
        this.port = port;
        this.part = metrics.part("http", Recovery.CONTINUES);
        this.pages = new Pages(endpoints, metrics);
        this.counters = HttpCounters.register(metrics);
        this.check = new RequestCheck(new HostCheck(host), token, counters);
        this.exchangeTimeoutMs = exchangeTimeoutMs;
    }

    /** Loads what takes long the first time that a server starts. Any thread. */
    public static void prepare() {
        new NioServerSocketChannel().unsafe().closeForcibly();
    }

    /** Opens the port and returns its address; serves until closed. The exception says what to do. */
    public InetSocketAddress start() throws IOException {
        if (group != null) {
            throw new IllegalStateException("started already");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("HTTP cannot listen on " + host + ": no such host; check listen under [http]");
        }
        EventLoopGroup opened = new MultiThreadIoEventLoopGroup(1, StatusServer::thread, NioIoHandler.newFactory());
        group = opened;
        ChannelFuture bound = bootstrap(opened).bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException(
                    "HTTP cannot listen on " + host + " port " + port + ": "
                            + bound.cause().getMessage()
                            + "; is another mavlogd running? Change listen under [http], or set it to \"\" for no HTTP",
                    bound.cause());
        }
        return (InetSocketAddress) bound.channel().localAddress();
    }

    /** Closes the port and all connections. Returns when the thread has ended or a second has passed. */
    @Override
    public void close() {
        EventLoopGroup opened = group;
        if (opened != null) {
            opened.shutdownGracefully(0, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_TIMEOUT_MS);
        }
    }

    private ServerBootstrap bootstrap(EventLoopGroup opened) {
        return new ServerBootstrap()
                .group(opened)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                // Few and small buffers: a pool would hold more memory than all of them together.
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new Connecting());
    }

    static HttpDecoderConfig limits() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_LINE_LENGTH)
                .setMaxHeaderSize(MAX_HEADERS_LENGTH)
                .setMaxChunkSize(CHUNK_LENGTH);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new FastThreadLocalThread(task, "control");
        thread.setDaemon(true);
        return thread;
    }

    /** Makes ready a new connection, or refuses it when there are enough. */
    private final class Connecting extends ChannelInitializer<Channel> {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
        protected void initChannel(Channel channel) {
            if (!hasRoom(channel)) {
                counters.refusedConnections().increment();
                channel.close();
                return;
            }
            connections.add(channel);
            channel.closeFuture().addListener(closed -> connections.remove(channel));
            channel.pipeline()
                    .addLast(new HttpServerCodec(limits()))
                    .addLast(new HttpConnection(
                            pages, check, new ExchangeDeadline(exchangeTimeoutMs, counters.timedOut()), part));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            part.contain(cause);
            var unused = context.close();
        }

        private boolean hasRoom(Channel newcomer) {
            if (connections.size() >= MAX_CONNECTIONS) {
                return false;
            }
            InetAddress from = address(newcomer);
            long same = connections.stream()
                    .filter(open -> from.equals(address(open)))
                    .count();
            return from.isLoopbackAddress() || same < MAX_CONNECTIONS_PER_ADDRESS;
        }

        private InetAddress address(Channel channel) {
            // A connection that is gone already has no address any more: counted as loopback, it goes by itself.
            return channel.remoteAddress() instanceof InetSocketAddress remote
                    ? remote.getAddress()
                    : InetAddress.getLoopbackAddress();
        }
    }
}
