package org.mavlogd.app;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;

/**
 * Signs for a vehicle and checks what it receives, as autopilots do: its clock starts at 0 and follows the timestamps
 * that it accepts. Does not use the signing code under test. Owned by one thread.
 *
 * @see <a href="https://mavlink.io/en/guide/message_signing.html">MAVLink message signing</a>
 */
public final class AirSigner implements FrameEncoder.Seal {
    private static final int LINK_ID = 4;
    private static final int STAMP_LENGTH = 6;
    private static final int HASH_LENGTH = 6;
    private static final long MINUTE = 6_000_000;

    private final byte[] key;
    private final MessageDigest sha256;
    private final Map<Integer, Long> streams = new HashMap<>();
    private final Map<Integer, FrameEncoder> encoders = new HashMap<>();
    private final byte[] payload = new byte[255];
    private final byte[] out = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private long stamp;

    public AirSigner(byte[] key) {
        this.key = key.clone();
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The frame as the vehicle sends it. */
    byte[] signed(FrameView frame) {
        frame.copyPayload(0, payload, 0, frame.payloadLength());
        int length = encoders.computeIfAbsent(frame.componentId(), component -> new FrameEncoder(component, this))
                .encode(frame.systemId(), frame.messageId(), payload, frame.payloadLength(), out, 0);
        return Arrays.copyOf(out, length);
    }

    /** Whether the vehicle accepts this frame. */
    boolean takes(FrameView frame) {
        if (!frame.isSigned() || frame.isSignatureCut()) {
            return false;
        }
        sha256.update(key);
        frame.updateSigned(sha256);
        if (!frame.hasSignatureHash(sha256.digest())) {
            return false;
        }
        int stream = frame.systemId() << 16 | frame.componentId() << 8 | frame.signatureLinkId();
        long time = frame.signatureTimestamp();
        if (time <= streams.getOrDefault(stream, stamp - MINUTE - 1)) {
            return false;
        }
        streams.put(stream, time);
        stamp = Math.max(stamp, time);
        return true;
    }

    @Override
    public boolean isSigning() {
        return true;
    }

    @Override
    public int seal(byte[] frame, int offset, int length) {
        int at = offset + length;
        frame[at++] = LINK_ID;
        stamp++;
        for (int i = 0; i < STAMP_LENGTH; i++) {
            frame[at++] = (byte) (stamp >>> (Byte.SIZE * i));
        }
        sha256.update(key);
        sha256.update(frame, offset, at - offset);
        System.arraycopy(sha256.digest(), 0, frame, at, HASH_LENGTH);
        return at + HASH_LENGTH - offset;
    }
}
