package org.mavlogd.mcap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Encodes records into a growing buffer. The caller bounds the amount of data. Reused. */
final class RecordEncoder {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[256];
    private int length;

    void clear() {
        length = 0;
    }

    int length() {
        return length;
    }

    byte[] bytes() {
        return bytes;
    }

    /** The encoded bytes; valid until more are added. */
    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /** Starts a record; pass the result to {@link #end}. */
    int begin(int opcode) {
        int start = length;
        uint8(opcode);
        int64(0);
        return start;
    }

    void end(int start) {
        end(start, 0);
    }

    /** Ends a record of which {@code following} more bytes are written elsewhere. */
    void end(int start, long following) {
        LONG.set(bytes, start + 1, (long) length - start - McapLayout.RECORD_HEADER_BYTES + following);
    }

    void uint8(int value) {
        int at = room(1);
        bytes[at] = (byte) value;
    }

    void uint16(int value) {
        int at = room(Short.BYTES);
        SHORT.set(bytes, at, (short) value);
    }

    void uint32(long value) {
        int at = room(Integer.BYTES);
        INT.set(bytes, at, (int) value);
    }

    void int64(long value) {
        int at = room(Long.BYTES);
        LONG.set(bytes, at, value);
    }

    void string(String text) {
        blob(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes after their length of 32 bits. */
    void blob(byte[] blob) {
        uint32(blob.length);
        raw(blob, 0, blob.length);
    }

    void raw(byte[] source, int offset, int count) {
        int at = room(count);
        System.arraycopy(source, offset, bytes, at, count);
    }

    void texts(Map<String, String> map) {
        int start = beginLength();
        map.forEach((key, value) -> {
            string(key);
            string(value);
        });
        endLength(start);
    }

    /** Reserves a length of 32 bits; pass the result to {@link #endLength}. */
    int beginLength() {
        uint32(0);
        return length;
    }

    void endLength(int start) {
        INT.set(bytes, start - Integer.BYTES, length - start);
    }

    private int room(int count) {
        int at = length;
        int end = Math.addExact(at, count);
        if (end > bytes.length) {
            // Grow by half: twice the size of a chunk would not fit into a small heap.
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, bytes.length * 3L / 2)));
        }
        length = end;
        return at;
    }
}
