package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timestamps of 8, 16 and 32 bits, as version 0 allows them. */
class SmallTimestampsTest {
    private final ByteBuffer log = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    private final List<Long> written = new ArrayList<>();

    @Test
    void wrapsOf16BitsAreCounted() {
        start(5_000_000, "uint16_t timestamp;");
        for (long us = 5_000_100; us < 6_000_000; us += 9_000) {
            sample16(us);
        }

        assertThat(times()).isEqualTo(written);
    }

    @Test
    void eightBitsAreMilliseconds() {
        start(5_000_000, "uint8_t timestamp;");
        for (long ms = 5_000; ms < 7_000; ms += 50) {
            MessageEncoder.data(log, 0, new byte[] {(byte) ms}, 0, 1);
            written.add(ms * 1000);
        }

        assertThat(times()).isEqualTo(written);
    }

    @Test
    void dropoutsMoveTheClock() {
        start(0, "uint16_t timestamp;");
        sample16(1_000);
        MessageEncoder.dropouts(log, 700);
        sample16(701_000);
        sample16(702_000);

        assertThat(times()).isEqualTo(written);
    }

    @Test
    void aFullClockOfAnotherTopicLeads() {
        start(0, "uint16_t timestamp;");
        MessageEncoder.format(log, "wide:uint64_t timestamp;");
        MessageEncoder.subscription(log, 0, 1, "wide");
        for (long us = 1_000; us < 4_000_000; us += 500_000) {
            byte[] wide = new byte[8];
            Bytes.putInt64(wide, 0, us);
            MessageEncoder.data(log, 1, wide, 0, 8);
            sample16(us + 20);
        }

        assertThat(times()).isEqualTo(written);
    }

    private void start(long startUs, String fields) {
        MessageEncoder.header(log, startUs);
        log.put(ULogLayout.VERSION_OFFSET, (byte) 0);
        MessageEncoder.format(log, "t:" + fields);
        MessageEncoder.subscription(log, 0, 0, "t");
    }

    private void sample16(long us) {
        byte[] fields = new byte[2];
        Bytes.putInt16(fields, 0, (int) us);
        MessageEncoder.data(log, 0, fields, 0, 2);
        written.add(us);
    }

    private List<Long> times() {
        byte[] bytes = new byte[log.position()];
        log.get(0, bytes);
        return Contents.at(Contents.of(bytes, 1).times, "t:0");
    }
}
