package org.mavlogd.page.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.series.SeriesStore.NotWanted;

class SpoolTest {
    private static final long MAX_BYTES = 1000;

    @TempDir
    private Path directory;

    private Spool spool() {
        return new Spool(directory.resolve("exports"), MAX_BYTES);
    }

    private static void write(Spool.Place place, int bytes) throws IOException {
        place.fill(() -> Files.write(place.directory().resolve("file" + bytes), new byte[bytes]));
    }

    @Test
    void filesAreThereUntilTheyAreClosed() throws IOException {
        Spool spool = spool();
        Path place;
        try (Spool.Place open = spool.open(() -> true)) {
            place = open.directory();
            write(open, 7);
            write(open, 5);

            assertThat(open.files()).containsExactly(place.resolve("file5"), place.resolve("file7"));
        }
        assertThat(place).doesNotExist();
    }

    @Test
    void allTogetherAreBounded() throws IOException {
        Spool spool = spool();
        try (Spool.Place first = spool.open(() -> true)) {
            write(first, 600);
            try (Spool.Place second = spool.open(() -> true)) {
                assertThatThrownBy(() -> write(second, 401))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("more than");
            }
            try (Spool.Place third = spool.open(() -> true)) {
                write(third, 400);
            }
        }
        try (Spool.Place last = spool.open(() -> true)) {
            write(last, 1000);
        }
    }

    @Test
    void whatAnEndedProcessLeftIsDeletedAndNothingElse() throws IOException {
        Path exports = Files.createDirectories(directory.resolve("exports"));
        Path left = Files.createDirectory(exports.resolve("999999999-1"));
        Files.write(left.resolve("a.csv"), new byte[3]);
        long living = ProcessHandle.allProcesses()
                .mapToLong(ProcessHandle::pid)
                .filter(pid -> pid != ProcessHandle.current().pid())
                .findFirst()
                .orElseThrow();
        Path used = Files.createDirectory(exports.resolve(living + "-1"));
        Path other = Files.createDirectory(exports.resolve("other"));

        spool();

        assertThat(left).doesNotExist();
        assertThat(used).exists();
        assertThat(other).exists();
    }

    @Test
    void oneIsFilledAtATimeAndWhoIsGoneDoesNotWait() throws IOException {
        Spool spool = spool();
        AtomicBoolean isRun = new AtomicBoolean();
        try (Spool.Place first = spool.open(() -> true);
                Spool.Place second = spool.open(() -> false)) {
            first.fill(() ->
                    assertThatThrownBy(() -> second.fill(() -> isRun.set(true))).isInstanceOf(NotWanted.class));

            assertThat(isRun).isFalse();
        }
    }
}
