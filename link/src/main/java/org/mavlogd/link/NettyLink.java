package org.mavlogd.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
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

/** The base of network links: their thread, ticks, pacing, retries, bounded sending, and closing. */
abstract sealed class NettyLink implements Link permits HostLink, UnixDatagramLink {
    /** With the connect time-out it stays below one second. */
    static final long RETRY_MS = 250;

    // Of a tick that the listener wants soon.
    private static final long SOON_MS = 4;

    /** Unsent bytes above which sends are dropped: about a second of acknowledgements. */
    static final WriteBufferWaterMark SEND_LIMIT = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

    /** Of unsent bytes, above which nothing more is sent that is not urgent. */
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
        this.cadence = new Cadence(clock.getAsLong());
        this.loop = new LinkLoop(name, io, this::endRound, this::failed);
        this.onSent = sent -> {
            if (!sent.isSuccess()) {
                counters.droppedSends().increment();
            }
        };
    }

    /** Opens the socket; called again after {@link #retry}. On the link's thread. */
    abstract void open();

    /** Closes the sockets and says goodbye to the peers. On the link's thread. */
    abstract void closeSockets(long nowNs);

    /** Time to the next attempt after one failed. */
    long retryMs() {
        return RETRY_MS;
    }

    /** What else must be done now and then. On the link's thread. */
    void onTick(long nowNs) {}

    /** How long a tick may be away at most because of what waits; see {@link #beforeTick}. */
    long longestTickNs() {
        return Long.MAX_VALUE;
    }

    /** Reads what waits, so that a tick knows all that came before it. On the link's thread. */
    void beforeTick(long nowNs) {}

    /** What was ready when the thread woke has been read. On the link's thread. Hot path. */
    void onRoundEnd() {}

    /** Whether the kernel holds all that may come while the thread lets bytes gather. Hot path. */
    boolean hasRoomToGather() {
        return true;
    }

    /** The same for {@link Cadence#PATIENT_GATHER_NS}, also when a burst begins meanwhile. Hot path. */
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

    /** About so many frames came in: the round that is under way ends with a tick and a pause where they are due. Hot path. */
    final void received(int frames) {
        cadence.received(frames);
    }

    /** Shows the problem and opens again after a short time. */
    final void retry(String problem) {
        retry(problem, false);
    }

    /** @param isRefused whether this computer refuses the port */
    final void retry(String problem, boolean isRefused) {
        if (!stopped) {
            report.trouble(problem, isRefused, nowNs());
            openLater();
        }
    }

    private void openLater() {
        if (isOpenDue) {
            return; // closing a socket may have asked for it already
        }
        isOpenDue = true;
        var unused = eventLoop().schedule(contained(this::openUnlessStopped), retryMs(), TimeUnit.MILLISECONDS);
    }

    /** What Netty or the link itself threw: everything is closed, and opened again after a delay that grows. */
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

    /** Sends now or never; {@code message} holds the {@code length} bytes and is taken over. */
    final void write(Channel channel, Object message, int length) {
        counters.sentBytes().add(length);
        channel.writeAndFlush(message).addListener(onSent);
    }

    /** True when the socket takes more; else the send is counted as dropped. */
    final boolean isSendable(Channel channel) {
        checkThread();
        if (channel.isActive() && channel.isWritable()) {
            return true;
        }
        counters.droppedSends().increment();
        return false;
    }

    /** Whether the socket takes more, and little waits before it. Hot path. */
    final boolean hasSmallBacklog(Channel channel) {
        return channel.isActive() && channel.bytesBeforeUnwritable() >= SEND_LIMIT.high() - SMALL_BACKLOG;
    }

    /** Only the link's thread may send. */
    final void checkThread() {
        if (!eventLoop().inEventLoop()) {
            throw new IllegalStateException("link \"" + name + "\": send from thread "
                    + Thread.currentThread().getName());
        }
    }

    static ByteBuf copy(byte[] buffer, int offset, int length) {
        return LinkLoop.ALLOCATOR.directBuffer(length).writeBytes(buffer, offset, length);
    }

    /** Whether what Netty caught while it used a socket is a failure of that socket, and not an internal error. */
    static boolean isOfSocket(Throwable cause) {
        return cause instanceof IOException || cause instanceof ChannelException;
    }

    /** A failure in the words of the system, without the call and the address that Netty puts around them. */
    static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getSimpleName()
                : message.replaceFirst("^.* failed with error\\(-\\d+\\): ", "")
                        .replaceFirst(": [^ ]*/[^ ]+:\\d+$", "");
    }

    @Override
    public final void execute(Runnable task) {
        submit(() -> guard.run(task));
    }

    /** The same for a task of the link itself. */
    final void executeOwn(Runnable task) {
        submit(contained(task));
    }

    private void submit(Runnable task) {
        try {
            eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            // The link is closed: there is no thread left to run it, and nothing left to do.
            if (!closeAsked.get()) {
                throw e;
            }
        }
    }

    /** Netty would log what a task throws, and continue. */
    final Runnable contained(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                failed(e);
            }
        };
    }

    /** The same on the link's thread: what Netty could not even begin it tells on another one. */
    final void finish(Runnable task) {
        if (eventLoop().inEventLoop()) {
            contained(task).run();
        } else {
            executeOwn(task);
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

    private void endRound() {
        onRoundEnd();
        if (!cadence.hasReceived() || stopped) {
            return;
        }
        guard.onRoundEnd();
        long nowNs = nowNs();
        cadence.endRound(nowNs);
        if (cadence.isTickDue(nowNs)) {
            tick();
        }
        tickSoonIfWanted();
        long pauseNs = hasRoomToGather() ? pauseNs() : 0;
        if (pauseNs > 0) {
            LockSupport.parkNanos(pauseNs);
        }
    }

    private long pauseNs() {
        if (guard.mayWait()) {
            return cadence.pauseNs(hasRoomForMore() && guard.isPatient());
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

    /** Wakes the thread for what is due next. Most rounds find that the timer is right. */
    private void setTimer() {
        if (stopped) {
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
        if (stopped) {
            return;
        }
        try {
            // After a round that ticked it is too early.
            if (nowNs() - cadence.nextTickNs(guard.isUnhurried(), longestTickNs()) >= 0) {
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

    /** What every network link is built from. */
    record Parts(
            String name,
            NetworkIo io,
            NetworkDevice device,
            ContainedListener guard,
            LinkCounters counters,
            LongSupplier nowNs) {}
}
