package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mavlogd.app.SystemTests;
import org.mavlogd.store.CrashTexts;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.ulog.LogLevel;

/**
 * Retention may delete a log with crash data like any other, so each section must show that the recorder appended it.
 */
class CrashSectionTest {
    private static final String NAME = "log.ulg";
    // A message's header, the key of its value and the start of the text: all that retention reads.
    private static final int LOOK_BYTES = 256;
    private static final CrashReport.Line LINE = new CrashReport.Line(LogLevel.ERROR, 1, "broken invariant");

    private static ByteBuffer startOf(CrashReport report) throws IOException {
        byte[] log = SystemTests.roverLog();
        FakeDisk disk = new FakeDisk();
        disk.put(NAME, log);
        ByteBuffer start = ByteBuffer.allocate(LOOK_BYTES);
        try (Disk.Access file = disk.open(NAME)) {
            assertThat(LogCompleter.CrashSection.append(file, report, Optional.empty(), 0))
                    .isPositive();
            file.read(log.length, start);
        }
        return start.flip();
    }

    @Test
    void eachSectionShowsThatTheRecorderAppendedIt() throws IOException {
        String recorder = CrashTexts.RECORDER_CRASHED + "; hs_err_pid1.log:\n# SIGSEGV";
        String computer = CrashTexts.COMPUTER_CRASHED + "; dmesg-1:\nOops";

        assertThat(CrashTexts.isIn(startOf(new CrashReport("", List.of(LINE))))).isTrue();
        assertThat(CrashTexts.isIn(startOf(new CrashReport(recorder, List.of(LINE)))))
                .isTrue();
        assertThat(CrashTexts.isIn(startOf(new CrashReport(computer, List.of()))))
                .isTrue();
        assertThat(CrashTexts.isIn(startOf(new CrashReport("hard fault in task logger", List.of()))))
                .isFalse();
    }
}
