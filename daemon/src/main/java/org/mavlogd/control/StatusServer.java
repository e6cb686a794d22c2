package org.mavlogd.control;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
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
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves pages over HTTP/1.1 to operators and scrapers, on one thread named {@code control}.
 *
 * <p>Made for few, well-meaning clients and safe from all others: GET and HEAD only, {@link #MAX_CONNECTIONS}
 * connections, bounded request lines and headers, no request bodies, {@link #EXCHANGE_TIMEOUT_MS} for each exchange, and
 * no answer to a request whose Host header names somebody else.
 */
public final class StatusServer implements AutoCloseable {
    static final int MAX_CONNECTIONS = 32;
    static final int MAX_LINE_LENGTH = 2048;
    static final int MAX_HEADERS_LENGTH = 8192;
    static final long EXCHANGE_TIMEOUT_MS = 30_000;

    private static final int CHUNK_LENGTH = 4096;
    private static final int BACKLOG = 16;
    private static final long STOP_TIMEOUT_MS = 1_000;

    private final String host;
    private final int port;
    private final Pages pages;
    private final HostCheck hostCheck;
    private final long exchangeTimeoutMs;
    private @Nullable EventLoopGroup group;
    private int connections; // control thread only

    /**
     * Opens nothing yet.
     *
     * @param host a name or address of this computer, IPv6 without brackets
     * @param port 0 lets the system choose
     */
    public StatusServer(String host, int port, List<Endpoint> endpoints) {
        this(host, port, endpoints, EXCHANGE_TIMEOUT_MS);
    }

    StatusServer(String host, int port, List<Endpoint> endpoints, long exchangeTimeoutMs) {
        this.host = host;
        this.port = port;
        this.pages = new Pages(endpoints);
        this.hostCheck = new HostCheck(host);
        this.exchangeTimeoutMs = exchangeTimeoutMs;
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
            if (connections >= MAX_CONNECTIONS) {
                channel.close();
                return;
            }
            connections++;
            channel.closeFuture().addListener(closed -> connections--);
            HttpDecoderConfig limits = new HttpDecoderConfig()
                    .setMaxInitialLineLength(MAX_LINE_LENGTH)
                    .setMaxHeaderSize(MAX_HEADERS_LENGTH)
                    .setMaxChunkSize(CHUNK_LENGTH);
            channel.pipeline()
                    .addLast(new HttpServerCodec(limits))
                    .addLast(new HttpConnection(pages, hostCheck, new ExchangeDeadline(exchangeTimeoutMs)));
        }
    }
}
