package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.store.UploaderStatus;

class ReportTest {
    private static final FileTime OLD = FileTime.from(Instant.parse("2026-03-20T20:27:40Z"));

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void confirmsAnUnchangedStatus() throws IOException {
        Report report = report();
        Path status = directory.resolve("state").resolve(Report.STATUS);
        report.write(Backlog.EMPTY, TimeUnit.SECONDS.toNanos(1));
        String content = Files.readString(status);
        Files.setLastModifiedTime(status, OLD);

        report.write(Backlog.EMPTY, TimeUnit.SECONDS.toNanos(20));
        assertThat(Files.getLastModifiedTime(status)).isEqualTo(OLD);
        report.write(Backlog.EMPTY, TimeUnit.SECONDS.toNanos(21));

        assertThat(UploaderStatus.notRunningSince(status, Instant.now())).isEmpty();
        assertThat(status).hasContent(content);
        Files.delete(status);
        report.write(Backlog.EMPTY, TimeUnit.SECONDS.toNanos(22));
        assertThat(status).exists();
    }

    private Report report() throws IOException {
        UploadSettings settings = new UploadFixture(directory).settings();
        Path state = Files.createDirectories(settings.stateDirectory());
        FinishedLogs logs = new FinishedLogs(settings.logDirectory(), settings.order(), settings.crashFirst());
        Shared shared = new Shared(
                settings,
                logs,
                new FactsStore(state.resolve("facts"), UploadFixture.QUICK),
                new Permission(true, Optional.empty(), logs, System::nanoTime),
                new Networks(settings.network()),
                new RateLimit(0, System::nanoTime, TimeUnit.NANOSECONDS::sleep),
                UploadFixture.QUICK);
        return new Report(shared, List.of());
    }
}
