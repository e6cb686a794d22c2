package org.mavlogd.link;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.BulkRule;

/**
 * Decides whether and when the kernel sorts the datagrams of a UDP link: its {@link BulkSocket} is opened when a stream that may wait is heard, and
 * closed when it ends. Owned by the link's thread. Hot path.
 */
final class BulkSorting {
    // A stream that pauses continues soon; to open and close the socket costs more than to look at it.
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /**
     * A sender that puts several frames into one datagram, as routers can, does so all the time or when there is much to send. What
     * waits would then be overtaken by what is packed.
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
     * Sorts nothing yet.
     *
     * @param socket the link's own
     * @param maxLength of a datagram
     * @param isPossible whether this kind of socket can be sorted at all
     */
    BulkSorting(NettyLink link, DatagramPort<InetSocketAddress> socket, int maxLength, boolean isPossible) {
        this.link = link;
        this.socket = socket;
        this.maxLength = maxLength;
        this.isPossible = isPossible;
    }

    /** Whether a second socket may join; then the first one must be bound for it. */
    boolean isPossible() {
        return isPossible;
    }

    /** What waits comes before what woke the thread. */
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

    /** What woke the thread was read. */
    void endRound() {
        if (bulk != null) {
            bulk.endRound();
        }
    }

    /** After which time what waits is to be read. */
    long longestTickNs() {
        return bulk == null ? Long.MAX_VALUE : bulk.intervalNs();
    }

    /** Reads what waits. */
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

    /** Begins or ends sorting, by what was heard of late; {@code wanted} is null while nothing may wait. */
    void sortAsWanted(@Nullable BulkRule wanted, long nowNs) {
        rule = isPossible ? wanted : null;
        isPacked = isPacked && nowNs - packedNs < PACKED_NS;
        Channel open = socket.channel();
        if (bulk != null && (isPacked || bulk.silenceNs(nowNs) >= SILENCE_NS)) {
            stop(nowNs);
        } else if (rule != null && isHeard && !isPacked && bulk == null && open != null && open.isActive()) {
            isHeard = false;
            try {
                bulk = BulkSocket.open(open, rule, maxLength, socket::deliver, link::nowNs);
            } catch (IOException e) {
                failed(e, nowNs);
            }
        }
    }

    /** The kernel may refuse to sort, in some sandboxes and on systems that only look like Linux: then all datagrams wake the thread. */
    private void failed(IOException cause, long nowNs) {
        isPossible = false;
        link.report.advise(
                "this system cannot separate log data (" + NettyLink.reason(cause) + "): receiving it costs more CPU");
        stop(nowNs);
    }

    /** First nothing more comes to wait, then what waits is read: nothing is lost. */
    void stop(long nowNs) {
        BulkSocket waiting = bulk;
        if (waiting == null) {
            return;
        }
        bulk = null;
        waiting.close(nowNs);
    }
}
