package org.mavlogd.dataflash;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds DataFlash logs in ArduPilot's layout. */
public final class DataFlashBuilder {
    private static final Map<Character, Integer> LENGTHS = new HashMap<>();

    static {
        String codes = "abBhHiIqQfdgnNZcCeELM";
        int[] lengths = {64, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2, 4, 16, 64, 2, 2, 4, 4, 4, 1};
        for (int i = 0; i < lengths.length; i++) {
            LENGTHS.put(codes.charAt(i), lengths[i]);
        }
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<String, String> formats = new HashMap<>();
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<Integer> starts = new ArrayList<>();

    /** Begins a log as ArduPilot does: FMT of itself, of FMTU, UNIT and MULT. */
    public static DataFlashBuilder aLog() {
        return new DataFlashBuilder()
                .fmt(128, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns")
                .fmt(116, "FMTU", "QBNN", "TimeUS,FmtType,UnitIds,MultIds")
                .fmt(117, "UNIT", "QbZ", "TimeUS,Id,Label")
                .fmt(118, "MULT", "Qbd", "TimeUS,Id,Mult");
    }

    public DataFlashBuilder fmt(int id, String name, String format, String labels) {
        int length =
                3 + format.chars().map(c -> LENGTHS.getOrDefault((char) c, 0)).sum();
        return fmt(id, length, name, format, labels);
    }

    /** Writes a declaration, which may contradict the records. */
    public DataFlashBuilder fmt(int id, int length, String name, String format, String labels) {
        formats.put(name, format);
        ids.put(name, id);
        ByteBuffer record = begin(128, 89);
        record.put((byte) id).put((byte) length);
        put(record, name, 4);
        put(record, format, 16);
        put(record, labels, 64);
        return end(record);
    }

    public DataFlashBuilder fmtu(String name, String units, String multipliers) {
        return record("FMTU", 0L, ids.getOrDefault(name, 0), units, multipliers);
    }

    DataFlashBuilder unit(char id, String label) {
        return record("UNIT", 0L, (int) id, label);
    }

    DataFlashBuilder mult(char id, double value) {
        return record("MULT", 0L, (int) id, value);
    }

    /** Writes a record of these values: whole numbers, doubles, texts, {@code short[]} and {@code byte[]}. */
    public DataFlashBuilder record(String name, Object... values) {
        String format = formats.getOrDefault(name, "");
        int length =
                3 + format.chars().map(c -> LENGTHS.getOrDefault((char) c, 0)).sum();
        ByteBuffer record = begin(ids.getOrDefault(name, 0), length);
        for (int i = 0; i < format.length(); i++) {
            put(record, format.charAt(i), values[i]);
        }
        return end(record);
    }

    public DataFlashBuilder bytes(byte[] bytes) {
        starts.add(out.size());
        out.writeBytes(bytes);
        return this;
    }

    /** Positions at which the records begin. */
    List<Integer> starts() {
        return starts;
    }

    public byte[] toByteArray() {
        return out.toByteArray();
    }

    private static ByteBuffer begin(int id, int length) {
        ByteBuffer record = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        return record.put((byte) 0xA3).put((byte) 0x95).put((byte) id);
    }

    private DataFlashBuilder end(ByteBuffer record) {
        byte[] bytes = new byte[record.capacity()];
        record.rewind().get(bytes);
        return bytes(bytes);
    }

    private static void put(ByteBuffer record, char format, Object value) {
        switch (format) {
            case 'a' -> {
                for (short element : (short[]) value) {
                    record.putShort(element);
                }
            }
            case 'f' -> record.putFloat(((Number) value).floatValue());
            case 'd' -> record.putDouble(((Number) value).doubleValue());
            case 'n', 'N', 'Z' -> {
                int length = LENGTHS.getOrDefault(format, 0);
                if (value instanceof byte[] bytes) {
                    record.put(bytes).put(new byte[length - bytes.length]);
                } else {
                    put(record, (String) value, length);
                }
            }
            default -> {
                long bits = ((Number) value).longValue();
                for (int i = 0; i < LENGTHS.getOrDefault(format, 0); i++) {
                    record.put((byte) (bits >> (8 * i)));
                }
            }
        }
    }

    private static void put(ByteBuffer record, String text, int length) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        record.put(bytes).put(new byte[length - bytes.length]);
    }
}
