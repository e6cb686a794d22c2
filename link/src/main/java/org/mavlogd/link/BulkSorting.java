package org.mavlogd.link;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.RetryDelay;
import org.mavlogd.peer.BulkRule;

/**
 * Decides whether the kernel sorts the datagrams of a UDP link: opens its {@link BulkSocket} when a stream that may
 * wait arrives, and closes it when the stream ends. Owned by the link's thread. Hot path.
 */
final class BulkSorting implements BulkSocket.Taker {
    // A stream that pauses continues soon, and opening and closing the socket costs more than reading it.
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /**
     * Senders that put several frames into one datagram, as routers can, do so all the time or under load. Their packed
     * datagrams would overtake the waiting ones. And log data that is broadcast reaches both sockets.
     */
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long MAX_RETRY_NS = TimeUnit.HOURS.toNanos(1);

    private final NettyLink link;
    private final DatagramPort<InetSocketAddress> socket;
    private final int maxLength;
    private final boolean isPossible;
    private final RetryDelay retry = new RetryDelay(PAUSE_NS, MAX_RETRY_NS);
    private boolean isTold;
    private @Nullable BulkSocket bulk;
    private @Nullable BulkRule rule;
    private boolean isHeard;
    private boolean isPaused;
    private long pausedNs;

    /**
     * Creates it without sorting.
     *
     * @param socket the link's own
     * @param maxLength of a datagram
     * @param isPossible whether datagrams of this kind of socket can be sorted
     */
    BulkSorting(NettyLink link, DatagramPort<InetSocketAddress> socket, int maxLength, boolean isPossible) {
        this.link = link;
        this.socket = socket;
        this.maxLength = maxLength;
        this.isPossible = isPossible;
    }

    /** Whether a second socket may join; the first one must then be bound with {@link BulkSocket#groupOption}. */
    boolean isPossible() {
        return isPossible;
    }

    /** Reads the waiting datagrams that come before one that woke the thread. */
    void beforeDatagram(InetSocketAddress sender, byte[] datagram, int length, long nowNs) {
        BulkRule known = rule;
        if (known != null && (known.isPacked(datagram, length) || isCopy(datagram, length))) {
            pause(nowNs);
        }
        BulkSocket waiting = bulk;
        if (waiting != null) {
            try {
                waiting.drainBefore(sender, datagram, length, nowNs);
            } catch (IOException e) {
                failed(e, nowNs);
            }
        } else if (known != null) {
            isHeard |= known.isBulk(datagram, length);
        }
    }

    private boolean isCopy(byte[] datagram, int length) {
        BulkSocket waiting = bulk;
        return waiting != null && waiting.isCopy(datagram, length);
    }

    private void pause(long nowNs) {
        pausedNs = nowNs;
        if (!isPaused && bulk != null) {
            try {
                bulk.sortNoMore();
            } catch (IOException e) {
                failed(e, nowNs);
            }
        }
        isPaused = true;
    }

    /** The datagrams that woke the thread have been read; {@code hasLooked} if it looked for any. */
    void endRound(boolean hasLooked) {
        if (bulk != null) {
            bulk.endRound(hasLooked);
        }
    }

    /** Time until the waiting datagrams must be read. */
    long longestTickNs() {
        return bulk == null ? Long.MAX_VALUE : bulk.intervalNs();
    }

    /** Reads the waiting datagrams. */
    void drain(long nowNs) {
        BulkSocket waiting = bulk;
        try {
            if (waiting != null && !waiting.drain(nowNs)) {
                link.executeOwn(() -> drain(link.nowNs()));
            }
        } catch (IOException e) {
            failed(e, nowNs);
        }
    }

    @Override
    public void begin(long sinceNs) {
        link.guard.onWaited(sinceNs);
    }

    @Override
    public void take(InetSocketAddress sender, byte[] datagram, int length, long arrivalNs) {
        socket.deliver(sender, datagram, length, arrivalNs);
    }

    @Override
    public void end() {
        link.guard.onWaitedEnd();
    }

    /** Starts or stops sorting, depending on the datagrams received; {@code wanted} is null if none may wait. */
    void sortAsWanted(@Nullable BulkRule wanted, long nowNs) {
        rule = isPossible ? wanted : null;
        isPaused = isPaused && nowNs - pausedNs < PAUSE_NS;
        Channel open = socket.channel();
        if (bulk != null && ((isPaused && bulk.isSettled()) || bulk.silenceNs(nowNs) >= SILENCE_NS)) {
            stop(nowNs);
        } else if (rule != null && mayOpen(nowNs) && open != null && open.isActive()) {
            isHeard = false;
            try {
                bulk = BulkSocket.open(open, rule, maxLength, this, link::nowNs);
            } catch (IOException e) {
                failed(e, nowNs);
            }
        }
    }

    private boolean mayOpen(long nowNs) {
        return bulk == null && isHeard && !isPaused && retry.isOver(nowNs);
    }

    /**
     * Some sandboxes, and systems that only resemble Linux, refuse to sort: then all datagrams wake the thread. Memory
     * may also be short for a moment, so it is tried again from time to time, but reported only once.
     */
    private void failed(IOException cause, long nowNs) {
        retry.failed(nowNs);
        if (!isTold) {
            isTold = true;
            link.report.advise("this system cannot separate log data (" + NettyLink.reason(cause)
                    + "): receiving it costs more CPU");
        }
        stop(nowNs);
    }

    /** Stops sorting, then reads the waiting datagrams: nothing is lost. */
    void stop(long nowNs) {
        BulkSocket waiting = bulk;
        if (waiting == null) {
            return;
        }
        bulk = null;
        waiting.close(nowNs);
    }
}
