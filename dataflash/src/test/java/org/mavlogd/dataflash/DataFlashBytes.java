package org.mavlogd.dataflash;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Makes DataFlash logs from a seed: formats first, then messages of different lengths with increasing times. */
public final class DataFlashBytes {
    private static final int FMT = 128;
    private static final int TYPES = 5;
    private static final int MAX_EXTRA = 200;

    private DataFlashBytes() {}

    /** A log of about {@code bytes} bytes, with {@code bytesPerSecond} bytes in each second. */
    public static byte[] make(long seed, int bytes, int bytesPerSecond) {
        Random random = new Random(seed);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        format(log, FMT, 89, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns");
        int[] lengths = new int[TYPES];
        for (int type = 0; type < TYPES; type++) {
            lengths[type] = 11 + random.nextInt(MAX_EXTRA);
            format(log, type + 1, lengths[type], "T" + type, "QZ", "TimeUS,Text");
            // As in ArduPilot's logs, the first block contains the first time, so that logs differ from the start.
            message(log, random, type, lengths[type], bytesPerSecond);
        }
        while (log.size() < bytes) {
            int type = random.nextInt(TYPES);
            message(log, random, type, lengths[type], bytesPerSecond);
        }
        return log.toByteArray();
    }

    private static void message(ByteArrayOutputStream log, Random random, int type, int length, int bytesPerSecond) {
        ByteBuffer message = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        message.put((byte) 0xA3).put((byte) 0x95).put((byte) (type + 1));
        message.putLong(1_000_000 + log.size() * 1_000_000L / bytesPerSecond);
        byte[] text = new byte[message.remaining()];
        // Sometimes with zeros at the end, which MAVLink 2 omits.
        for (int i = 0; i < text.length - random.nextInt(text.length + 1); i++) {
            text[i] = (byte) (1 + random.nextInt(120));
        }
        log.writeBytes(message.put(text).array());
    }

    private static void format(
            ByteArrayOutputStream log, int type, int length, String name, String format, String labels) {
        ByteBuffer message = ByteBuffer.allocate(89);
        message.put((byte) 0xA3)
                .put((byte) 0x95)
                .put((byte) FMT)
                .put((byte) type)
                .put((byte) length);
        text(message, name, 4);
        text(message, format, 16);
        text(message, labels, 64);
        log.writeBytes(message.array());
    }

    private static void text(ByteBuffer message, String text, int length) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        message.put(bytes).position(message.position() + length - bytes.length);
    }
}
