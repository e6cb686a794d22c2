package org.mavlogd.forward;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.peer.Peer;

/**
 * One peer of a forwarding link, on the link's thread: passes the peer's frames to the router, and sends portions of
 * the router's frames to it.
 *
 * <p>The portion changes owner: the router's thread fills it when it is free; the link's thread sends and frees it. If
 * the transport can be used by a thread other than the link's, the router's thread sends and owns the portion.
 */
public final class FarEnd {
    /** Maximum bytes that wait for a transport at a time; the transport takes them in parts. */
    static final int PORTION = 2048;

    /** Maximum bytes that are sent to a stream with one call; no more than a serial port accepts at once. */
    private static final int MAX_RUN = 512;

    /** Maximum bytes of frames that are sent together in a datagram; networks do not fragment it. */
    static final int MAX_DATAGRAM = 1200;

    private final LinkPort port;
    private final Peer peer;
    private final int serial;
    private final boolean isDirect;
    private final byte[] portion;
    private final short[] lengths = new short[PORTION / Byte.SIZE];
    // Owner of the fields below: false for the router's thread, true for the link's.
    private final AtomicBoolean filled = new AtomicBoolean();
    private int frames;
    private int sentFrames;
    private int sentBytes;

    private final AtomicBoolean blocked = new AtomicBoolean();
    // Link's thread.
    private int slot = LinkPort.NO_SLOT;
    // Set by the router's thread.
    private volatile @Nullable Endpoint endpoint;

    /** @param serial a number that no other peer of this link has had */
    FarEnd(LinkPort port, Peer peer, int serial) {
        this.port = port;
        this.peer = peer;
        this.serial = serial;
        this.isDirect = peer.isDirect();
        this.portion = new byte[isDirect ? MAX_DATAGRAM : PORTION];
    }

    int serial() {
        return serial;
    }

    /** Forwards a complete, checked frame of this peer. Link's thread. Hot path. */
    public void onFrame(FrameView frame) {
        port.onFrame(this, frame);
    }

    int slot() {
        return slot;
    }

    void slot(int value) {
        slot = value;
    }

    /** The address for people. Any thread. */
    String address() {
        return peer.address();
    }

    /** The router's endpoint for this peer; null if there is no room for it. Any thread. */
    @Nullable
    Endpoint endpoint() {
        return endpoint;
    }

    void endpoint(@Nullable Endpoint value) {
        endpoint = value;
    }

    /** Whether the router's thread sends with {@link #sendDirectly}, instead of handing out portions. */
    boolean isDirect() {
        return isDirect;
    }

    /** Whether the link's thread has frames to send. Any thread. */
    boolean isFilled() {
        return filled.get();
    }

    /** Whether the transport refused the last attempt. Any thread. */
    boolean isBlocked() {
        return blocked.get();
    }

    /**
     * Fills the portion from a queue; false if the last portion is not sent yet, or the queue is empty. Router's
     * thread. Hot path.
     */
    boolean fill(FrameQueue queue) {
        if (filled.get() || queue.isEmpty()) {
            return false;
        }
        int count = 0;
        int at = 0;
        for (int length = queue.poll(portion, at); length > 0; length = queue.poll(portion, at)) {
            lengths[count++] = (short) length;
            at += length;
        }
        frames = count;
        sentFrames = 0;
        sentBytes = 0;
        filled.set(true); // release; pairs with the acquire in flush()
        return true;
    }

    /**
     * Sends as many frames of the portion as the transport accepts at once. Link's thread. Hot path.
     *
     * @param most maximum number of frames
     * @return number of frames sent
     */
    int flush(int most) {
        if (!filled.get()) {
            return 0;
        }
        int before = sentFrames;
        while (sentFrames < frames && sentFrames - before < most) {
            int room = peer.room();
            if (room <= 0) {
                blocked.set(true);
                return sentFrames - before;
            }
            sendRun(most - (sentFrames - before), room);
        }
        int sent = sentFrames - before;
        blocked.set(false);
        if (sentFrames == frames) {
            filled.set(false); // release; pairs with the acquire in fill()
        }
        return sent;
    }

    /**
     * Sends as many frames of a queue as the transport accepts at once. Router's thread. Hot path.
     *
     * @param most number of frames after which the rest waits
     * @return number of frames sent
     */
    int sendDirectly(FrameQueue queue, int most) {
        int sent = 0;
        while (sent < most && hasNext(queue)) {
            if (!peer.sendDirectly(portion, 0, sentBytes)) {
                blocked.set(true);
                return sent;
            }
            sent += frames;
            frames = 0;
        }
        blocked.set(false);
        return sent;
    }

    /** Prepares the next datagram; one that the transport refused is sent again. */
    private boolean hasNext(FrameQueue queue) {
        if (frames == 0) {
            int at = 0;
            for (int length = queue.poll(portion, at); length > 0; length = queue.poll(portion, at)) {
                at += length;
                frames++;
            }
            sentBytes = at;
        }
        return frames > 0;
    }

    /** Number of frames taken from the queue and not sent, when the peer is gone. Router's thread. */
    int unsentDirectly() {
        return isDirect ? frames : 0;
    }

    /** Sends as many frames with one call as fit together. */
    private void sendRun(int most, int room) {
        int longest = Math.min(room, peer.isDatagram() ? MAX_DATAGRAM : MAX_RUN);
        int length = lengths[sentFrames++];
        for (int i = 1; i < most && sentFrames < frames && length + lengths[sentFrames] <= longest; i++) {
            length += lengths[sentFrames++];
        }
        int from = sentBytes;
        sentBytes += length; // before the call: it may throw
        peer.send(portion, from, length);
    }

    /**
     * Number of frames of the portion that will not be sent, when the peer is gone. Router's thread, which may have
     * filled it after the link's thread closed this.
     */
    int unsent() {
        return filled.get() ? frames - sentFrames : 0;
    }
}
