package org.mavlogd.simulate.px4;

import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.simulate.VehicleOutput;
import org.mavlogd.simulate.px4.Px4Settings.Signing;

/**
 * Frames payloads and hands them to the output: one header sequence for all, signed or not, now and then two in the wrong
 * order. Owned by the vehicle's thread. Hot path.
 */
final class FrameSender {
    /** Where one PX4 version cuts its frames: the longest unsigned log frame. */
    private static final int CUT_LENGTH = 267;

    private final Px4Settings settings;
    private final VehicleOutput output;
    private final VehicleCounters counters;
    private final FrameSigner signer = new FrameSigner();
    private final byte[] payloadCopy = new byte[ChunkWriter.PAYLOAD_LENGTH];
    private byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH + FrameSigner.SIGNATURE_LENGTH];
    private byte[] held = new byte[FrameEncoder.MAX_FRAME_LENGTH + FrameSigner.SIGNATURE_LENGTH];
    private FrameEncoder encoder;
    private int heldLength;
    private int heldMessageId;
    private int untilSwap;
    private boolean silent;

    FrameSender(Px4Settings settings, VehicleOutput output, VehicleCounters counters) {
        this.settings = settings;
        this.output = output;
        this.counters = counters;
        encoder = new FrameEncoder(settings.componentId());
        untilSwap = settings.swapEvery();
    }

    /** Header sequence from zero, as after a boot. */
    void restart() {
        encoder = new FrameEncoder(settings.componentId());
        heldLength = 0;
        untilSwap = settings.swapEvery();
    }

    /** While silent, nothing is sent. */
    void silent(boolean newSilent) {
        silent = newSilent;
    }

    /** A frame came in: its signature may tell the time. */
    void onFrame(FrameView frame) {
        signer.onFrame(frame);
    }

    /** Returns the length of the frame; 0 while silent. */
    int send(int messageId, byte[] payload, int offset, int payloadLength) {
        if (silent) {
            return 0;
        }
        byte[] source = payload;
        if (offset != 0) {
            System.arraycopy(payload, offset, payloadCopy, 0, payloadLength);
            source = payloadCopy;
        }
        int length = encoder.encode(settings.systemId(), messageId, source, payloadLength, frame, 0);
        if (settings.signing() != Signing.NONE) {
            length = signer.sign(frame, 0, length);
        }
        if (settings.signing() == Signing.SIGNED_AND_CUT) {
            length = Math.min(length, CUT_LENGTH);
        }
        counters.frames.increment();
        if (isTurnToSwap(messageId)) {
            hold(messageId, length);
        } else {
            output.send(frame, 0, length);
            releaseAfter(messageId);
        }
        return length;
    }

    /** Sends a frame that still waits for one to swap places with. */
    void flush() {
        if (heldLength > 0) {
            int length = heldLength;
            heldLength = 0;
            output.send(held, 0, length);
        }
    }

    private boolean isTurnToSwap(int messageId) {
        // Chunks keep their order among themselves, as in PX4: only another message steps in between.
        if (settings.swapEvery() == 0 || heldLength > 0 || --untilSwap > 0) {
            return false;
        }
        untilSwap = settings.swapEvery();
        return !isChunk(messageId);
    }

    private void hold(int messageId, int length) {
        byte[] free = held;
        held = frame;
        frame = free;
        heldLength = length;
        heldMessageId = messageId;
    }

    private void releaseAfter(int messageId) {
        if (heldLength > 0 && messageId != heldMessageId) {
            flush();
        }
    }

    private static boolean isChunk(int messageId) {
        return messageId == LogChunkLayout.LOGGING_DATA || messageId == LogChunkLayout.LOGGING_DATA_ACKED;
    }
}
