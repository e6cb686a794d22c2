package org.mavlogd.link;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
     * datagrams would overtake the waiting ones.
     */
    private static final long PACKED_NS = TimeUnit.SECONDS.toNanos(60);

    private final NettyLink link;
    private final DatagramPort<InetSocketAddress> socket;
    private final int maxLength;
    private boolean isPossible;
    private @Nullable BulkSocket bulk;
    private @Nullable BulkRule rule;
    private boolean isHeard;
    private boolean isPacked;
    private long packedNs;

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
    void beforeDatagram(byte[] datagram, int length, long nowNs) {
        BulkRule known = rule;
        if (known != null && known.isPacked(datagram, length)) {
            packed(nowNs);
        }
        BulkSocket waiting = bulk;
        if (waiting != null) {
            try {
                waiting.drainBefore(datagram, length, nowNs);
            } catch (IOException e) {
                failed(e, nowNs);
            }
        } else if (known != null) {
            isHeard |= known.isBulk(datagram, length);
        }
    }

    private void packed(long nowNs) {
        packedNs = nowNs;
        if (!isPacked && bulk != null) {
            try {
                bulk.sortNoMore();
            } catch (IOException e) {
                failed(e, nowNs);
            }
        }
        isPacked = true;
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
        isPacked = isPacked && nowNs - packedNs < PACKED_NS;
        Channel open = socket.channel();
        if (bulk != null && (isPacked || bulk.silenceNs(nowNs) >= SILENCE_NS)) {
            stop(nowNs);
        } else if (rule != null && isHeard && !isPacked && bulk == null && open != null && open.isActive()) {
            isHeard = false;
            try {
                bulk = BulkSocket.open(open, rule, maxLength, this, link::nowNs);
            } catch (IOException e) {
                failed(e, nowNs);
            }
        }
    }

    /** Some sandboxes, and systems that only resemble Linux, refuse to sort: then all datagrams wake the thread. */
    private void failed(IOException cause, long nowNs) {
        isPossible = false;
        link.report.advise(
                "this system cannot separate log data (" + NettyLink.reason(cause) + "): receiving it costs more CPU");
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
