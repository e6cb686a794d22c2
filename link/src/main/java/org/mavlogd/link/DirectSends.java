package org.mavlogd.link;

import io.netty.channel.Channel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.Counter;

/**
 * Sends datagrams through a UDP link's socket without Netty, from one thread. For the link's own thread, Netty's
 * buffers, queue and promises would make acknowledgements several times as expensive; for another thread, waking the
 * link's thread for each datagram would cost even more. The kernel takes a datagram at once or not at all. Less urgent
 * senders may use only a share of the socket's send buffer.
 *
 * <p>Opened and closed by the link's thread. Closing waits for the current call, so that no call uses the socket's
 * descriptor after it belongs to another file. Works with epoll only.
 */
final class DirectSends {
    private static final int CLOSED = 0;
    private static final int OPEN = 1;
    private static final int SENDING = 2;
    private static final long SHORT_NS = 1_000;

    /** The share of senders that may use the whole buffer. */
    static final int ALL = 1;

    private final AtomicInteger state = new AtomicInteger(CLOSED);
    private final ByteBuffer datagram;
    private final SendBuffer buffer = new SendBuffer();
    // Written by the link's thread while the state is CLOSED; the state publishes them.
    private @Nullable Channel channel;
    private @Nullable Socket socket;
    // Written by the sending thread.
    private final Counter sentBytes = new Counter();
    private final Counter failures = new Counter();
    // Owned by the link's thread.
    private long countedBytes;
    private long countedFailures;

    DirectSends(int maxLength) {
        datagram = ByteBuffer.allocateDirect(maxLength);
    }

    /** Uses this bound socket from now on. Link's thread. */
    void open(Channel bound) {
        if (bound instanceof UnixChannel unix && unix.fd() instanceof Socket open) {
            channel = bound;
            socket = open;
            state.set(OPEN); // release; pairs with the acquire in send()
        }
    }

    /** Returns when no call uses the socket and none will. Link's thread. */
    void close() {
        while (state.get() != CLOSED && !state.compareAndSet(OPEN, CLOSED)) {
            LockSupport.parkNanos(SHORT_NS); // for a single call, which does not wait
        }
        channel = null;
        socket = null;
    }

    /** Adds the sent bytes and failures to the link's counters. Link's thread. */
    void count(LinkCounters counters) {
        long bytes = sentBytes.get();
        long failed = failures.get();
        counters.sentBytes().add(bytes - countedBytes);
        counters.droppedSends().add(failed - countedFailures);
        countedBytes = bytes;
        countedFailures = failed;
    }

    /**
     * Like {@link org.mavlogd.peer.Peer#sendDirectly}. Sending thread. Hot path.
     *
     * @param share sends only if less than one in {@code share} bytes of the send buffer is in use
     */
    boolean send(InetSocketAddress to, int share, byte[] bytes, int offset, int length) {
        if (!state.compareAndSet(OPEN, SENDING)) {
            return false;
        }
        try {
            Channel open = channel;
            // Bytes that the link itself could not send yet go first.
            boolean isFree = open != null && open.bytesBeforeUnwritable() >= NettyLink.SEND_LIMIT.high();
            return isFree && isTaken(to, share, bytes, offset, length);
        } catch (IOException e) {
            failures.increment(); // this address is unreachable; others may not be
            return true;
        } finally {
            state.set(OPEN);
        }
    }

    private boolean isTaken(InetSocketAddress to, int share, byte[] bytes, int offset, int length) throws IOException {
        Socket open = socket;
        if (open == null || (share > ALL && !buffer.hasRoom(open, share))) {
            return false;
        }
        datagram.clear();
        datagram.put(bytes, offset, length);
        boolean isTaken = open.sendTo(datagram, 0, length, to.getAddress(), to.getPort()) > 0;
        if (isTaken) {
            sentBytes.add(length);
        }
        return isTaken;
    }
}
