package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class GrowingLogTest {
    private static final int STEP_US = 1000;
    private static final int CHUNK_BYTES = 1000;
    /** A message is passed on after the next one is checked; only a few may be held back. */
    private static final long MAX_BEHIND_BYTES = 5000;

    @Test
    void whatWasFedIsGivenAtOnceHoweverLongTheLogIs() throws IOException {
        byte[] log = logOf(60_000);
        long[] given = {0};
        ULogReader[] reader = {null};
        reader[0] = new ULogReader(new ULogHandler() {
            @Override
            public void onSample(SampleView sample) {
                given[0] = reader[0].messagePosition();
            }
        });

        for (int fed = 0; fed < log.length; ) {
            int length = Math.min(CHUNK_BYTES, log.length - fed);
            reader[0].feed(log, fed, length);
            fed += length;
            assertThat(fed - given[0]).as("bytes not given yet of %d", fed).isLessThan(MAX_BEHIND_BYTES);
        }
        assertThat(log.length).isGreaterThan(4 * ScanWindow.CAPACITY);
    }

    private static byte[] logOf(int samples) throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, 0, WriterSettings.DEFAULT)) {
            log.format(TopicFormat.parse("cpu:uint64_t timestamp;float[4] load;"));
            TopicWriter cpu = log.subscribe("cpu", 0);
            for (int i = 0; i < samples; i++) {
                cpu.begin((long) i * STEP_US).write();
            }
        }
        return sink.toByteArray();
    }
}
