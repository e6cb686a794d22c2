package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.record.MergedLog;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import org.mavlogd.simulate.MovedLog;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.VehicleStation;
import org.mavlogd.simulate.ardupilot.ArduPilotCounters;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.simulate.run.VehicleRunner;

/** The real daemon and a simulated ArduPilot over UDP. */
@Timeout(120)
class ArduPilotSystemTest {
    private static final int RATE = 40_000;
    private static final int BLOCK = 200;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final byte[] log = DataFlashBytes.make(7, 160_000, RATE);

    @Test
    void recordsTheLogByteForByteOverALossyLink() throws Exception {
        int port = FreePorts.udp();
        LossySettings perfect = LossySettings.perfect(Medium.DATAGRAMS, 1);
        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).measuring().start()) {
            CompletableFuture<PlannedVehicle.Report<ArduPilotCounters>> vehicle = run(
                    plan(
                            SystemTests.arduPilot().bufferKb(53).build(),
                            perfect.withLoss(3, 2).withDuplicates(2).withReordering(2),
                            perfect.withLoss(3, 2),
                            1_000_000_000,
                            3_500_000_000L),
                    log,
                    new LinkSettings.UdpConnect("vehicle", "127.0.0.1", port, false));
            await(
                    "armed and recording",
                    () -> daemon.vehicles().stream()
                            .anyMatch(seen -> seen.armed() && seen.state().startsWith("recording")));
            assertThat(daemon.vehicles().get(0).autopilot()).isEqualTo("ArduPilot");
            assertThat(daemon.vehicles().get(0).state()).contains("keeps the vehicle ready to arm");
            await("both files of the flight, in one log", () -> filesOfOnlyLog(daemon) == 2);
            assertThat(daemon.metric("mavlogd_recordings")).isEqualTo(1);
            PlannedVehicle.Report<ArduPilotCounters> report = vehicle.get(60, TimeUnit.SECONDS);

            assertThat(report.vehicle().droppedMessages()).isZero();
            assertThat(report.vehicle().logs()).isEqualTo(1);
            await("all blocks", () -> blocks(daemon) == report.vehicle().blocks());
            daemon.stop();

            byte[] file = Files.readAllBytes(onlyFile(".bin"));
            assertThat(file)
                    .hasSize(log.length / BLOCK * BLOCK)
                    .isEqualTo(Arrays.copyOf(MovedLog.like(log, file), file.length));
            checkULog(file, Files.readAllBytes(onlyFile(".ulg")));
        }
    }

    /** Number of files of the only log, from the status. */
    private static int filesOfOnlyLog(RunningDaemon daemon) throws Exception {
        List<Map<String, Object>> logs = daemon.status("recordings");
        assertThat(logs).hasSizeLessThan(2);
        return logs.isEmpty() ? 0 : 1 + ((List<?>) logs.get(0).getOrDefault("beside", List.of())).size();
    }

    /** Checks that the ULog has the vehicle's complete log and this computer's topics on one time axis. */
    private static void checkULog(byte[] bin, byte[] ulog) throws IOException {
        Mapped converted = Mapped.of(bin, ULogMapper.Values.RAW, 4096);
        Mapped live = Mapped.read(MergedLog.withoutLocal(ulog));
        assertThat(live.samples()).isEqualTo(converted.samples());
        assertThat(live.dropouts()).isEmpty();
        MergedLog merged = MergedLog.of(ulog);
        assertThat(merged.formats()).containsKeys("companion_cpu", "companion_recorder");
        long endUs = live.samples().values().stream()
                .flatMap(List::stream)
                .mapToLong(sample -> (Long) sample.getOrDefault("timestamp", 0L))
                .max()
                .orElseThrow();
        assertThat(merged.samples("companion_cpu"))
                .hasSizeGreaterThan(3)
                .allSatisfy(sample -> assertThat(sample.timeUs()).isBetween(500_000L, endUs + 20_000_000));
    }

    private static long blocks(RunningDaemon daemon) {
        return daemon.recordings().stream()
                .filter(recording -> recording.file().endsWith(".bin"))
                .mapToLong(recording -> recording.figures().chunks())
                .sum();
    }

    /** With ArduPilot's default buffer of 37 blocks. */
    @Test
    void recordsAVehicleThatUnderstandsMavlink1OnlyWithoutLoss() throws Exception {
        int port = FreePorts.tcp();
        byte[] slow = DataFlashBytes.make(8, 30_000, 5_000);
        ArduPilotSettings settings =
                SystemTests.arduPilot().isMavlink1(true).bootText(true).build();
        LossySettings perfect = LossySettings.perfect(Medium.STREAM, 1);
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                .link(new LinkSettings.TcpListen("wire", "127.0.0.1", port))
                .start()) {
            CompletableFuture<PlannedVehicle.Report<ArduPilotCounters>> vehicle = run(
                    plan(settings, perfect, perfect, 1_000_000_000, VehicleStation.Plan.NEVER),
                    slow,
                    new LinkSettings.TcpConnect("vehicle", "127.0.0.1", port));
            PlannedVehicle.Report<ArduPilotCounters> report = vehicle.get(60, TimeUnit.SECONDS);

            assertThat(report.vehicle().logs()).isEqualTo(1);
            assertThat(report.vehicle().acks()).isEqualTo(report.vehicle().blocks());
            assertThat(report.vehicle().droppedMessages()).isZero();
            await("all blocks", () -> blocks(daemon) == report.vehicle().blocks());
        }
        byte[] file = Files.readAllBytes(onlyFile(".bin"));
        assertThat(file)
                .hasSize(slow.length / BLOCK * BLOCK)
                .isEqualTo(Arrays.copyOf(MovedLog.like(slow, file), file.length));
    }

    /** After the restart the log is shorter than the vehicle's buffer, so it drops nothing however long that takes. */
    @Test
    void continuesTheFileOfAnArmedVehicleAfterARestart() throws Exception {
        int port = FreePorts.udp();
        LossySettings perfect = LossySettings.perfect(Medium.DATAGRAMS, 1);
        ArduPilotSettings settings = SystemTests.arduPilot().bufferKb(53).build();
        byte[] slow = DataFlashBytes.make(7, 60_000, 15_000);
        CompletableFuture<PlannedVehicle.Report<ArduPilotCounters>> vehicle;
        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            vehicle = run(
                    plan(settings, perfect, perfect, 0, VehicleStation.Plan.NEVER),
                    slow,
                    new LinkSettings.UdpConnect("vehicle", "127.0.0.1", port, false));
            await(
                    "armed and recording",
                    () -> daemon.vehicles().stream().anyMatch(seen -> seen.armed()) && blocks(daemon) > 100);
        }
        assertThat(onlyFile(".bin")).isNotEmptyFile();

        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            await("recording continues", () -> blocks(daemon) > 0);
            assertThat(daemon.metric("mavlogd_ardupilot_resumed_sessions_total{link=\"air\"}"))
                    .isEqualTo(1);
            ArduPilotCounters flown = vehicle.get(60, TimeUnit.SECONDS).vehicle();
            assertThat(flown.logs()).isEqualTo(1);
            assertThat(flown.droppedMessages()).isZero();
        }
        byte[] file = Files.readAllBytes(onlyFile(".bin"));
        assertThat(file)
                .hasSize(slow.length / BLOCK * BLOCK)
                .isEqualTo(Arrays.copyOf(MovedLog.like(slow, file), file.length));
        Set<String> series =
                Mapped.of(file, ULogMapper.Values.RAW, 4096).sampleCounts().keySet();
        for (Path ulog : filesOf(".ulg")) {
            assertThat(Mapped.read(Files.readAllBytes(ulog)).sampleCounts().keySet())
                    .isEqualTo(series);
        }
        assertThat(filesOf(".ulg")).hasSize(2);
    }

    private static CompletableFuture<PlannedVehicle.Report<ArduPilotCounters>> run(
            VehicleStation.Plan<ArduPilotSettings> plan, byte[] played, LinkSettings link) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return VehicleRunner.run(plan, DataFlashImage.of(played), link, () -> false);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static VehicleStation.Plan<ArduPilotSettings> plan(
            ArduPilotSettings settings,
            LossySettings toRecorder,
            LossySettings toVehicle,
            long armAtNs,
            long disarmAtNs) {
        return new VehicleStation.Plan<>(
                settings,
                toRecorder,
                toVehicle,
                armAtNs,
                disarmAtNs,
                VehicleStation.Plan.NEVER,
                VehicleStation.Plan.NEVER,
                VehicleStation.Plan.NEVER,
                true);
    }

    private Path onlyFile(String kind) throws IOException {
        List<Path> logs = filesOf(kind);
        assertThat(logs).hasSize(1);
        return logs.get(0);
    }

    private List<Path> filesOf(String kind) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(path -> {
                        String name = String.valueOf(path.getFileName());
                        return !name.startsWith(".") && name.endsWith(kind);
                    })
                    .sorted()
                    .toList();
        }
    }
}
