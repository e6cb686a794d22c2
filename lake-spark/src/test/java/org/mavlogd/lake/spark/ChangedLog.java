package org.mavlogd.lake.spark;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A real log of PX4 changed to that of another vehicle at another time: the same bytes except for identity, times since
 * boot, and UTC.
 */
final class ChangedLog {
    private static final int HEADER_BYTES = 16;
    private static final Map<String, Integer> SIZES = Map.ofEntries(
            Map.entry("int8_t", 1),
            Map.entry("uint8_t", 1),
            Map.entry("bool", 1),
            Map.entry("char", 1),
            Map.entry("int16_t", 2),
            Map.entry("uint16_t", 2),
            Map.entry("int32_t", 4),
            Map.entry("uint32_t", 4),
            Map.entry("float", 4),
            Map.entry("int64_t", 8),
            Map.entry("uint64_t", 8),
            Map.entry("double", 8));

    private final ByteBuffer log;
    private final String identity;
    private final long shiftUs;
    private final long shiftUtcUs;
    private final Map<String, Integer> utcOffsets = new HashMap<>();
    private final Map<Integer, Integer> utcOffsetsById = new HashMap<>();

    private ChangedLog(byte[] log, int number) {
        this.log = ByteBuffer.wrap(log.clone()).order(ByteOrder.LITTLE_ENDIAN);
        this.identity = String.format("%016x", 0x5eed_0000_0000L + number % 200);
        this.shiftUs = number * 1000L;
        this.shiftUtcUs = (number % 30) * 86_400_000_000L;
    }

    /** @param number of the log: the logs belong to two hundred vehicles in turn, on thirty days */
    static byte[] of(byte[] log, int number) {
        ChangedLog changed = new ChangedLog(log, number);
        changed.change();
        return changed.log.array();
    }

    private void change() {
        add(8, shiftUs);
        int at = HEADER_BYTES;
        while (at + 3 <= log.limit()) {
            int size = log.getShort(at) & 0xffff;
            if (at + 3 + size > log.limit()) {
                return;
            }
            change((char) log.get(at + 2), at + 3, size);
            at += 3 + size;
        }
    }

    private void change(char type, int at, int size) {
        switch (type) {
            case 'I' -> identify(at, size);
            case 'F' -> noteUtc(text(at, size));
            case 'A' -> {
                Integer offset = utcOffsets.get(text(at + 3, size - 3));
                if (offset != null) {
                    utcOffsetsById.put(log.getShort(at + 1) & 0xffff, offset);
                }
            }
            case 'D' -> {
                add(at + 2, shiftUs);
                Integer offset = utcOffsetsById.get(log.getShort(at) & 0xffff);
                if (offset != null && log.getLong(at + 2 + offset) > 0) {
                    add(at + 2 + offset, shiftUtcUs);
                }
            }
            case 'L' -> add(at + 1, shiftUs);
            case 'C' -> add(at + 3, shiftUs);
            default -> {}
        }
    }

    private void identify(int at, int size) {
        int keyLength = log.get(at) & 0xff;
        String key = text(at + 1, keyLength);
        int length = size - 1 - keyLength;
        if (key.endsWith(" sys_uuid") && length >= identity.length()) {
            byte[] bytes = identity.getBytes(StandardCharsets.US_ASCII);
            log.put(at + 1 + keyLength + length - bytes.length, bytes);
        }
    }

    /** Notes the offset of UTC in a topic's samples, if only plain fields precede it. */
    private void noteUtc(String format) {
        int offset = 0;
        for (String field : format.substring(format.indexOf(':') + 1).split(";", -1)) {
            String[] parts = field.split("[ \\[\\]]+", -1);
            if (field.equals("uint64_t time_utc_usec")) {
                utcOffsets.put(format.substring(0, format.indexOf(':')), offset);
            }
            Integer size = SIZES.get(parts[0]);
            if (size == null) {
                return;
            }
            offset += size * (field.contains("[") ? Integer.parseInt(parts[1]) : 1);
        }
    }

    private String text(int at, int length) {
        return new String(log.array(), at, length, StandardCharsets.UTF_8);
    }

    private void add(int at, long value) {
        log.putLong(at, log.getLong(at) + value);
    }
}
