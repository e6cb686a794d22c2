package org.mavlogd.faults;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The longest start of an ArduPilot's log: a format for each possible type, each with the most columns, a unit and a
 * multiplier for each id, the units of each format, and then parameters without end. The definitions are in the log's
 * own first records, as ArduPilot writes them.
 */
final class ForgedDataFlash {
    private static final int FMT = 0x80;
    private static final int PARM = 64;
    private static final int UNIT = 65;
    private static final int MULT = 66;
    private static final int FMTU = 67;
    private static final int TYPES = 255;
    private static final int LONGEST = 89;
    private static final int TIME_US = 1;

    private final ByteBuffer record = ByteBuffer.allocate(LONGEST).order(ByteOrder.LITTLE_ENDIAN);
    private int next;

    ForgedDataFlash() {
        record.limit(0);
    }

    /** The next bytes of the log. */
    void take(byte[] target, int offset, int count) {
        int at = offset;
        int end = offset + count;
        while (at < end) {
            if (!record.hasRemaining()) {
                make(next++);
            }
            int part = Math.min(record.remaining(), end - at);
            record.get(target, at, part);
            at += part;
        }
    }

    private void make(int number) {
        record.clear();
        int section = number / TYPES;
        int type = number % TYPES;
        switch (section) {
            case 0 -> format(type);
            case 1 -> {
                begin(UNIT).put((byte) type);
                text(String.format(Locale.ROOT, "unit %059d", type), 64);
            }
            case 2 -> begin(MULT).put((byte) type).putDouble(type + 1);
            case 3 -> {
                begin(FMTU).put((byte) type);
                text("s---------------", 16);
                text("F---------------", 16);
            }
            default -> {
                begin(PARM);
                text(String.format(Locale.ROOT, "P%015d", number), 16);
                record.putFloat(number).putFloat(0);
            }
        }
        record.flip();
    }

    private ByteBuffer begin(int type) {
        return header(type).putLong(TIME_US);
    }

    private ByteBuffer header(int type) {
        return record.put((byte) 0xA3).put((byte) 0x95).put((byte) type);
    }

    /** The format of formats comes first, then those of the other definitions, then all others. */
    private void format(int number) {
        switch (number) {
            case 0 -> format(FMT, 89, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns");
            case 1 -> format(PARM, 35, "PARM", "QNff", "TimeUS,Name,Value,Default");
            case 2 -> format(UNIT, 76, "UNIT", "QbZ", "TimeUS,Id,Label");
            case 3 -> format(MULT, 20, "MULT", "Qbd", "TimeUS,Id,Mult");
            case 4 -> format(FMTU, 44, "FMTU", "QBNN", "TimeUS,FmtType,UnitIds,MultIds");
            default -> {
                int type = otherType(number - 5);
                format(
                        type,
                        3 + 8 + 15,
                        String.format(Locale.ROOT, "T%03d", type),
                        "QBBBBBBBBBBBBBBB",
                        "TimeUS,aa1,aa2,aa3,aa4,aa5,aa6,aa7,aa8,aa9,ab1,ab2,ab3,ab4,ab5");
            }
        }
    }

    /** The types from 1 to 255 but those of the definitions. */
    private static int otherType(int index) {
        if (index < PARM - 1) {
            return 1 + index;
        }
        int behind = index - (PARM - 1) + FMTU + 1;
        return behind < FMT ? behind : behind + 1;
    }

    private void format(int type, int length, String name, String fields, String columns) {
        header(FMT).put((byte) type).put((byte) length);
        text(name, 4);
        text(fields, 16);
        text(columns, 64);
    }

    private void text(String text, int length) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        record.put(bytes, 0, Math.min(bytes.length, length));
        record.put(new byte[Math.max(0, length - bytes.length)]);
    }
}
