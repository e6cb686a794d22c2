package org.mavlogd.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The base of network links: thread, ticks, pacing, retries, bounded sending, and closing. */
abstract sealed class NettyLink implements Link permits HostLink, UnixDatagramLink {
    /** Together with the connect time-out it stays below one second. */
    static final long RETRY_MS = 250;

    // Delay of a tick that the listener wants soon.
    private static final long SOON_MS = 4;

    /** Unsent bytes above which sends are dropped: about a second of acknowledgements. */
    static final WriteBufferWaterMark SEND_LIMIT = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

    /** Unsent bytes above which only urgent messages are sent. */
    private static final int SMALL_BACKLOG = 4 * 1024;

    final String name;
    final NetworkIo io;
    final LinkCounters counters;
    final ContainedListener guard;
    final LinkReport report;
    private final LongSupplier clock;
    private final LinkLoop loop;
    private final Cadence cadence;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closeAsked = new AtomicBoolean();
    private final ChannelFutureListener onSent;
    private boolean stopped;
    private boolean isTickScheduled;
    private final Runnable onTimer = contained(this::onTimer);
    private @Nullable Future<?> timer;
    private long timerNs;
    private boolean isOpenDue;

    NettyLink(Parts parts, String kind, String endpoint) {
        this.name = parts.name();
        this.io = parts.io();
        this.counters = parts.counters();
        this.guard = parts.guard();
        this.clock = parts.nowNs();
        this.report = new LinkReport(name, kind, endpoint, counters.reconnects());
        this.cadence = new Cadence(kind.equals(TcpPeer.KIND), clock.getAsLong());
        this.loop = new LinkLoop(name, io, this::endRound, this::failed);
        this.onSent = sent -> {
            if (!sent.isSuccess()) {
                counters.droppedSends().increment();
            }
        };
    }

    /** Opens the socket; called again after {@link #retry}. On the link's thread. */
    abstract void open();

    /** Closes the sockets and reports the peers as gone. On the link's thread. */
    abstract void closeSockets(long nowNs);

    /** Time to the next attempt after one failed. */
    long retryMs() {
        return RETRY_MS;
    }

    /** Further periodic work of the link. On the link's thread. */
    void onTick(long nowNs) {}

    /** Longest time until a tick that waiting datagrams allow; see {@link #beforeTick}. */
    long longestTickNs() {
        return Long.MAX_VALUE;
    }

    /** Reads waiting datagrams, so that they precede the tick. On the link's thread. */
    void beforeTick(long nowNs) {}

    /**
     * Everything that was ready when the thread woke has been read. On the link's thread. Hot path.
     *
     * @param hasLooked whether the thread looked at the sockets at all
     */
    void onRoundEnd(boolean hasLooked) {}

    /** Whether the kernel can hold everything that arrives while bytes gather. Hot path. */
    boolean hasRoomToGather() {
        return true;
    }

    /** Whether it can do so for {@link Cadence#PATIENT_GATHER_NS}, even if a burst starts meanwhile. Hot path. */
    boolean hasRoomForMore() {
        return false;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Link.Status status() {
        return report.status();
    }

    @Override
    public final void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("link \"" + name + "\" was started before");
        }
        executeOwn(() -> {
            report.waiting("starting", nowNs());
            tick();
            openUnlessStopped();
        });
    }

    @Override
    public final void close() {
        if (eventLoop().inEventLoop()) {
            throw new IllegalStateException("link \"" + name + "\" cannot be closed from its own thread");
        }
        if (closeAsked.compareAndSet(false, true) && started.get()) {
            executeOwn(() -> stop(""));
        }
        if (!loop.close()) {
            report.advise("its thread did not end in time");
        }
    }

    final EventLoop eventLoop() {
        return loop.eventLoop();
    }

    final long nowNs() {
        return clock.getAsLong();
    }

    final boolean isStopped() {
        return stopped;
    }

    /** Counts received frames, estimated: the current round ends with a tick and a pause if these are due. Hot path. */
    final void received(int frames) {
        cadence.received(frames);
    }

    /** Reports the problem and opens again after a short time. */
    final void retry(String problem) {
        if (!stopped) {
            report.trouble(problem, nowNs());
            openLater();
        }
    }

    private void openLater() {
        if (isOpenDue) {
            return; // closing a socket may have requested it already
        }
        isOpenDue = true;
        var unused = eventLoop().schedule(contained(this::openUnlessStopped), retryMs(), TimeUnit.MILLISECONDS);
    }

    /**
     * Handles an exception of Netty or of the link itself: closes everything, and opens it again after a growing delay.
     */
    final void failed(Throwable error) {
        counters.errors().contain(error);
        if (stopped) {
            return;
        }
        try {
            closeSockets(nowNs());
        } catch (Throwable e) {
            counters.errors().contain(e);
        }
        retry("internal error: " + reason(error) + ", opening it again");
    }

    /** Sends now or never. {@code message} has {@code length} bytes, and this method releases it. */
    final void write(Channel channel, Object message, int length) {
        channel.writeAndFlush(message).addListener(onSent);
        counters.sentBytes().add(length);
    }

    /** Whether the socket accepts more; if not, counts a dropped send. */
    final boolean isSendable(Channel channel) {
        checkThread();
        if (channel.isActive() && channel.isWritable()) {
            return true;
        }
        counters.droppedSends().increment();
        return false;
    }

    /** Whether the socket accepts more and few bytes wait before it. Hot path. */
    final boolean hasSmallBacklog(Channel channel) {
        return channel.isActive() && channel.bytesBeforeUnwritable() >= SEND_LIMIT.high() - SMALL_BACKLOG;
    }

    /** Throws unless called on the link's thread, which alone may send. */
    final void checkThread() {
        if (!eventLoop().inEventLoop()) {
            throw new IllegalStateException("link \"" + name + "\": send from thread "
                    + Thread.currentThread().getName());
        }
    }

    static ByteBuf copy(byte[] buffer, int offset, int length) {
        return LinkLoop.ALLOCATOR.directBuffer(length).writeBytes(buffer, offset, length);
    }

    /** Whether an exception that Netty caught on a socket is a failure of the socket and not an internal error. */
    static boolean isOfSocket(Throwable cause) {
        return cause instanceof IOException || cause instanceof ChannelException;
    }

    /** The reason of a failure, without the call and the address that Netty adds. */
    static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getSimpleName()
                : message.replaceFirst("^.* failed with error\\(-\\d+\\): ", "")
                        .replaceFirst(": [^ ]*/[^ ]+:\\d+$", "");
    }

    @Override
    public final void execute(Runnable task) {
        executeOwn(() -> {
            guard.run(task);
            setTimer(); // the listener may have become hurried
        });
    }

    /** Runs a task of the link itself on its thread. */
    final void executeOwn(Runnable task) {
        submit(contained(task));
    }

    private void submit(Runnable task) {
        try {
            eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            // The link is closed: no thread is left to run the task, and there is nothing left to do.
            if (!closeAsked.get()) {
                throw e;
            }
        }
    }

    /** A task whose exceptions close and reopen the link; Netty would only log them. */
    final Runnable contained(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                failed(e);
            }
        };
    }

    /** Runs a task when an operation is over: at once if it could not start, which Netty reports on another thread. */
    final void whenOver(ChannelFuture operation, Runnable task) {
        if (operation.isDone()) {
            contained(task).run();
        } else {
            operation.addListener(done -> contained(task).run());
        }
    }

    private void openUnlessStopped() {
        isOpenDue = false;
        if (stopped) {
            return;
        }
        if (counters.errors().mayRun()) {
            open();
        } else {
            openLater();
        }
    }

    private void endRound(boolean hasLooked) {
        onRoundEnd(hasLooked);
        if (!cadence.hasReceived() || stopped) {
            return;
        }
        guard.onRoundEnd();
        long nowNs = nowNs();
        cadence.endRound(nowNs);
        if (cadence.isTickDue(nowNs)) {
            tick();
        }
        setTimer(); // the listener may have become hurried
        tickSoonIfWanted();
        long pauseNs = hasRoomToGather() ? pauseNs() : 0;
        if (pauseNs > 0) {
            LockSupport.parkNanos(pauseNs);
        }
    }

    private long pauseNs() {
        if (guard.mayWait()) {
            return cadence.pauseNs(hasRoomForMore() && guard.isPatient(), guard.bulk() != null);
        }
        return guard.mayWaitBriefly() ? cadence.briefPauseNs() : 0;
    }

    private void tick() {
        if (stopped) {
            return;
        }
        long nowNs = nowNs();
        cadence.ticked(nowNs);
        try {
            beforeTick(nowNs);
            guard.onTick(nowNs);
            onTick(nowNs);
            report.settle(nowNs);
            if (guard.isBroken()) {
                stop("stopped by an internal error");
            }
        } finally {
            setTimer();
        }
    }

    /** Sets the timer for the next tick. After most rounds it is set correctly already. */
    private void setTimer() {
        if (stopped || !started.get()) {
            return;
        }
        long nextNs = cadence.nextTickNs(guard.isUnhurried(), longestTickNs());
        if (timer != null) {
            if (timerNs - nextNs <= 0) {
                return;
            }
            timer.cancel(false);
        }
        timerNs = nextNs;
        timer = eventLoop().schedule(onTimer, Math.max(0, nextNs - nowNs()), TimeUnit.NANOSECONDS);
    }

    private void onTimer() {
        timer = null;
        try {
            // After a round with a tick the timer fires too early.
            if (!stopped && nowNs() - cadence.nextTickNs(guard.isUnhurried(), longestTickNs()) >= 0) {
                tick();
            }
            if (cadence.hasReceived()) {
                cadence.endRound(nowNs());
            }
        } finally {
            setTimer();
        }
    }

    private void tickSoonIfWanted() {
        if (!isTickScheduled && !stopped && guard.wantsTickSoon()) {
            isTickScheduled = true;
            var unused = eventLoop().schedule(contained(this::extraTick), SOON_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void extraTick() {
        isTickScheduled = false;
        tick();
        tickSoonIfWanted();
    }

    private void stop(String detail) {
        if (!stopped) {
            stopped = true;
            closeSockets(nowNs());
            report.closed(detail);
        }
    }

    /** The parts of every network link. */
    record Parts(
            String name,
            NetworkIo io,
            NetworkDevice device,
            ContainedListener guard,
            LinkCounters counters,
            HostResolver.Lookup lookup,
            LongSupplier nowNs) {}
}
