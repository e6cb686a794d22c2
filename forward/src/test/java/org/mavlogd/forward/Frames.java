package org.mavlogd.forward;

import java.util.Random;

/** Bytes with the header of a frame. Code after the decoder does not check the checksum. */
final class Frames {
    private Frames() {}

    static byte[] v2(int source, int messageId, int sequence, int payload) {
        byte[] frame = new byte[12 + payload];
        byte[] header = {
            (byte) 0xFD,
            (byte) payload,
            0,
            0,
            (byte) sequence,
            (byte) (source >>> 8),
            (byte) source,
            (byte) messageId,
            (byte) (messageId >>> 8),
            (byte) (messageId >>> 16)
        };
        System.arraycopy(header, 0, frame, 0, header.length);
        return frame;
    }

    static byte[] v1(int source, int messageId, int sequence, int payload) {
        byte[] frame = new byte[8 + payload];
        byte[] header = {
            (byte) 0xFE, (byte) payload, (byte) sequence, (byte) (source >>> 8), (byte) source, (byte) messageId
        };
        System.arraycopy(header, 0, frame, 0, header.length);
        return frame;
    }

    static byte[] random(Random random, int source, int messageId) {
        int payload = random.nextInt(256);
        boolean isV1 = messageId < 256 && random.nextInt(4) == 0;
        byte[] frame = isV1
                ? v1(source, messageId, random.nextInt(256), payload)
                : v2(source, messageId, random.nextInt(256), payload);
        for (int at = isV1 ? 6 : 10; at < frame.length; at++) {
            frame[at] = (byte) random.nextInt();
        }
        return frame;
    }
}
