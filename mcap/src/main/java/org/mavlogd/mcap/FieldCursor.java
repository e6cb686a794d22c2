package org.mavlogd.mcap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the fields of a record in order. Each length is checked against the rest of the record before anything is
 * allocated; an {@link McapException} names record, position and field. Reused.
 */
final class FieldCursor {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NO_CHUNK = -1;

    private byte[] bytes = {};
    private int at;
    private int end;
    private int opcode;
    private long position;
    private long chunkPosition = NO_CHUNK;

    /** Reads the content of a record that starts at this position of the file. */
    void wrap(int recordOpcode, long recordPosition, byte[] content, int length) {
        opcode = recordOpcode;
        position = recordPosition;
        chunkPosition = NO_CHUNK;
        bytes = content;
        at = 0;
        end = length;
    }

    /**
     * Reads a record, including opcode and length, at {@code recordOffset} of the contents of the chunk at this
     * position.
     */
    void wrapInChunk(int recordOpcode, long chunkAt, byte[] records, int recordOffset, int recordsEnd) {
        opcode = recordOpcode;
        position = recordOffset;
        chunkPosition = chunkAt;
        bytes = records;
        at = recordOffset;
        end = recordsEnd;
    }

    /** Skips this number of bytes. */
    void skip(int count) {
        at += count;
    }

    /** Ends the record after this number of bytes. */
    void limit(int count) {
        end = at + count;
    }

    McapException failure(String what) {
        String place = chunkPosition == NO_CHUNK
                ? " at position " + position
                : " at offset " + position + " in the chunk at position " + chunkPosition;
        return new McapException(McapLayout.name(opcode) + place + ": " + what);
    }

    byte[] bytes() {
        return bytes;
    }

    int offset() {
        return at;
    }

    int remaining() {
        return end - at;
    }

    /** Position of the record in the file. */
    long position() {
        return position;
    }

    int uint8(String field) throws McapException {
        return bytes[take(field, 1)] & 0xFF;
    }

    int uint16(String field) throws McapException {
        int from = take(field, Short.BYTES);
        return (bytes[from] & 0xFF) | ((bytes[from + 1] & 0xFF) << 8);
    }

    long uint32(String field) throws McapException {
        return (int) INT.get(bytes, take(field, Integer.BYTES)) & 0xFFFF_FFFFL;
    }

    long int64(String field) throws McapException {
        return (long) LONG.get(bytes, take(field, Long.BYTES));
    }

    String string(String field) throws McapException {
        int length = length(field, uint32(field));
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    /** A copy of bytes after their length of 32 bits. */
    ByteBuffer blob(String field) throws McapException {
        int length = length(field, uint32(field));
        byte[] copy = new byte[length];
        System.arraycopy(bytes, at, copy, 0, length);
        at += length;
        return ByteBuffer.wrap(copy);
    }

    /** Reads a length of 64 bits of the bytes that follow. */
    int longLength(String field) throws McapException {
        return length(field, int64(field));
    }

    Map<String, String> texts(String field) throws McapException {
        int stop = stop(field);
        Map<String, String> map = new LinkedHashMap<>();
        while (at < stop) {
            map.put(string(field), string(field));
            checkEntries(field, map.size(), stop);
        }
        return Collections.unmodifiableMap(map);
    }

    Map<Integer, Long> numbersByChannel(String field) throws McapException {
        int stop = stop(field);
        Map<Integer, Long> map = new LinkedHashMap<>();
        while (at < stop) {
            map.put(uint16(field), int64(field));
            checkEntries(field, map.size(), stop);
        }
        return Collections.unmodifiableMap(map);
    }

    private int stop(String field) throws McapException {
        int length = length(field, uint32(field));
        return at + length;
    }

    private void checkEntries(String field, int entries, int stop) throws McapException {
        if (at > stop) {
            throw failure(field + ": the last entry ends " + (at - stop) + " bytes behind the map");
        }
        if (entries > McapLayout.MAX_MAP_ENTRIES) {
            throw failure(field + ": more than " + McapLayout.MAX_MAP_ENTRIES + " entries");
        }
    }

    private int length(String field, long length) throws McapException {
        if (length < 0 || length > remaining()) {
            throw failure(field + ": length " + Long.toUnsignedString(length) + " exceeds the " + remaining()
                    + " bytes left of the record");
        }
        return (int) length;
    }

    private int take(String field, int count) throws McapException {
        if (count > remaining()) {
            throw failure(field + " is missing: " + remaining() + " bytes left of the record");
        }
        int from = at;
        at += count;
        return from;
    }
}
