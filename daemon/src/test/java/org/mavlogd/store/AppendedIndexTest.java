package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.SystemTests;
import org.mavlogd.metrics.Peak;
import org.mavlogd.store.StoredLog.Protection;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogAppender;

class AppendedIndexTest {
    private static final String NAME = "log.ulg";
    private static final CrashReport.Line LINE = new CrashReport.Line(LogLevel.ERROR, 1, "broken invariant");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Protection protection() throws IOException {
        FileDisk disk = new FileDisk(directory, new Peak());
        AppendedIndex index = new AppendedIndex(disk);
        index.beginRound(Set.of(NAME), 0);
        return index.protection(disk.list().get(0));
    }

    private Path log() throws IOException {
        return Files.write(directory.resolve(NAME), SystemTests.roverLog());
    }

    private void crash(CrashReport report) throws IOException {
        try (Disk.Access file = new FileDisk(directory, new Peak()).open(NAME)) {
            assertThat(CrashSection.append(file, report, Optional.empty(), 0)).isPositive();
        }
    }

    @Test
    void nothingIsAppendedToAnOrdinaryLog() throws IOException {
        log();

        assertThat(protection()).isEqualTo(Protection.NONE);
    }

    @Test
    void recordersOwnCrashDataIsToldFromWhatSomebodyAppended() throws IOException {
        log();
        crash(new CrashReport("", List.of(LINE)));
        assertThat(protection()).isEqualTo(Protection.CRASHED);
        log();
        crash(new CrashReport(CrashReport.RECORDER_CRASHED + "; hs_err_pid1.log:\n# SIGSEGV", List.of(LINE)));
        assertThat(protection()).isEqualTo(Protection.CRASHED);
        log();
        crash(new CrashReport(CrashReport.COMPUTER_CRASHED + "; dmesg-1:\nOops", List.of()));
        assertThat(protection()).isEqualTo(Protection.CRASHED);

        new ULogAppender()
                .loggedString(LogLevel.INFO, 1, "propeller 3 was chipped")
                .appendTo(directory.resolve(NAME));
        assertThat(protection()).isEqualTo(Protection.APPENDED);
        Path remarked = log();
        new ULogAppender()
                .loggedString(LogLevel.INFO, 1, "propeller 3 was chipped")
                .appendTo(remarked);
        assertThat(protection()).isEqualTo(Protection.APPENDED);
        Path vehicles = log();
        new ULogAppender().crashText("hard fault in task logger").appendTo(vehicles);
        assertThat(protection()).isEqualTo(Protection.APPENDED);
    }
}
