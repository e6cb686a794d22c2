package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.store.UploaderStatus;

class UploadProgressTest {
    private static final String BEGIN = """
            {"written_utc":"2026-11-23T10:00:00Z","waits_for":"vehicle 1 is armed","bytes_per_s":0,"sent_bytes":7,\
            "backlog_files":2,"backlog_bytes":11,"targets":[{"name":"bucket","state":"waiting","problem":null}],"files":[\
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void hasWhatTheUploaderSaysOfAllLogs() throws IOException {
        assertThat(written(BEGIN + "{\"file\":\"a.ulg\"}]}"))
                .contains("\"uploads\"", "\"waits_for\":\"vehicle 1 is armed\"", "\"backlog_bytes\":11", "\"bucket\"")
                .doesNotContain("a.ulg");
    }

    @Test
    void saysSinceWhenTheUploaderHasNotConfirmedItsStatus() throws IOException {
        assertThat(written(BEGIN + "]}")).containsPattern("\"not_running_since_utc\"\\s*:\\s*null");

        Instant stopped = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(61);
        Path file = directory.resolve("status.json");
        Files.setLastModifiedTime(file, FileTime.from(stopped));

        assertThat(of(file)).containsPattern("\"not_running_since_utc\"\\s*:\\s*\"" + stopped + '"');
        assertThat(UploaderStatus.notRunningSince(file, stopped.plusSeconds(60)))
                .isEmpty();
        assertThat(UploaderStatus.notRunningSince(file, stopped.minusSeconds(100)))
                .as("the clock was set back")
                .isEmpty();
    }

    /** The list of all logs can be longer than the part that is read. */
    @Test
    void readsNoFurtherThanToTheListOfAllLogs() throws IOException {
        assertThat(written(BEGIN + "{\"file\":\"a.ulg\"},".repeat(100_000)))
                .contains("\"backlog_files\":2")
                .hasSizeLessThan(1000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[1]",
                "{\"written_utc\":",
                "{\"targets\":[{\"name\":\"a\"",
                "{\"backlog_files\":2,\"targets\":[{]}",
                "\u0000\u0001"
            })
    void isNullWhenItCannotBeRead(String text) throws IOException {
        assertThat(written(text)).containsPattern("\"uploads\"\\s*:\\s*null");
    }

    @Test
    void isNullWithoutUploader() {
        assertThat(of(directory.resolve("none"))).containsPattern("\"uploads\"\\s*:\\s*null");
    }

    @Test
    void isNullWhenATargetsTextIsEndless() throws IOException {
        assertThat(written("{\"targets\":\"" + "x".repeat(1 << 20) + "\"}"))
                .containsPattern("\"uploads\"\\s*:\\s*null");
    }

    private String written(String text) throws IOException {
        return of(Files.writeString(directory.resolve("status.json"), text));
    }

    private static String of(Path file) {
        return JsonDocument.of(json -> new UploadProgress(file).write(json));
    }
}
