package org.mavlogd.signing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;

/** Builds frames as a link sends them. */
final class SentFrames {
    private SentFrames() {}

    static byte[] heartbeat(Signing signing, int link) {
        byte[] payload = new byte[255];
        int length = new Heartbeat(18, 8, 0, 0, 4).encodePayload(payload);
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        Signing.LinkParts parts = signing.forLink(link, "link" + link, new Metrics());
        int frameLength =
                new FrameEncoder(191, parts.seal()).encode(1, MessageIds.HEARTBEAT, payload, length, frame, 0);
        return Arrays.copyOf(frame, frameLength);
    }

    /** The time in a frame's signature. */
    static long stamp(byte[] frame) {
        return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getLong(frame.length - 14) >>> 16;
    }
}
