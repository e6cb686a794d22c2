package org.mavlogd.mavlink;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Builds valid and invalid frames independently of the code under test. */
final class FrameBytes {
    /** An id that no dialect has. */
    static final int UNKNOWN_ID = 60_999;

    private final boolean v2;
    private final int id;
    private byte[] payload = new byte[0];
    private int crcExtra;
    private int flags;
    private int sequence;
    private int system = 1;
    private int component = 1;
    private byte[] signature = new byte[0];

    private FrameBytes(boolean v2, int id) {
        this.v2 = v2;
        this.id = id;
        crcExtra = MessageTable.standard().isKnown(id) ? MessageTable.standard().crcExtra(id) : 77;
    }

    static FrameBytes v1(int id) {
        return new FrameBytes(false, id);
    }

    static FrameBytes v2(int id) {
        return new FrameBytes(true, id);
    }

    static byte[] heartbeat(int sequence) {
        return v2(MessageIds.HEARTBEAT)
                .sequence(sequence)
                .payload(0, 0, 0, 0, 10, 12, 0x81, 4, 3)
                .bytes();
    }

    /** A frame of 267 bytes, 280 with signature. */
    static FrameBytes logChunk(int sequence) {
        byte[] payload = new byte[255];
        for (int index = 0; index < payload.length; index++) {
            payload[index] = (byte) (index * 7 + 1);
        }
        payload[0] = (byte) sequence;
        payload[1] = (byte) (sequence >>> 8);
        return v2(MessageIds.LOGGING_DATA).sequence(sequence).payload(payload);
    }

    FrameBytes payload(int... bytes) {
        payload = new byte[bytes.length];
        for (int index = 0; index < bytes.length; index++) {
            payload[index] = (byte) bytes[index];
        }
        return this;
    }

    FrameBytes payload(byte[] bytes) {
        payload = bytes.clone();
        return this;
    }

    FrameBytes crcExtra(int value) {
        crcExtra = value;
        return this;
    }

    FrameBytes flags(int value) {
        flags = value;
        return this;
    }

    FrameBytes sequence(int value) {
        sequence = value;
        return this;
    }

    FrameBytes from(int systemId, int componentId) {
        system = systemId;
        component = componentId;
        return this;
    }

    FrameBytes signed(int linkId, long timestamp, byte... hash) {
        signature = new byte[13];
        signature[0] = (byte) linkId;
        for (int index = 0; index < 6; index++) {
            signature[1 + index] = (byte) (timestamp >>> (8 * index));
            signature[7 + index] = hash[index];
        }
        return flags(flags | 1);
    }

    FrameBytes signed() {
        return signed(3, 0x0000_1234_5678L, new byte[] {11, 12, 13, 14, 15, 16});
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] header = v2
                ? new int[] {0xFD, payload.length, flags, 0, sequence, system, component, id, id >>> 8, id >>> 16}
                : new int[] {0xFE, payload.length, sequence, system, component, id};
        for (int value : header) {
            out.write(value);
        }
        out.writeBytes(payload);
        int crc = crc(out.toByteArray(), crcExtra);
        out.write(crc);
        out.write(crc >>> 8);
        out.writeBytes(signature);
        return out.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] cut(byte[] bytes, int length) {
        return Arrays.copyOf(bytes, length);
    }

    static byte[] zeros(int length) {
        return new byte[length];
    }

    /** Computes the checksum bit by bit, as its definition does. */
    private static int crc(byte[] frame, int extra) {
        int crc = 0xFFFF;
        for (int index = 1; index <= frame.length; index++) {
            crc ^= (index < frame.length ? frame[index] : extra) & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
            }
        }
        return crc;
    }
}
