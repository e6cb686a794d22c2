package org.mavlogd.signing;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;

/** Makes signed frames with given times, and passes bytes to a gate as a link does. */
final class SignedFrames {
    static final long MINUTE = 60 * SigningClock.UNITS_PER_SECOND;

    private final SigningKey key;
    private long stamp;

    SignedFrames(SigningKey key) {
        this.key = key;
    }

    static SigningKey key(int fill) {
        byte[] bytes = new byte[SigningKey.LENGTH];
        java.util.Arrays.fill(bytes, (byte) fill);
        return SigningKey.of(bytes);
    }

    /** A frame with that time, of system 1 component 1 with link id 0. */
    byte[] at(long time) {
        return at(1, 0, time);
    }

    byte[] at(int systemId, int signatureLink, long time) {
        stamp = time;
        return frame(systemId, new StampedSeal(signatureLink));
    }

    static byte[] unsigned(int systemId) {
        return frame(systemId, FrameEncoder.Seal.NONE);
    }

    private static byte[] frame(int systemId, FrameEncoder.Seal seal) {
        byte[] payload = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length =
                new FrameEncoder(1, seal).encode(systemId, MessageIds.SYSTEM_TIME, payload, payload.length, frame, 0);
        return java.util.Arrays.copyOf(frame, length);
    }

    /** The gate's judgement of each frame in the datagram. */
    static List<Proof> judge(Signing.FrameGate gate, byte[] datagram, long nowNs) {
        List<Proof> proofs = new ArrayList<>();
        FrameDecoder decoder =
                new FrameDecoder((frame, now) -> proofs.add(gate.judge(frame, now)), FrameCounters.unregistered());
        decoder.decodeDatagram(datagram, 0, datagram.length, nowNs);
        return proofs;
    }

    private final class StampedSeal implements FrameEncoder.Seal {
        private final int signatureLink;

        StampedSeal(int signatureLink) {
            this.signatureLink = signatureLink;
        }

        @Override
        public boolean isSigning() {
            return true;
        }

        @Override
        public int seal(byte[] frame, int offset, int length) {
            // The clock returns the time that the test set.
            return new Signing.KeySeal(signatureLink, key, new SigningClock(() -> 0, stamp - 1))
                    .seal(frame, offset, length);
        }
    }
}
