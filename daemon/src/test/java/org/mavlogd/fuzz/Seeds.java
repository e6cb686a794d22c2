package org.mavlogd.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.Stream;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;

/** Initial frames: a vehicle's messages from its first heartbeat to the end of its log. */
final class Seeds {
    private static final byte[] LOG_BEGIN = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1, 9, 8, 7, 6, 5, 4, 3, 2};

    private Seeds() {}

    static Stream<byte[]> frames() {
        return Stream.of(
                frame(MessageIds.HEARTBEAT, heartbeat()),
                frame(MessageIds.COMMAND_ACK, ack(CommandLong.LOGGING_START)),
                frame(MessageIds.LOGGING_DATA_ACKED, chunk(0, 0, LOG_BEGIN)),
                frame(MessageIds.LOGGING_DATA, chunk(1, 0, new byte[] {1, 0, 'S', 7})),
                frame(MessageIds.LOGGING_DATA, chunk(40_000, 255, new byte[249])),
                frame(MessageIds.SYSTEM_TIME, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
                frame(MessageIds.COMMAND_ACK, ack(CommandLong.LOGGING_STOP)),
                new byte[] {(byte) 0xFE, 9, 0, 1, 1, 0, 0, 0, 0, 0, 2, 12, 0, 4, 3, 0x11, 0x22});
    }

    /** All frames in one piece; each also cut, and joined to the next. */
    static Stream<byte[]> streams() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        frames().forEach(all::writeBytes);
        byte[] whole = all.toByteArray();
        byte[] noisy = whole.clone();
        for (int i = 5; i < noisy.length; i += 97) {
            noisy[i] ^= 0x55;
        }
        return Stream.concat(frames(), Stream.of(whole, noisy, Arrays.copyOf(whole, whole.length - 20)));
    }

    private static byte[] heartbeat() {
        byte[] payload = new byte[255];
        int length = new Heartbeat(2, Heartbeat.AUTOPILOT_PX4, 0, 0, 4).encodePayload(payload);
        return Arrays.copyOf(payload, length);
    }

    private static byte[] ack(int command) {
        return new byte[] {(byte) command, (byte) (command >> 8), 0, 0, 0, 0, 0, 0, 1, (byte) 191};
    }

    private static byte[] chunk(int sequence, int firstMessage, byte[] data) {
        byte[] payload = new byte[6 + data.length];
        payload[0] = (byte) sequence;
        payload[1] = (byte) (sequence >> 8);
        payload[2] = 1;
        payload[3] = (byte) 191;
        payload[4] = (byte) data.length;
        payload[5] = (byte) firstMessage;
        System.arraycopy(data, 0, payload, 6, data.length);
        return payload;
    }

    static byte[] frame(int messageId, byte[] payload) {
        return frame(1, 1, messageId, payload);
    }

    static byte[] frame(int systemId, int componentId, int messageId, byte[] payload) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(componentId).encode(systemId, messageId, payload, payload.length, frame, 0);
        return Arrays.copyOf(frame, length);
    }
}
