package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** A section is appended to any log and read back, even after a crash while appending, or it is refused. */
class AppendFuzzTest {
    private static final String TEXT = "appended after the crash";

    static Stream<byte[]> seeds() {
        return TestLogs.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void appendsOrRefuses(byte[] log) throws IOException {
        ULogAppender section = new ULogAppender().loggedString(LogLevel.ERROR, 1, TEXT);
        FailingFile crashed = FailingFile.withoutPowerAfter(log, Arrays.hashCode(log) & 0x3F);
        try {
            section.appendTo(crashed);
        } catch (ULogException refused) {
            assertThat(crashed.bytes()).isEqualTo(log);
            return;
        } catch (IOException lost) {
            assertThat(lost).hasMessage("power lost");
        }

        // The slot that the crash left unfinished may be the last one.
        FailingFile again = FailingFile.never(crashed.bytes());
        try {
            section.appendTo(again);
        } catch (ULogException used) {
            assertThat(used).hasMessageContaining("all three");
            return;
        }
        Contents contents = Contents.of(again.bytes(), 4096);
        if (contents.refused.isEmpty()) {
            assertThat(contents.texts).extracting(LoggedText::text).contains(TEXT);
        }
    }
}
