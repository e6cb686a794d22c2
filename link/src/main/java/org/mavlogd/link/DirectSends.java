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
 * Sends datagrams through a UDP link's socket past Netty, from one thread: the link's own, because acknowledgements cost several times as
 * much with Netty's buffers, queue and promises, or another one, because to wake the link's thread for each datagram would cost more still.
 * The kernel takes each at once or not at all, and Netty keeps no count of it. What is less urgent than what the link itself sends may take
 * a share of the socket's send buffer only.
 *
 * <p>The link's thread opens and closes it. Closing waits for the call that is under way, so that no call finds the number of the
 * socket with another owner. Works with epoll only.
 */
final class DirectSends {
    private static final int CLOSED = 0;
    private static final int OPEN = 1;
    private static final int SENDING = 2;
    private static final long SHORT_NS = 1_000;

    /** The share of what takes the whole buffer. */
    static final int ALL = 1;

    private final AtomicInteger state = new AtomicInteger(CLOSED);
    private final ByteBuffer datagram;
    private final SendBuffer buffer = new SendBuffer();
    // Written by the link's thread while it is closed; the state publishes them.
    private @Nullable Channel channel;
    private @Nullable Socket socket;
    // The sending thread.
    private final Counter sentBytes = new Counter();
    private final Counter failures = new Counter();
    // The link's thread.
    private long countedBytes;
    private long countedFailures;

    DirectSends(int maxLength) {
        datagram = ByteBuffer.allocateDirect(maxLength);
    }

    /** Uses a bound socket from now on. Link's thread. */
    void open(Channel bound) {
        if (bound instanceof UnixChannel unix && unix.fd() instanceof Socket open) {
            channel = bound;
            socket = open;
            state.set(OPEN); // release; pairs with the acquire in send()
        }
    }

    /** Returns when no call uses the socket any more, and none will. Link's thread. */
    void close() {
        while (state.get() != CLOSED && !state.compareAndSet(OPEN, CLOSED)) {
            LockSupport.parkNanos(SHORT_NS); // for one call that does not wait
        }
        channel = null;
        socket = null;
    }

    /** Adds what was sent to the link's own counts. Link's thread. */
    void count(LinkCounters counters) {
        long bytes = sentBytes.get();
        long failed = failures.get();
        counters.sentBytes().add(bytes - countedBytes);
        counters.droppedSends().add(failed - countedFailures);
        countedBytes = bytes;
        countedFailures = failed;
    }

    /**
     * As {@link org.mavlogd.peer.Peer#sendDirectly}. The sending thread. Hot path.
     *
     * @param share sends only while less than one in so many bytes of the send buffer is taken
     */
    boolean send(InetSocketAddress to, int share, byte[] bytes, int offset, int length) {
        if (!state.compareAndSet(OPEN, SENDING)) {
            return false;
        }
        try {
            Channel open = channel;
            // What the link itself could not send yet goes first.
            boolean isFree = open != null && open.bytesBeforeUnwritable() >= NettyLink.SEND_LIMIT.high();
            return isFree && isTaken(to, share, bytes, offset, length);
        } catch (IOException e) {
            failures.increment(); // no way to that address: the next datagram may find one
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
