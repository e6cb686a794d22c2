package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SentLog;
import org.mavlogd.app.SystemTests;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.whole.LogContent;

/**
 * The program is killed at random moments, also while it starts, and started again at once, while the vehicle streams on.
 * What was written stays, the log goes on in its file with a dropout for each hole, and the recording is back soon.
 */
final class KillFault implements Fault {
    private static final int RATE = 40_000;
    private static final int MAX_LIFE_MS = 2500;
    private static final int AWAIT_EVERY = 4;
    /** A log whose definitions are not complete is not continued: the first run lives until they are. */
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
        Random random = new Random(7);
        int port = SystemTests.freeUdpPort();
        Path home = Host.newDirectory();
        RecorderProcess.Setup setup = new RecorderProcess.Setup(home, home.resolve("logs"), port);
        try (FlyingVehicle vehicle = fly(
                VehicleWire.udpTo(port), fastVehicle().rateBytesPerSecond(RATE).loops(true))) {
            Series series = new Series(setup, home.resolve("logs"));
            for (int i = 0; i < kills; i++) {
                progress.at(i, kills);
                // At times it lives until it is back.
                series.startAndKill(i % AWAIT_EVERY == 0, random.nextInt(MAX_LIFE_MS));
            }
            series.startAndTerminate();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent()).as("streams").hasSize(1);
            check(vehicle.sent().get(0), home.resolve("logs"), series.holes);
            if (form == Form.LONG) {
                assertThat(series.slowest).as("recording again").isLessThanOrEqualTo(BACK);
            }
            return kills + " kills: one file, nothing missing of what was written, a dropout for each of "
                    + series.holes + " holes, recording again " + series.slowest.toMillis()
                    + " ms after the start or sooner";
        } finally {
            Host.delete(home);
        }
    }

    /** One program after the other, and what they wrote so far. */
    private static final class Series {
        private final RecorderProcess.Setup setup;
        private final Path logs;
        private byte[] written = new byte[0];
        private int holes = -1; // there is none before the first one wrote
        private Duration slowest = Duration.ZERO;

        Series(RecorderProcess.Setup setup, Path logs) {
            this.setup = setup;
            this.logs = logs;
        }

        void startAndKill(boolean awaitsRecording, int lifeMs) throws Exception {
            long startNs = System.nanoTime();
            try (RecorderProcess recorder = setup.launch()) {
                if (awaitsRecording) {
                    awaitRecording(startNs);
                }
                long endNs = System.nanoTime() + Duration.ofMillis(lifeMs).toNanos();
                await("the moment", () -> System.nanoTime() - endNs >= 0);
                recorder.requireAlive();
                recorder.kill();
                account(recorder);
            }
        }

        void startAndTerminate() throws Exception {
            long startNs = System.nanoTime();
            try (RecorderProcess recorder = setup.start()) {
                awaitRecording(startNs);
                recorder.terminate();
                account(recorder);
            }
        }

        private void awaitRecording(long startNs) {
            int more = written.length == 0 ? DEFINITIONS_BYTES : RATE / 4;
            await("the file to grow", () -> LogDirectory.bytes(logs) > written.length + more);
            if (written.length > 0) {
                Duration back = Duration.ofNanos(System.nanoTime() - startNs);
                slowest = back.compareTo(slowest) > 0 ? back : slowest;
            }
        }

        private void account(RecorderProcess ended) throws IOException {
            List<Path> files = LogDirectory.files(logs);
            assertThat(files)
                    .as("files when the program had said: %s", ended.output())
                    .hasSizeLessThanOrEqualTo(1);
            byte[] now = files.isEmpty() ? new byte[0] : Files.readAllBytes(files.get(0));
            int whole = LogDirectory.wholeLength(written);
            int from = Math.min(LogDirectory.PATCHED_LENGTH, whole);
            assertThat(now.length).as("length").isGreaterThanOrEqualTo(whole);
            assertThat(Arrays.mismatch(written, from, whole, now, from, whole))
                    .as("first difference to what was written before")
                    .isEqualTo(-1);
            holes += now.length > written.length ? 1 : 0;
            written = now;
        }
    }

    private static void check(SentLog sent, Path logs, int holes) throws IOException {
        Path file = LogDirectory.files(logs).get(0);
        assertThat(file.toString()).endsWith(".ulg");
        LogContent log = LogContent.of("stored", Files.readAllBytes(file));
        Set<String> genuine = new HashSet<>(LogDirectory.samples(LogContent.of("sent", sent.bytes())));
        assertThat(log.isWhole()).as("ends with a whole message").isTrue();
        assertThat(genuine.containsAll(LogDirectory.samples(log)))
                .as("holds only what was sent")
                .isTrue();
        assertThat(log.count('O')).as("dropouts").isGreaterThanOrEqualTo(holes);
    }
}
