package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.whole.LogContent;

/** Pulls the serial cable and plugs it in again, repeatedly: recording resumes within a second, in the same file. */
final class ReplugFault implements Fault {
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int RATE = 60_000;

    @Override
    public String name() {
        return "replug";
    }

    @Override
    public String obstacle() {
        return PseudoTerminals.arePossible() ? "" : "needs socat, for pseudo terminals";
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int times = form.pick(5, 50);
        Random random = new Random(5);
        Path home = Host.newDirectory();
        Path device = home.resolve("tty-vehicle");
        long slowestMs = 0;
        Duration again = PromisedTime.of(AGAIN, Host.isBusy());
        try (RunningDaemon daemon = RunningDaemon.in(home.resolve("logs"))
                        .link(new LinkSettings.SerialPort("uart0", device.toString(), 921_600, false))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.pty(device),
                        fastVehicle().rateBytesPerSecond(RATE).loops(true))) {
            await("data", () -> taken(daemon) > 400);
            for (int i = 0; i < times; i++) {
                progress.at(i, times);
                vehicle.wire().unplug();
                await("the device to be gone", () -> Files.notExists(device));
                long outageNs = System.nanoTime()
                        + Duration.ofMillis(100 + random.nextInt(1500)).toNanos();
                await("the end of the outage", () -> System.nanoTime() - outageNs >= 0);
                long before = taken(daemon);
                vehicle.wire().plug();
                await("the device", () -> Files.exists(device));
                long pluggedNs = System.nanoTime();
                await("chunks again", again, () -> taken(daemon) > before);
                slowestMs = Math.max(
                        slowestMs,
                        Duration.ofNanos(System.nanoTime() - pluggedNs).toMillis());
                // Two gaps with hardly any data in between would count as one.
                await("the measure of the gap", () -> taken(daemon) > before + 100);
            }
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent()).as(vehicle::toString).hasSize(1);
            assertThat(daemon.logs()).singleElement().satisfies(log -> checkLog(log, vehicle, times));
        } finally {
            Host.delete(home);
        }
        return String.format(
                Locale.ROOT,
                "%d times: recording again after at most %d ms, one file, a mark for each gap",
                times,
                slowestMs);
    }

    private static void checkLog(LogContent log, FlyingVehicle vehicle, int times) {
        byte[] kept = log.fromVehicle();
        byte[] sent = vehicle.sent().get(0).bytes();
        assertThat(log.isComplete()).isTrue();
        assertThat(log.count('O')).as("marks").isGreaterThanOrEqualTo(times);
        assertThat(kept.length).isLessThan(sent.length);
        // The end of the log came after STOP, over the returned link.
        assertThat(java.util.Arrays.mismatch(
                        kept, kept.length - 1000, kept.length, sent, sent.length - 1000, sent.length))
                .isEqualTo(-1);
    }

    /** Reads the counter itself: the status is up to a quarter of a second old. */
    private static long taken(RunningDaemon daemon) throws Exception {
        return daemon.metric("mavlogd_record_chunks_total{link=\"uart0\"}");
    }
}
