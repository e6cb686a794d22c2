package org.mavlogd.simulate.px4;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.mavlogd.bytes.LittleEndian;

/**
 * The 'M' messages that PX4 logs when it is disarmed and when the stream is stopped: its performance counters as text.
 * Immutable.
 */
final class PostFlight {
    private static final int LINE_LENGTH = 80;

    private final byte[] bytes;
    private final int start;
    private final int end;

    private PostFlight(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.start = start;
        this.end = end;
    }

    static PostFlight of(LogImage log, int size, long seed) {
        if (size == Px4Settings.POST_FLIGHT_OF_LOG) {
            return new PostFlight(log.bytes(), log.start(log.firstPostFlight()), log.length());
        }
        byte[] made = make(size, new Random(seed));
        return new PostFlight(made, 0, made.length);
    }

    /** Creates complete messages of exactly {@code size} bytes; none if not even one fits. */
    private static byte[] make(int size, Random random) {
        byte[] target = new byte[size];
        int position = 0;
        while (position < size) {
            int left = size - position;
            int length = headLength(LINE_LENGTH) + LINE_LENGTH;
            if (left < 2 * length) {
                length = left; // the last one takes the rest, so that the rest is never too small for a message
            }
            int valueLength = length - headLength(length);
            if (valueLength <= 0) {
                return new byte[0];
            }
            writeLine(target, position, length, valueLength, position > 0, random);
            position += length;
        }
        return target;
    }

    private static int headLength(int valueLength) {
        return LogImage.MESSAGE_HEADER_LENGTH + 2 + key(valueLength).length;
    }

    private static byte[] key(int valueLength) {
        return String.format("char[%03d] perf_counter_postflight", valueLength).getBytes(StandardCharsets.US_ASCII);
    }

    private static void writeLine(
            byte[] target, int position, int length, int valueLength, boolean isContinued, Random random) {
        byte[] key = key(valueLength);
        int size = length - LogImage.MESSAGE_HEADER_LENGTH;
        target[position] = (byte) size;
        target[position + 1] = (byte) (size >> 8);
        target[position + 2] = 'M';
        target[position + 3] = (byte) (isContinued ? 1 : 0);
        target[position + 4] = (byte) key.length;
        System.arraycopy(key, 0, target, position + 5, key.length);
        StringBuilder text = new StringBuilder("sim: cycle: ")
                .append(random.nextInt(1_000_000))
                .append(" events");
        while (text.length() < valueLength) {
            text.append(", ").append(random.nextInt(10_000)).append("us");
        }
        byte[] value = text.toString().getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(value, 0, target, position + 5 + key.length, valueLength);
    }

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** Length of the message at {@code position}. */
    int lengthAt(int position) {
        return LogImage.MESSAGE_HEADER_LENGTH + LittleEndian.uint16(bytes, position);
    }
}
