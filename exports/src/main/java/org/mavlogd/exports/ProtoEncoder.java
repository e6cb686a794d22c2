package org.mavlogd.exports;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes protobuf messages, proto3, into a growing buffer. Scalars with their default value are omitted. Reused; after
 * the buffer has grown, only strings allocate.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Protocol Buffers, "Encoding"</a>
 */
final class ProtoEncoder {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED32 = 5;
    private static final int MAX_VARINT_BYTES = 10;

    private byte[] bytes = new byte[1024];
    private int length;

    void clear() {
        length = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    /** Writes a value of an integer type, bool or enum. */
    void integer(int field, long value) {
        if (value != 0) {
            present(field, value);
        }
    }

    /** Writes an integer, even if it is 0. */
    void present(int field, long value) {
        tag(field, VARINT);
        varint(value);
    }

    void float32(int field, float value) {
        if (Float.floatToRawIntBits(value) != 0) {
            tag(field, FIXED32);
            float32(value);
        }
    }

    void float64(int field, double value) {
        if (Double.doubleToRawLongBits(value) != 0) {
            tag(field, FIXED64);
            float64(value);
        }
    }

    void string(int field, String text) {
        if (!text.isEmpty()) {
            raw(field, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Writes an encoded message. */
    void raw(int field, byte[] message) {
        tag(field, DELIMITED);
        varint(message.length);
        ensure(message.length);
        System.arraycopy(message, 0, bytes, length, message.length);
        length += message.length;
    }

    /** Starts a nested message or packed elements; pass the result to {@link #end}. */
    int begin(int field) {
        tag(field, DELIMITED);
        ensure(1);
        length++;
        return length;
    }

    /** Inserts the length before the content, which is moved if the length takes more than one byte. */
    void end(int start) {
        int size = length - start;
        int more = varintBytes(size) - 1;
        if (more > 0) {
            ensure(more);
            System.arraycopy(bytes, start, bytes, start + more, size);
        }
        length = start - 1;
        varint(size);
        length += size;
    }

    void varint(long value) {
        ensure(MAX_VARINT_BYTES);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    void float32(float value) {
        ensure(Float.BYTES);
        INT.set(bytes, length, Float.floatToRawIntBits(value));
        length += Float.BYTES;
    }

    void float64(double value) {
        ensure(Double.BYTES);
        LONG.set(bytes, length, Double.doubleToRawLongBits(value));
        length += Double.BYTES;
    }

    private void tag(int field, int wireType) {
        varint(((long) field << 3) | wireType);
    }

    private static int varintBytes(int value) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
    }

    private void ensure(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, bytes.length * 2));
        }
    }
}
