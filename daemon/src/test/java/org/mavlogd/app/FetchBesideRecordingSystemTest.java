package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.freeUdpPort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.Values;
import org.mavlogd.record.MergedLog;
import org.mavlogd.whole.DataFlashBytes;
import org.mavlogd.whole.LogContent;

/** A vehicle's own log is fetched while the log that it streams is recorded from the same link: both must be all there. */
@Timeout(90)
class FetchBesideRecordingSystemTest {
    private static final long RATE = 300_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final byte[] binLog = DataFlashBytes.make(7, 700_000, 100_000);
    private final byte[] ulgLog = SystemTests.roverLog();

    private byte[] ownLog(boolean isArduPilot) {
        return isArduPilot ? binLog : ulgLog;
    }

    private void stream(AirVehicles vehicles, boolean isArduPilot, AirHub air, boolean flies) {
        if (isArduPilot) {
            vehicles.streamArduPilot(air.vehicleTarget(), binLog, RATE, flies);
        } else {
            vehicles.streamPx4(air.vehicleTarget(), ulgLog, RATE, flies);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theDaemonFetchesTheLogAfterTheFlightAndRecordsOn(boolean isArduPilot) throws Exception {
        int port = freeUdpPort();
        try (AirHub air = new AirHub(port, null);
                AirVehicles vehicles = new AirVehicles()) {
            try (RunningDaemon daemon = RunningDaemon.in(directory)
                    .udpListen("air", port)
                    .fetchingAfterDisarm(1)
                    .start()) {
                stream(vehicles, isArduPilot, air, true);
                String name = isArduPilot
                        ? "sys001_log00001_" + binLog.length + ".bin"
                        : "2026-11-20_12-34-56_sys001_log00001_" + ulgLog.length + ".ulg";
                Path folder = directory.resolve("fetched");
                await("armed", () -> daemon.vehicles().stream().anyMatch(seen -> seen.armed()));
                assertThat(folder).doesNotExist();
                await("fetching", () -> Files.exists(folder.resolve(name + ".part")));
                long before = air.tap().length();
                await("fetched", Duration.ofSeconds(40), () -> Files.exists(folder.resolve(name)));
                long after = air.tap().length();
                assertThat(after).as("streamed while it was fetched").isGreaterThan(before + RATE / 2);

                await("some more", () -> air.tap().length() > after + RATE / 2);
                daemon.stop();

                assertThat(folder.resolve(name)).hasBinaryContent(ownLog(isArduPilot));
                assertThat(folder.toFile().list()).containsExactly(name);
                assertThat(air.checksumsAsked()).isEqualTo(isArduPilot ? 1 : 0);
                assertRecorded(isArduPilot, air, after + RATE / 2);
            }
        }
    }

    /** What was streamed is there from its beginning to about its end, nothing lost, nothing twice. */
    private void assertRecorded(boolean isArduPilot, AirHub air, long atLeast) throws IOException {
        byte[] ulog = Files.readAllBytes(onlyRecorded(".ulg"));
        LogContent content = LogContent.of("ulg", ulog);
        assertThat(content.isWhole()).isTrue();
        assertThat(content.count('O')).as("dropouts").isZero();
        byte[] recorded = isArduPilot ? Files.readAllBytes(onlyRecorded(".bin")) : content.fromVehicle();
        byte[] streamed = air.tap().log();
        assertThat(recorded.length).isGreaterThanOrEqualTo((int) atLeast);
        if (isArduPilot) {
            // Blocks of the last moment come after the daemon has closed the file.
            assertThat(recorded).isEqualTo(Arrays.copyOf(streamed, recorded.length));
            assertThat(Mapped.read(MergedLog.withoutLocal(ulog)).samples())
                    .isEqualTo(Mapped.of(recorded, Values.RAW, 4096).samples());
        } else {
            assertThat(recorded).isEqualTo(streamed);
        }
    }

    private Path onlyRecorded(String kind) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> found = files.filter(path -> {
                        String name = String.valueOf(path.getFileName());
                        return !name.startsWith(".") && name.endsWith(kind);
                    })
                    .toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }
}
