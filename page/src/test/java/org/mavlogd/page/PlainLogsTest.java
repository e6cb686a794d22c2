package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.store.LogKind;

/** Converted copies of logs that are not plain ULogs, in a directory of the page. */
class PlainLogsTest {
    private static final long MAX_BYTES = 1 << 30;

    @TempDir
    private Path directory;

    private Entry zipped(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(PageFixture.log().bytes());
        }
        Path file = Files.write(directory.resolve(name), bytes.toByteArray());
        return new Entry(name, file, bytes.size(), 1, LogKind.ULG, State.FINISHED, false);
    }

    private Path copies() {
        return directory.resolve("copies");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(copies())) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    @Test
    void aCopyLeavesTheRecorderItsSpace() throws IOException {
        new PlainLogs(copies(), MAX_BYTES, 0).plain(zipped("old.ulg.gz"), () -> true);
        assertThat(names()).hasSize(1);
        PlainLogs logs = new PlainLogs(copies(), MAX_BYTES, Long.MAX_VALUE);
        Entry log = zipped("new.ulg.gz");

        assertThatThrownBy(() -> logs.plain(log, () -> true))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("would be left on the disk");

        assertThat(names()).isEmpty();
    }

    /** Readers keep their indexes of a copy as long as it does not change. */
    @Test
    void useDoesNotChangeACopyAndTheLeastRecentlyUsedGoesFirst() throws IOException {
        PlainLogs logs = new PlainLogs(copies(), MAX_BYTES, 0);
        Path first = logs.plain(zipped("a.ulg.gz"), () -> true).file();
        Path second = logs.plain(zipped("b.ulg.gz"), () -> true).file();
        FileTime changed = FileTime.fromMillis(1000);
        for (Path copy : List.of(first, second)) {
            Files.getFileAttributeView(copy, BasicFileAttributeView.class).setTimes(changed, changed, null);
        }

        assertThat(logs.plain(zipped("a.ulg.gz"), () -> true).file()).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(changed);

        new PlainLogs(copies(), 2 * Files.size(first), 0).plain(zipped("c.ulg.gz"), () -> true);
        assertThat(second).doesNotExist();
        assertThat(first).exists();
    }

    @Test
    void whatAKilledPageLeftIsDeletedButNotWhatAnotherPageWrites() throws IOException {
        Files.createDirectories(copies());
        Path left = Files.createFile(copies().resolve("0123456789abcdef0123456789abcdef.making"));
        Files.setLastModifiedTime(left, FileTime.fromMillis(System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1)));
        Path written = Files.createFile(copies().resolve("f123456789abcdef0123456789abcdef.making"));

        new PlainLogs(copies(), MAX_BYTES, 0).plain(zipped("a.ulg.gz"), () -> true);

        assertThat(left).doesNotExist();
        assertThat(written).exists();
    }
}
