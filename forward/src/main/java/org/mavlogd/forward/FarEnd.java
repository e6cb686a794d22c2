package org.mavlogd.forward;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.peer.Peer;

/**
 * One peer of a link that forwards, on the link's thread: its frames go to the router, and portions of the router's
 * frames are sent to it.
 *
 * <p>The portion changes hands: the router's thread fills it when it is free, the link's thread sends it and sets it free. Where the
 * transport can be used by another thread than the link's, the router's sends by itself and the portion is its own.
 */
public final class FarEnd {
    /** So much waits for one transport at a time; at 921,600 bit/s it takes 22 ms. */
    static final int PORTION = 2048;

    /** Frames that go to a stream with one call; no more than a serial port takes at once. */
    private static final int MAX_RUN = 512;

    /** Frames that wait together go in one datagram, which no network on the way has to split. */
    static final int MAX_DATAGRAM = 1200;

    private final LinkPort port;
    private final Peer peer;
    private final int serial;
    private final boolean isDirect;
    private final byte[] portion;
    private final short[] lengths = new short[PORTION / Byte.SIZE];
    // Whose turn it is: false for the router's thread, true for the link's. Everything below belongs to the one whose
    // turn it is.
    private final AtomicBoolean filled = new AtomicBoolean();
    private int frames;
    private int sentFrames;
    private int sentBytes;

    private final AtomicBoolean blocked = new AtomicBoolean();
    // Link's thread.
    private int slot = LinkPort.NO_SLOT;
    // Router's thread sets it.
    private volatile @Nullable Endpoint endpoint;

    /** @param serial a number that no peer of this link had before */
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

    /** A frame that came from there, whole and checked. Link's thread. Hot path. */
    public void onFrame(FrameView frame) {
        port.onFrame(this, frame);
    }

    int slot() {
        return slot;
    }

    void slot(int value) {
        slot = value;
    }

    /** For people. Any thread. */
    String address() {
        return peer.address();
    }

    /** What the router has for it; null when there is no room for it. Any thread. */
    @Nullable
    Endpoint endpoint() {
        return endpoint;
    }

    void endpoint(@Nullable Endpoint value) {
        endpoint = value;
    }

    /** Whether the router's thread sends by itself, with {@link #sendDirectly}, instead of handing out portions. */
    boolean isDirect() {
        return isDirect;
    }

    /** Whether the link's thread has something to send. Any thread. */
    boolean isFilled() {
        return filled.get();
    }

    /** Whether the transport took no more when it was tried last. Any thread. */
    boolean isBlocked() {
        return blocked.get();
    }

    /** Takes what fits of a queue; false when the portion before is not sent yet, or there is nothing. Router's thread. Hot path. */
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
     * Sends of the portion what the transport takes at once. Link's thread. Hot path.
     *
     * @param most so many frames at most
     * @return how many were sent
     */
    int flush(int most) {
        if (!filled.get()) {
            return 0;
        }
        int before = sentFrames;
        while (sentFrames < frames && sentFrames - before < most) {
            if (!peer.isReady()) {
                blocked.set(true);
                return sentFrames - before;
            }
            sendRun(most - (sentFrames - before));
        }
        int sent = sentFrames - before;
        blocked.set(false);
        if (sentFrames == frames) {
            filled.set(false); // release; pairs with the acquire in fill()
        }
        return sent;
    }

    /**
     * Sends of a queue what the transport takes at once. Router's thread. Hot path.
     *
     * @param most after so many frames the rest waits
     * @return how many were sent
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

    /** The datagram that the transport did not take comes again. */
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

    /** Frames that left their queue and were not sent, of a far end that is gone. Router's thread. */
    int unsentDirectly() {
        return isDirect ? frames : 0;
    }

    /** As many frames with one call as go together. */
    private void sendRun(int most) {
        int longest = peer.isDatagram() ? MAX_DATAGRAM : MAX_RUN;
        int length = lengths[sentFrames++];
        for (int i = 1; i < most && sentFrames < frames && length + lengths[sentFrames] <= longest; i++) {
            length += lengths[sentFrames++];
        }
        int from = sentBytes;
        sentBytes += length; // before the call: it may throw
        peer.send(portion, from, length);
    }

    /** Frames of the portion that nobody sends any more. Link's thread, when the peer is gone. */
    int unsent() {
        return filled.get() ? frames - sentFrames : 0;
    }
}
