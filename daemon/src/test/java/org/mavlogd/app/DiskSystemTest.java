package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.whole.LogContent;

/** A missing log directory. */
@Timeout(120)
class DiskSystemTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();

    @Test
    void recordsAsSoonAsTheDirectoryCanBeMadeAndComplainsOnceUntilThen() throws Exception {
        Path logs = Files.createFile(directory.resolve("logs"));
        try (WarningLog warnings = new WarningLog();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true));
                RunningDaemon daemon =
                        RunningDaemon.in(logs).udpListen("air", port).start()) {
            await("attempts", () -> failures(daemon) >= 3);
            assertThat(daemon.status("recordings")).singleElement().satisfies(shown -> {
                assertThat(shown).containsEntry("file", "");
                assertThat((String) shown.get("problem")).contains("no new file in " + logs);
                assertThat((Long) shown.get("disk_lost_bytes")).isPositive();
            });
            assertThat(daemon.get("/healthz").code()).isEqualTo(503);
            assertThat(daemon.get("/healthz").text()).contains("vehicle 1: no new file in " + logs);
            assertThat(warnings.about("no new file")).hasSize(1);

            Files.delete(logs);

            await("a file", () -> !daemon.recordings().get(0).file().isEmpty());
            long chunks = daemon.chunks();
            await("data", () -> daemon.chunks() > chunks + 500);
            await("health", () -> daemon.get("/healthz").code() == 200);
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            assertThat(log.isComplete()).isTrue();
            List<Integer> marks = log.dropoutsMs();
            assertThat(marks).as("what the disk missed").isNotEmpty();
            assertThat(marks.subList(0, marks.size() - 1))
                    .as("marks of one gap")
                    .allMatch(ms -> ms == ULogLayout.MAX_DROPOUT_MS);
            assertThat(log.messages().stream().filter(log::isRecorderInfo))
                    .as("who recorded it, when it began, and the names of tags")
                    .hasSize(3);
            // The definitions were streamed before the file existed, and are in it.
            int definitions =
                    (int) LogContent.of("sent", vehicle.sent().get(0).bytes()).count('F');
            assertThat(log.count('F')).isEqualTo(definitions).isPositive();
        }
    }

    @Test
    void directoryThatCannotBeMadeIsReportedWhileThereIsNoVehicle() throws Exception {
        Path logs = Files.createFile(directory.resolve("logs"));
        try (WarningLog warnings = new WarningLog();
                RunningDaemon daemon =
                        RunningDaemon.in(logs).udpListen("air", port).start()) {
            await("problem", () -> daemon.get("/healthz").code() == 503);
            assertThat(daemon.get("/healthz").text())
                    .contains("disk: no log can be written in " + logs, "set [log] directory");
            assertThat(warnings.about("no log can be written")).hasSize(1);

            Files.delete(logs);

            await("health", () -> daemon.get("/healthz").code() == 200);
        }
    }

    private static long failures(RunningDaemon daemon) throws Exception {
        return daemon.metric("mavlogd_record_disk_failures_total{link=\"air\"}");
    }
}
