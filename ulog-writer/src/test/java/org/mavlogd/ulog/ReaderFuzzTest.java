package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any log is read or refused, with the same result for any chunks. */
class ReaderFuzzTest {
    static Stream<byte[]> seeds() {
        return TestLogs.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void readsTheSameInAnyChunks(byte[] log) {
        String whole = Contents.of(log, log.length + 1).toString();

        int chunk = 1 + (Arrays.hashCode(log) & 0x3F);
        assertThat(Contents.of(log, chunk).toString()).as("chunks of %d", chunk).isEqualTo(whole);
    }
}
