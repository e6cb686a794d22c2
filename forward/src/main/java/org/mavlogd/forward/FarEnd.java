package org.mavlogd.forward;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.peer.Peer;

/**
 * One far end of a link that forwards: what it says goes to the router, and a portion of what the router has for it is sent.
 *
 * <p>The portion changes hands: the router's thread fills it when it is free, the link's thread sends it and sets it free.
 */
public final class FarEnd {
    /** So much waits for one transport at a time; at 921,600 bit/s it takes 22 ms. */
    static final int PORTION = 2048;

    /** Frames that go to a stream with one call; no more than a serial port takes at once. */
    private static final int MAX_RUN = 512;

    private final LinkPort port;
    private final Peer peer;
    private final int serial;
    private final byte[] portion = new byte[PORTION];
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

    /** @param serial a number that no far end of this link had before */
    FarEnd(LinkPort port, Peer peer, int serial) {
        this.port = port;
        this.peer = peer;
        this.serial = serial;
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

    /** A datagram is one frame; to a stream several go at once. */
    private void sendRun(int most) {
        int length = lengths[sentFrames++];
        for (int i = 1;
                !peer.isDatagram() && i < most && sentFrames < frames && length + lengths[sentFrames] <= MAX_RUN;
                i++) {
            length += lengths[sentFrames++];
        }
        int from = sentBytes;
        sentBytes += length; // before the call: it may throw
        peer.send(portion, from, length);
    }

    /** Frames of the portion that nobody sends any more. Link's thread, when the far end is gone. */
    int unsent() {
        return filled.get() ? frames - sentFrames : 0;
    }
}
