package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.whole.LogContent;

/** A real file system of 24 MB, which the vehicle fills in a quarter of a minute. Needs the right to mount. */
@Timeout(120)
class SmallDiskSystemTest {
    private static final SpaceLimits BY_DEFAULT = new SpaceLimits(1024L << 20, 0, 0, 32 << 20);
    private static final int MEBI = 1 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();

    @BeforeEach
    void mount() throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=24m", "mavlogd-test", directory.toString()), "may mount");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", directory.toString());
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor(50, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    void aDiskThatBecomesFullKeepsNoPartOfAWrite() throws Exception {
        byte[] batch = new byte[100_001]; // does not end with a page
        try (Disk.Output file = new FileDisk(directory).create("log")) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 24 * MEBI; i += batch.length) {
                            file.write(ByteBuffer.wrap(batch));
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasNoSuppressedExceptions();
        }

        assertThat(Files.size(directory.resolve("log")))
                .isGreaterThan(20 * MEBI)
                .matches(size -> size % batch.length == 0, "complete writes");
    }

    @Test
    void oldLogsMakeRoomForTheNewOne() throws Exception {
        for (int i = 1; i <= 11; i++) {
            Files.write(directory.resolve(name(i)), new byte[2 * MEBI]);
        }
        Files.createFile(directory.resolve(name(2) + ".keep"));
        try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle().loops(true));
                RunningDaemon daemon = RunningDaemon.in(directory)
                        .retention(BY_DEFAULT)
                        .udpListen("air", port)
                        .start()) {
            await("old logs deleted for 8 MB of new data", () -> stored(daemon) > 8 * MEBI);
            assertThat(daemon.recordings().get(0).problem()).isEmpty();
            assertThat(daemon.recordings().get(0).file()).endsWith("000012.ulg");
            assertThat(daemon.recordings().get(0).figures().spaceLostBytes()).isZero();
            assertThat(daemon.get("/healthz").code()).isEqualTo(200);
            assertThat(disk(daemon)).containsEntry("pauses", 0L).containsEntry("problem", "");
            assertThat((Long) disk(daemon).get("deleted_files")).isBetween(4L, 8L);
            assertThat(daemon.metric("mavlogd_store_deleted_files_total")).isPositive();
            assertThat(directory.resolve(name(1))).doesNotExist();
            assertThat(directory.resolve(name(2))).exists();
            assertThat(directory.resolve(name(11))).exists();
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
        }
        assertThat(content(name(12)).isComplete()).isTrue();
    }

    @Test
    void recordingPausesWithTheReserveLeftAndGoesOn() throws Exception {
        Path film = Files.write(directory.resolve("film.mkv"), new byte[18 * MEBI]);
        try (FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(port),
                        fastVehicle().rateBytesPerSecond(500_000).loops(true));
                RunningDaemon daemon = RunningDaemon.in(directory)
                        .retention(BY_DEFAULT)
                        .udpListen("air", port)
                        .start()) {
            await("a pause", () -> "paused".equals(disk(daemon).get("state")));
            await("losses", () -> daemon.recordings().get(0).figures().spaceLostBytes() > 0);
            long left = directory.toFile().getUsableSpace();
            assertThat(left).isBetween((long) MEBI / 2, 24L * MEBI / 16);
            assertThat(daemon.get("/healthz").code()).isEqualTo(503);
            assertThat(daemon.get("/healthz").text())
                    .contains("disk: recording pauses: less than 1536 KiB left in " + directory)
                    .contains("vehicle 1: paused: no space left in " + directory);
            assertThat(daemon.recordings().get(0).figures().diskLostBytes()).isZero();
            assertThat(directory.resolve(stored(daemon, 1))).exists();

            Files.delete(film);

            await(
                    "recording within two seconds",
                    PromisedTime.of(Duration.ofSeconds(2)),
                    () -> !daemon.recordings().get(0).file().isEmpty());
            assertThat(daemon.get("/healthz").code()).isEqualTo(200);
            assertThat(disk(daemon)).containsEntry("state", "ok").containsEntry("pauses", 1L);
            long before = stored(daemon);
            await("data", () -> stored(daemon) > before + MEBI);
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            List<LogContent> logs = daemon.logs();
            assertThat(logs).hasSize(2).allMatch(LogContent::isComplete);
            assertThat(logs.get(1).gaps()).isEqualTo(1);
            assertThat(logs.get(1).count('F')).isEqualTo(logs.get(0).count('F'));
        }
    }

    private static long stored(RunningDaemon daemon) {
        return daemon.recordings().stream()
                .mapToLong(recording -> recording.figures().storedBytes())
                .sum();
    }

    /** The name of the n-th file. */
    private static String stored(RunningDaemon daemon, int n) {
        return String.valueOf(daemon.files().stream()
                .filter(file -> file.toString().endsWith(String.format("%06d.ulg", n)))
                .findFirst()
                .orElseThrow()
                .getFileName());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> disk(RunningDaemon daemon) throws Exception {
        return (Map<String, Object>) daemon.status().getOrDefault("disk", Map.of());
    }

    private LogContent content(String suffixed) throws IOException {
        try (var files = Files.list(directory)) {
            Path file = files.filter(path ->
                            path.toString().endsWith(suffixed.substring(suffixed.length() - "000012.ulg".length())))
                    .findFirst()
                    .orElseThrow();
            return LogContent.of(file.toString(), Files.readAllBytes(file));
        }
    }

    private static String name(int counter) {
        return String.format("2026-01-01_00-00-00_sys001_%06d.ulg", counter);
    }
}
