package org.mavlogd.control;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.link.HostResolver;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves pages over HTTP/1.1 to operators and scrapers, on one thread named {@code control}.
 *
 * <p>If the port cannot be opened, because another program has it or the address does not exist yet, it is tried again.
 *
 * <p>Made for few, well-meaning clients and protected against all others: only GET and HEAD except for commands,
 * {@link #MAX_CONNECTIONS} connections, limited request lines and headers, no request bodies,
 * {@link #EXCHANGE_TIMEOUT_MS} for each exchange, and no page for a request whose Host header names another host.
 */
public final class StatusServer implements AutoCloseable {
    /**
     * Whether and where pages are served.
     *
     * @param listen not resolved; port 0 lets the system choose one; empty for no pages
     */
    public record Settings(Optional<InetSocketAddress> listen, Tokens tokens) {}

    /**
     * The tokens that requests need.
     *
     * @param pages for every page; empty if none is needed, on loopback only
     * @param commands for every command; empty if there are no commands
     */
    public record Tokens(Optional<AccessToken> pages, Optional<AccessToken> commands) {
        public static final Tokens NONE = new Tokens(Optional.empty(), Optional.empty());
    }

    static final int MAX_CONNECTIONS = 32;
    /** If other computers can connect, one address cannot take all connections. */
    static final int MAX_CONNECTIONS_PER_ADDRESS = 8;

    static final int MAX_LINE_LENGTH = 2048;
    static final int MAX_HEADERS_LENGTH = 8192;
    static final long EXCHANGE_TIMEOUT_MS = 30_000;

    /** Time until the port is tried again, the same as for links. */
    static final long RETRY_MS = 250;

    private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
    private static final long FIRST_ATTEMPT_MS = 500;
    private static final int CHUNK_LENGTH = 4096;
    // Limits how much is decoded before the first request is answered.
    private static final int READ_LENGTH = 4096;
    private static final int BACKLOG = 16;
    // With the longest headers, and waiting requests.
    private static final int CONNECTION_BYTES = 16 << 10;
    private static final long STOP_TIMEOUT_MS = 1_000;

    private final String host;
    private final int port;
    private final Pages pages;
    private final RequestCheck check;
    private final Counters counters;
    private final Limits limits;
    private final HostResolver resolver; // control thread only
    private final ProblemLog problems = new ProblemLog(LOG); // control thread only
    private final ContainedPart part;
    private final List<Channel> connections = new ArrayList<>(); // control thread only
    private final Latest<Optional<InetSocketAddress>> address = new Latest<>(Optional.empty());
    private final CountDownLatch firstAttempt = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable EventLoopGroup group;

    /**
     * Does not open the port yet.
     *
     * @param host a name or address of this computer, IPv6 without brackets
     * @param port 0 lets the system choose
     * @param tokens that requests need
     * @param memory for connections, and for answers that are not read yet
     */
    public StatusServer(
            String host, int port, Tokens tokens, List<Endpoint> endpoints, Metrics metrics, MemoryShare memory) {
        this(host, port, tokens, endpoints, metrics, new Limits(EXCHANGE_TIMEOUT_MS, memory));
    }

    /**
     * Limits of connections.
     *
     * @param memory for all connections and answers; owned by the control thread
     */
    record Limits(long exchangeTimeoutMs, MemoryShare memory) {}

    StatusServer(String host, int port, Tokens tokens, List<Endpoint> endpoints, Metrics metrics, Limits limits) {
        this.host = host;
        this.port = port;
        this.part = metrics.part("http", Recovery.CONTINUES);
        this.pages = new Pages(endpoints, metrics);
        this.counters = Counters.register(metrics);
        this.check = new RequestCheck(new RequestCheck.HostCheck(host), tokens, counters);
        this.limits = limits;
        this.resolver = new HostResolver(host, "control-dns", this::execute);
    }

    /** Loads classes that take long to load at the first start of a server. Any thread. */
    public static void prepare() {
        new NioServerSocketChannel().unsafe().closeForcibly();
    }

    /**
     * Starts to serve. A port that cannot be opened is tried again until the server is closed; the first failure is
     * logged, and all are counted. Returns when the first attempt has ended, or after {@link #FIRST_ATTEMPT_MS}.
     */
    public void start() {
        if (group != null) {
            throw new IllegalStateException("started already");
        }
        EventLoopGroup started = new MultiThreadIoEventLoopGroup(1, StatusServer::thread, NioIoHandler.newFactory());
        group = started;
        // An event loop of Java's selectors without any timer wakes up each second.
        var unused = started.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
        execute(this::open);
        try {
            boolean ended = firstAttempt.await(FIRST_ATTEMPT_MS, TimeUnit.MILLISECONDS);
            LOG.debug("first attempt to listen {}", ended ? "ended" : "still under way");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The address of the server; empty while the port is not open. Any thread. */
    public Optional<InetSocketAddress> address() {
        return address.get();
    }

    /** Closes the port and all connections. Returns when the thread has ended or a second has passed. */
    @Override
    public void close() {
        closed.set(true);
        EventLoopGroup opened = group;
        if (opened != null) {
            opened.shutdownGracefully(0, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_TIMEOUT_MS);
        }
    }

    private void execute(Runnable task) {
        try {
            loop().execute(task);
        } catch (RejectedExecutionException e) {
            // The server is closed: it has no thread to run the task, and nothing left to do.
            if (!closed.get()) {
                throw e;
            }
        }
    }

    private EventLoopGroup loop() {
        return Objects.requireNonNull(group, "not started");
    }

    private void open() {
        resolver.resolve(this::bind, this::retry);
    }

    private void bind(InetAddress literal) {
        bootstrap(loop()).bind(new InetSocketAddress(literal, port)).addListener((ChannelFutureListener) bound -> {
            if (bound.isSuccess()) {
                listening((InetSocketAddress) bound.channel().localAddress());
            } else {
                retry(bound.cause().getMessage() + "; is another program on this port? Trying again");
            }
        });
    }

    private void listening(InetSocketAddress bound) {
        address.set(Optional.of(bound));
        String url = "status at http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort()
                + "/status";
        if (problems.isReported()) {
            problems.resolved(url);
        } else {
            LOG.info("{}", url);
        }
        firstAttempt.countDown();
    }

    private void retry(String problem) {
        if (closed.get()) {
            return;
        }
        counters.listenFailures().increment();
        problems.report("HTTP cannot listen on " + host + " port " + port + ": " + problem
                + "; logs are recorded without it. See [http] listen");
        firstAttempt.countDown();
        var unused = loop().schedule(this::open, RETRY_MS, TimeUnit.MILLISECONDS);
    }

    private ServerBootstrap bootstrap(EventLoopGroup opened) {
        return new ServerBootstrap()
                .group(opened)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                // Few and small buffers: a pool would need more memory than all of them.
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(READ_LENGTH).maxMessagesPerRead(1))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new Connecting());
    }

    static HttpDecoderConfig decoding() {
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

    /** Sets up a new connection, or refuses it if there are too many. */
    private final class Connecting extends ChannelInitializer<Channel> {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
        protected void initChannel(Channel channel) {
            if (!hasRoom(channel) || !limits.memory().reserve(CONNECTION_BYTES)) {
                counters.refusedConnections().increment();
                channel.close();
                return;
            }
            connections.add(channel);
            channel.closeFuture().addListener(closed -> {
                connections.remove(channel);
                limits.memory().release(CONNECTION_BYTES);
            });
            channel.pipeline()
                    .addLast(new HttpServerCodec(decoding()))
                    .addLast(new HttpConnection(
                            pages,
                            check,
                            new HttpConnection.ExchangeDeadline(limits.exchangeTimeoutMs(), counters.timedOut()),
                            part,
                            limits.memory()));
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
            // A connection that is closed already has no address any more: counted as loopback, it ends by itself.
            return channel.remoteAddress() instanceof InetSocketAddress remote
                    ? remote.getAddress()
                    : InetAddress.getLoopbackAddress();
        }
    }

    /**
     * Counters of the status server. Written by the control thread.
     *
     * @param listenFailures failed attempts to open the port
     * @param requests received, whether answered or refused
     * @param refusedConnections closed at once because there were too many, in total or from that address
     * @param timedOut connections closed because an exchange took too long
     * @param badHosts refused for their Host header
     * @param badTokens refused because the token was missing or wrong
     * @param badRequests refused because they are invalid or not supported
     */
    record Counters(
            Counter listenFailures,
            Counter requests,
            Counter refusedConnections,
            Counter timedOut,
            Counter badHosts,
            Counter badTokens,
            Counter badRequests) {
        static Counters register(Metrics metrics) {
            return new Counters(
                    metrics.counter("http.listen.failures", "Attempts to open the HTTP port that failed"),
                    metrics.counter("http.requests", "HTTP requests"),
                    metrics.counter("http.refused.connections", "HTTP connections refused: too many"),
                    metrics.counter("http.timed.out.connections", "HTTP connections closed for being too slow"),
                    refused(metrics, "host"),
                    refused(metrics, "token"),
                    refused(metrics, "request"));
        }

        private static Counter refused(Metrics metrics, String cause) {
            return metrics.counter("http.refused.requests", "HTTP requests refused", "cause", cause);
        }
    }
}
