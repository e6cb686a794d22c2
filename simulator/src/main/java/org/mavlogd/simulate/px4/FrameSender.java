package org.mavlogd.simulate.px4;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.simulate.VehicleOutput;
import org.mavlogd.simulate.px4.Px4Settings.Signing;

/**
 * Sends payloads as frames: one sequence for all, signed or not, sometimes two in the wrong order. Owned by the
 * vehicle's thread. Hot path.
 */
final class FrameSender {
    /** Length at which one PX4 version truncates frames: that of the longest unsigned log frame. */
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

    /** Restarts the sequence from zero, as a reboot does. */
    void restart() {
        encoder = new FrameEncoder(settings.componentId());
        heldLength = 0;
        untilSwap = settings.swapEvery();
    }

    /** Stops or resumes sending. */
    void silent(boolean newSilent) {
        silent = newSilent;
    }

    /** Takes a received frame: its signature may set the time. */
    void onFrame(FrameView frame) {
        signer.onFrame(frame);
    }

    /** Sends a frame; returns its length, or 0 while silent. */
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

    /** Sends a frame that waits to be swapped with another. */
    void flush() {
        if (heldLength > 0) {
            int length = heldLength;
            heldLength = 0;
            output.send(held, 0, length);
        }
    }

    private boolean isTurnToSwap(int messageId) {
        // Chunks keep their order, as in PX4: only another message comes between them.
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

    /**
     * Signs frames with the key of 32 zero bytes that PX4 uses if none was set. The time starts at zero, because such a
     * vehicle has no clock, and increases by one with each frame; a validly signed frame of another sender with a later
     * time sets it. Owned by the vehicle's thread.
     *
     * @see <a href="https://mavlink.io/en/guide/message_signing.html">MAVLink message signing</a>
     */
    private static final class FrameSigner {
        static final int SIGNATURE_LENGTH = 13;

        private static final int SIGNED_FLAG = 1;
        private static final int INCOMPAT_OFFSET = 2;
        private static final int CHECKSUM_LENGTH = 2;
        private static final int STAMP_LENGTH = 7;
        private static final int MAC_LENGTH = 6;
        private static final int LINK_ID = 0;
        private static final int DIGEST_LENGTH = 32;

        private final MessageDigest sha256;
        private final byte[] key = new byte[DIGEST_LENGTH];
        private final byte[] digest = new byte[DIGEST_LENGTH];
        private final int[] flagChecksum = new int[512];
        private long stamp;

        FrameSigner() {
            try {
                sha256 = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
            // A CRC is linear: setting one bit changes it by the CRC, from zero, of that bit and the bytes after it.
            int crc = accumulate(0, SIGNED_FLAG);
            for (int bytesBehind = 0; bytesBehind < flagChecksum.length; bytesBehind++) {
                flagChecksum[bytesBehind] = crc;
                crc = accumulate(crc, 0);
            }
        }

        /** Signs the frame in place and returns its new length. */
        int sign(byte[] frame, int offset, int length) {
            frame[offset + INCOMPAT_OFFSET] |= SIGNED_FLAG;
            int checksum = offset + length - CHECKSUM_LENGTH;
            // After the flag: the rest of header and payload, and the message's CRC_EXTRA.
            int change = flagChecksum[length - CHECKSUM_LENGTH - INCOMPAT_OFFSET];
            frame[checksum] ^= (byte) change;
            frame[checksum + 1] ^= (byte) (change >> 8);
            int stampOffset = offset + length;
            stamp++;
            frame[stampOffset] = LINK_ID;
            for (int i = 0; i < MAC_LENGTH; i++) {
                frame[stampOffset + 1 + i] = (byte) (stamp >> (8 * i));
            }
            sha256.update(key);
            sha256.update(frame, offset, length + STAMP_LENGTH);
            finish();
            System.arraycopy(digest, 0, frame, stampOffset + STAMP_LENGTH, MAC_LENGTH);
            return length + SIGNATURE_LENGTH;
        }

        /** Takes a received frame. */
        void onFrame(FrameView frame) {
            if (!frame.isSigned() || frame.isSignatureCut()) {
                return;
            }
            sha256.update(key);
            frame.updateSigned(sha256);
            finish();
            if (frame.hasSignatureHash(digest)) {
                stamp = Math.max(stamp, frame.signatureTimestamp());
            }
        }

        private void finish() {
            try {
                sha256.digest(digest, 0, DIGEST_LENGTH);
            } catch (DigestException e) {
                throw new IllegalStateException("a digest of 32 bytes fits into 32 bytes", e);
            }
        }

        /** One step of the X.25 checksum of MAVLink. */
        private static int accumulate(int crc, int value) {
            int t = (value ^ crc) & 0xff;
            t = (t ^ (t << 4)) & 0xff;
            return ((crc >> 8) ^ (t << 8) ^ (t << 3) ^ (t >> 4)) & 0xffff;
        }
    }
}
