package org.mavlogd.whole;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.MessageEncoder;

/**
 * A small log made from a seed, with all elements of a PX4 stream, including topics that appear late, and long
 * messages.
 */
public final class SyntheticLog {
    private static final int CAPACITY = 1 << 20;
    private static final long START_US = 5_000_000;
    private static final int LONGEST_FIELD = 3000;

    private final Random random;
    private final ByteBuffer out = ByteBuffer.allocate(CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
    private final int[] topicLengths;
    private long timeUs = START_US;

    private SyntheticLog(long seed) {
        random = new Random(seed);
        topicLengths = new int[3 + random.nextInt(5)];
        for (int i = 0; i < topicLengths.length; i++) {
            topicLengths[i] = random.nextInt(10) == 0 ? random.nextInt(LONGEST_FIELD) : random.nextInt(120);
        }
    }

    /** A log with about {@code dataBytes} of data section. */
    public static byte[] make(long seed, int dataBytes) {
        SyntheticLog log = new SyntheticLog(seed);
        log.definitions();
        log.data(dataBytes);
        return Arrays.copyOf(log.out.array(), log.out.position());
    }

    private void definitions() {
        MessageEncoder.header(out, START_US);
        MessageEncoder.flagBits(out, 1);
        MessageEncoder.infoText(out, "sys_name", "PX4");
        for (int i = 0; i < topicLengths.length; i++) {
            MessageEncoder.format(
                    out, "topic" + i + ":uint64_t timestamp;uint8_t[" + (topicLengths[i] + 1) + "] bytes;");
        }
        for (int i = 0; i < 40; i++) {
            MessageEncoder.parameterInt32(out, "P_" + i, random.nextInt());
        }
        for (int i = 0; i < topicLengths.length - 1; i++) {
            MessageEncoder.subscription(out, 0, i, "topic" + i);
        }
    }

    private void data(int dataBytes) {
        int end = out.position() + dataBytes;
        int late = out.position() + random.nextInt(dataBytes);
        boolean lateDone = false;
        int last = topicLengths.length - 1;
        while (out.position() < end) {
            timeUs += random.nextInt(4000);
            if (!lateDone && out.position() >= late) {
                MessageEncoder.subscription(out, 0, last, "topic" + last);
                lateDone = true;
            }
            switch (random.nextInt(40)) {
                case 0 -> MessageEncoder.sync(out);
                case 1 ->
                    MessageEncoder.loggedString(out, LogLevel.INFO, timeUs, "something happened " + random.nextInt());
                case 2 -> MessageEncoder.parameterFloat(out, "P_CHANGED", random.nextFloat());
                default -> sample(random.nextInt(lateDone ? last + 1 : last));
            }
        }
    }

    private void sample(int topic) {
        byte[] fields = new byte[Long.BYTES + topicLengths[topic] + 1];
        random.nextBytes(fields);
        ByteBuffer.wrap(fields).order(ByteOrder.LITTLE_ENDIAN).putLong(0, timeUs);
        MessageEncoder.data(out, topic, fields, 0, fields.length);
    }
}
