package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.freeUdpPort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.ArduPilotReport;
import org.mavlogd.simulate.ArduPilotSettings;
import org.mavlogd.simulate.DataFlashImage;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import org.mavlogd.simulate.SimulationPlan;
import org.mavlogd.simulate.VehicleRunner;
import org.mavlogd.whole.DataFlashBytes;

/** The real daemon and a simulated ArduPilot over UDP. */
@Timeout(90)
class ArduPilotSystemTest {
    private static final int RATE = 40_000;
    private static final int BLOCK = 200;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final byte[] log = DataFlashBytes.make(7, 160_000, RATE);
    private final AtomicBoolean stop = new AtomicBoolean();

    @Test
    void recordsTheLogByteForByteOverALossyLink() throws Exception {
        int port = freeUdpPort();
        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            CompletableFuture<ArduPilotReport> vehicle = fly(port, 1_000_000_000, true);
            await(
                    "armed and recording",
                    () -> daemon.vehicles().stream()
                            .anyMatch(seen -> seen.armed() && seen.state().startsWith("recording")));
            assertThat(daemon.vehicles().get(0).autopilot()).isEqualTo("ArduPilot");
            assertThat(daemon.vehicles().get(0).state()).contains("keeps the vehicle ready to arm");
            ArduPilotReport report = vehicle.get(60, TimeUnit.SECONDS);

            assertThat(report.vehicle().droppedMessages()).isZero();
            assertThat(report.vehicle().logs()).isEqualTo(1);
            await("all blocks", () -> daemon.chunks() == report.vehicle().blocks());
            daemon.stop();

            byte[] file = Files.readAllBytes(onlyFile());
            assertThat(file).hasSize(log.length / BLOCK * BLOCK).isEqualTo(Arrays.copyOf(log, file.length));
        }
    }

    @Test
    void goesOnWithTheFileOfAnArmedVehicleAfterARestart() throws Exception {
        int port = freeUdpPort();
        CompletableFuture<ArduPilotReport> vehicle;
        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            vehicle = fly(port, 0, false);
            await(
                    "armed and recording",
                    () -> daemon.vehicles().stream().anyMatch(seen -> seen.armed()) && daemon.chunks() > 100);
        }
        assertThat(onlyFile().getFileName().toString()).endsWith(".bin.part");

        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            await("goes on", () -> daemon.chunks() > 100);
            assertThat(daemon.metric("mavlogd_ardupilot_resumed_sessions_total{link=\"air\"}"))
                    .isEqualTo(1);
            stop.set(true);
            assertThat(vehicle.get(60, TimeUnit.SECONDS).vehicle().logs()).isEqualTo(1);
        }
        byte[] file = Files.readAllBytes(onlyFile());
        int same = Math.min(file.length, log.length / BLOCK * BLOCK);
        assertThat(Arrays.copyOf(file, same)).isEqualTo(Arrays.copyOf(log, same));
    }

    private CompletableFuture<ArduPilotReport> fly(int port, long armAtNs, boolean isLossy) {
        LossySettings perfect = LossySettings.perfect(Medium.DATAGRAMS, 1);
        SimulationPlan<ArduPilotSettings> plan = new SimulationPlan<>(
                ArduPilotSettings.builder().bufferKb(53).loops(!isLossy).build(),
                isLossy ? perfect.withLoss(3, 2).withDuplicates(2).withReordering(2) : perfect,
                isLossy ? perfect.withLoss(3, 2) : perfect,
                armAtNs,
                isLossy ? 3_500_000_000L : SimulationPlan.NEVER,
                SimulationPlan.NEVER,
                SimulationPlan.NEVER,
                SimulationPlan.NEVER,
                isLossy);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return VehicleRunner.run(
                        plan,
                        DataFlashImage.of(log),
                        new LinkSettings.UdpConnect("vehicle", "127.0.0.1", port, false),
                        stop::get);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> logs = files.filter(
                            path -> !path.getFileName().toString().startsWith("."))
                    .toList();
            assertThat(logs).hasSize(1);
            return logs.get(0);
        }
    }
}
