package org.mavlogd.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.TargetTable;
import org.mavlogd.peer.Peer;

/**
 * A link's side of forwarding: copies the frames of its peers into a ring, and sends the router's frames to them. Never
 * waits, and contains all errors: the link records as if there were no forwarding.
 */
public final class LinkPort {
    /** Maximum number of far ends; equals that of the peers of a UDP link. */
    static final int SLOTS = 64;

    static final int NO_SLOT = -1;

    /** Two seconds of a fast link's telemetry. */
    private static final int RING_BYTES = 256 * 1024;

    /** Bytes that wake the router before the link's round ends. */
    private static final int MANY_BYTES = RING_BYTES / 8;

    /** Frames sent before the link's thread attends to its other duties: takes well below a millisecond. */
    private static final int MAX_SENDS = 32;

    /**
     * Frames sent to one peer of a link that need not wake up: those of one round of the router, and as many earlier
     * ones.
     */
    private static final int MAX_DIRECT_SENDS = 2 * Forwarder.FRAMES_PER_ROUND;

    // Precedes each frame in the ring; the type of a record is its slot plus 1.
    private static final int SERIAL_OFFSET = 0;
    private static final int TARGET_OFFSET = Integer.BYTES;
    static final int HEAD_LENGTH = 2 * Integer.BYTES;

    private final Part part;
    private final ForwardRules rules;
    private final TargetTable targets;
    private final Wake wake;
    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
    private final AtomicReferenceArray<@Nullable FarEnd> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicInteger changes = new AtomicInteger();
    private final Runnable flush = this::flush;
    private Consumer<Runnable> executor = task -> {};
    private final AtomicBoolean flushAsked = new AtomicBoolean();
    // Link's thread.
    private boolean isWakeDue;
    private int lastSerial;
    private int next;

    /**
     * The counters of a port, and the part for its errors.
     *
     * @param sharesLogStream whether frames of the log stream are forwarded, too
     */
    record Part(ContainedPart errors, ForwardCounters counters, boolean sharesLogStream) {}

    LinkPort(ForwardRules rules, TargetTable targets, Part part, Wake wake) {
        this.rules = rules;
        this.targets = targets;
        this.part = part;
        this.wake = wake;
    }

    /**
     * Sets the access to the link's thread, before it starts.
     *
     * @param value soon runs a task on the link's thread, or on one that acts for it
     */
    public void connect(Consumer<Runnable> value) {
        executor = value;
    }

    ForwardRules rules() {
        return rules;
    }

    /** Whether log data is forwarded, so that none of the link's data may wait in the kernel. */
    public boolean sharesLogStream() {
        return part.sharesLogStream();
    }

    ForwardCounters counters() {
        return part.counters();
    }

    /**
     * Adds a peer. If its address may be forged, it takes part only after its first frame. Link's thread.
     *
     * @return null if an error occurred: then the peer takes no part
     */
    public @Nullable FarEnd open(Peer peer) {
        try {
            FarEnd farEnd = new FarEnd(this, peer, ++lastSerial);
            if (peer.isExpected() && peer.isReachable()) {
                place(farEnd);
            }
            return farEnd;
        } catch (Throwable e) {
            part.errors().contain(e);
            return null;
        }
    }

    /** Removes a peer. Link's thread. */
    public void close(FarEnd farEnd) {
        try {
            if (farEnd.slot() != NO_SLOT) {
                slots.set(farEnd.slot(), null); // release; the router's thread counts what is not sent
                farEnd.slot(NO_SLOT);
                changed();
            }
        } catch (Throwable e) {
            part.errors().contain(e);
        }
    }

    private void place(FarEnd farEnd) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (slots.get(slot) == null) {
                farEnd.slot(slot);
                slots.set(slot, farEnd);
                changed();
                return;
            }
        }
    }

    private void changed() {
        changes.incrementAndGet();
        wake.now();
    }

    void onFrame(FarEnd from, FrameView frame) {
        if (!part.errors().mayRun()) {
            countersOf(from).busy().increment();
            return;
        }
        try {
            copy(from, frame);
        } catch (Throwable e) {
            part.errors().contain(e);
        }
    }

    private void copy(FarEnd from, FrameView frame) {
        int messageId = frame.messageId();
        // The log stream is ours: a receiver that acknowledges it instead of us would cost us data that we did not get.
        if (frame.isOfLogStream() && !part.sharesLogStream()) {
            return;
        }
        // A key that arrived on a safe link must not leave on others: mavlink.io, "Message Signing", SETUP_SIGNING.
        if (frame.isSignatureCut() || messageId == MessageIds.SETUP_SIGNING) {
            countersOf(from).unfit().increment();
            return;
        }
        if (from.slot() == NO_SLOT) {
            place(from);
        }
        int target = targets.target(frame);
        int at = from.slot() == NO_SLOT ? -1 : ring.tryClaim(from.slot() + 1, HEAD_LENGTH + frame.length());
        if (at < 0) {
            countersOf(from).busy().increment();
            return;
        }
        ring.buffer().putInt(at + SERIAL_OFFSET, from.serial());
        ring.buffer().putInt(at + TARGET_OFFSET, target);
        try {
            frame.copyFrame(ring.buffer(), at + HEAD_LENGTH);
        } catch (Throwable e) {
            ring.abort(at); // or the router would wait for this frame for ever
            countersOf(from).busy().increment();
            throw e;
        }
        ring.commit(at);
        isWakeDue = true;
        if (ring.size() > MANY_BYTES) {
            wakeRouter();
        }
    }

    /**
     * Wakes the router for the copied frames: once for all frames of a round, not for each. Link's thread. Hot path.
     */
    public void wakeRouter() {
        if (isWakeDue) {
            isWakeDue = false;
            try {
                wake.now();
            } catch (Throwable e) {
                part.errors().contain(e);
            }
        }
    }

    /** Sends the router's frames to the peers. Link's thread. */
    void flush() {
        flushAsked.set(false);
        if (!part.errors().mayRun()) {
            return;
        }
        try {
            int left = MAX_SENDS;
            for (int i = 0; i < SLOTS && left > 0; i++) {
                next = (next + 1) % SLOTS;
                FarEnd farEnd = slots.get(next);
                if (farEnd != null) {
                    int sent = farEnd.flush(left);
                    left -= sent;
                    countersOf(farEnd).sent().add(sent);
                }
            }
        } catch (Throwable e) {
            part.errors().contain(e);
        }
    }

    /**
     * Sends waiting frames to a peer whose link need not wake up for it; returns their number. Router's thread. Hot
     * path.
     */
    int sendDirectly(FarEnd to, FrameQueue queue) {
        try {
            int sent = to.sendDirectly(queue, MAX_DIRECT_SENDS);
            countersOf(to).sent().add(sent);
            return sent;
        } catch (Throwable e) {
            part.errors().contain(e);
            return 0;
        }
    }

    private ForwardCounters countersOf(FarEnd farEnd) {
        Endpoint endpoint = farEnd.endpoint();
        return endpoint == null ? part.counters() : endpoint.counters();
    }

    /** The status of this port. Any thread. */
    ForwardStatus status(Router router) {
        List<ForwardStatus.Endpoint> endpoints = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            FarEnd farEnd = slots.get(slot);
            Endpoint endpoint = farEnd == null ? null : farEnd.endpoint();
            if (farEnd != null && endpoint != null) {
                endpoints.add(new ForwardStatus.Endpoint(
                        farEnd.address(), endpoint.counters().frames(), router.systems(endpoint)));
            }
        }
        return new ForwardStatus(rules.link(), part.counters().frames(), endpoints);
    }

    /** Requests a {@link #flush} by the link; false if an earlier request is still pending. Router's thread. */
    boolean askFlush() {
        if (!flushAsked.compareAndSet(false, true)) {
            return false;
        }
        try {
            executor.accept(flush);
            return true;
        } catch (Throwable e) {
            flushAsked.set(false); // or nobody would ask again
            part.errors().contain(e);
            return false;
        }
    }

    /** Whether the port is not paused after an error. */
    boolean mayRun() {
        return part.errors().mayRun();
    }

    /** Changes whenever a peer comes or leaves. Router's thread. */
    int changes() {
        return changes.get();
    }

    @Nullable
    FarEnd farEnd(int slot) {
        return slots.get(slot);
    }

    /** Serial number of a record's peer. */
    static int serial(DirectBuffer buffer, int at) {
        return buffer.getInt(at + SERIAL_OFFSET);
    }

    /** Target of a record's frame. */
    static int target(DirectBuffer buffer, int at) {
        return buffer.getInt(at + TARGET_OFFSET);
    }

    /** Router's thread. */
    boolean hasFrames() {
        return ring.size() > 0;
    }

    /** Router's thread. */
    int read(MessageHandler handler, int most) {
        return ring.read(handler, most);
    }
}
