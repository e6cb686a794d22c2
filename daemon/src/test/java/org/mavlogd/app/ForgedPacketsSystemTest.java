package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.whole.LogContent;

/** Another sender on the network sends 10,000 forged packets a second while a vehicle streams. */
@Timeout(120)
class ForgedPacketsSystemTest {
    private static final boolean SOAK = Boolean.getBoolean("mavlogd.soak");
    private static final Duration FLOOD = Duration.ofSeconds(SOAK ? 20 : 2);
    private static final int PER_SECOND = 10_000;
    private static final long SEED = Long.getLong("mavlogd.seed", 4711);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void forgedPacketsChangeNothingInTheLog() throws Exception {
        int port = FreePorts.udp();
        // Slow enough to stream throughout the flood; the stored log is compared with what was sent.
        var settings = fastVehicle().rateBytesPerSecond(100_000).loops(true);
        try (RunningDaemon daemon =
                        RunningDaemon.in(directory).udpListen("air", port).start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), settings)) {
            await("data", () -> daemon.chunks() > 400);
            long forged;
            try (Forger forger = new Forger(port, PER_SECOND, SEED)) {
                await("the flood", FLOOD.plusSeconds(60), () -> forger.sent() >= PER_SECOND * FLOOD.toSeconds());
                forged = forger.sent();
                long heard = forger.heard();
                long chunks = daemon.chunks();
                await("data during the flood", () -> daemon.chunks() > chunks + 100);

                // Only heartbeats and STARTs to the forged vehicles, a few each second.
                assertThat(heard).isLessThan(forged / 20);
            }
            long foreign = daemon.vehicles().stream()
                    .filter(status -> status.systemId() == 1)
                    .findFirst()
                    .orElseThrow()
                    .foreignFrames();
            long dropped = daemon.metric("mavlogd_vehicle_dropped_frames_total{cause=\"foreign_source\",link=\"air\"}");
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());

            // On a busy machine the kernel drops most of a flood before the recorder can read it.
            assertThat(foreign).isGreaterThan(forged / 20);
            assertThat(dropped).isGreaterThanOrEqualTo(foreign);
            assertThat(vehicle.sent()).hasSize(1);
            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            assertThat(log.isComplete()).isTrue();
            assertThat(log.count('O')).isZero();
            assertThat(log.fromVehicle()).isEqualTo(vehicle.sent().get(0).bytes());
            System.out.printf(
                    "forged packets: %d in %d s, dropped as foreign: %d, forged bytes in the log: 0, genuine lost: 0 of %d%n",
                    forged, FLOOD.toSeconds(), foreign, log.fromVehicle().length);
        }
    }
}
