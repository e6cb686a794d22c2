package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.REAL_TIME_RATE;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.vehicleInRealTime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SentLog;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.whole.LogContent;

/**
 * {@link KillSeries} with a PX4. Everything written stays, the log continues in its file with a dropout for each gap,
 * and recording resumes soon after each start.
 */
final class KillFault implements Fault {
    /** A log with incomplete definitions is not continued: the first run lives until they are complete. */
    private static final int DEFINITIONS_BYTES = 100_000;

    private static final Duration BACK = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public String obstacle() {
        return RecorderProcess.obstacle();
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int kills = form.pick(5, 200);
        int port = FreePorts.udp();
        Path home = Host.newDirectory();
        try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), vehicleInRealTime())) {
            Series series = new Series(home, port);
            series.run(kills, new Random(7), progress);
            await("STOP heard", () -> !vehicle.isStreaming(), series::lastOutput);
            assertThat(vehicle.sent()).as("streams").hasSize(1);
            check(vehicle.sent().get(0), series.logs(), series.holes);
            return kills + " kills: one file, nothing missing of what was written, a dropout for each of "
                    + series.holes + " holes, " + series.returns().judge(form);
        } finally {
            Host.delete(home);
        }
    }

    private static final class Series extends KillSeries {
        private int holes = -1; // none before the first run has written

        Series(Path home, int port) {
            super(home, port, "ulg", BACK);
        }

        @Override
        int recordedBytes() {
            return written().length == 0 ? DEFINITIONS_BYTES : written().length + REAL_TIME_RATE / 4;
        }

        @Override
        void checkKept(byte[] before, byte[] now) {
            int whole = LogContent.of("before", before).completeLength();
            int from = Math.min(LogDirectory.PATCHED_LENGTH, whole);
            assertThat(now.length).as("length").isGreaterThanOrEqualTo(whole);
            assertThat(Arrays.mismatch(before, from, whole, now, from, whole))
                    .as("first difference to what was written before")
                    .isEqualTo(-1);
            holes += now.length > before.length ? 1 : 0;
        }
    }

    private static void check(SentLog sent, Path logs, int holes) throws IOException {
        Path file = LogDirectory.files(logs).get(0);
        assertThat(file.toString()).endsWith(".ulg");
        LogContent log = LogContent.of("stored", Files.readAllBytes(file));
        Set<String> genuine = new HashSet<>(LogDirectory.samples(LogContent.of("sent", sent.bytes())));
        assertThat(log.isComplete()).as("ends with a complete message").isTrue();
        assertThat(genuine.containsAll(LogDirectory.samples(log)))
                .as("holds only what was sent")
                .isTrue();
        assertThat(log.count('O')).as("dropouts").isGreaterThanOrEqualTo(holes);
    }
}
