package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.SystemTests;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogAppender;

class AppendedIndexTest {
    private static final String NAME = "log.ulg";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Protection protection() throws IOException {
        FileDisk disk = new FileDisk(directory);
        AppendedIndex index = new AppendedIndex(disk);
        index.beginRound(Set.of(NAME), 0);
        return index.protection(disk.list().get(0));
    }

    private Path log() throws IOException {
        return Files.write(directory.resolve(NAME), SystemTests.roverLog());
    }

    private void crash(ULogAppender section) throws IOException {
        section.appendTo(log());
    }

    @Test
    void nothingIsAppendedToAnOrdinaryLog() throws IOException {
        log();

        assertThat(protection()).isEqualTo(Protection.NONE);
    }

    @Test
    void recordersOwnCrashDataIsToldFromWhatSomebodyAppended() throws IOException {
        crash(new ULogAppender().loggedString(LogLevel.ERROR, 1, CrashTexts.LINE + "broken invariant"));
        assertThat(protection()).isEqualTo(Protection.CRASHED);
        crash(new ULogAppender().crashText(CrashTexts.RECORDER_CRASHED + "; hs_err_pid1.log:\n# SIGSEGV"));
        assertThat(protection()).isEqualTo(Protection.CRASHED);
        crash(new ULogAppender().crashText(CrashTexts.COMPUTER_CRASHED + "; dmesg-1:\nOops"));
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
