package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.mavlogd.app.FlyingArduPilot;
import org.mavlogd.app.SentBlocks;
import org.mavlogd.app.SystemTests;

/**
 * {@link KillFault} with an ArduPilot. What was written stays, the blocks go on in their file, each at its place, and only
 * such are missing as were acknowledged just before a kill. Each run has a ULog of its own, of the same samples.
 */
final class BlockKillFault implements Fault {
    private static final int RATE = 40_000;
    private static final int MAX_LIFE_MS = 2500;
    private static final int AWAIT_EVERY = 4;
    private static final Duration WRITTEN = Duration.ofMillis(500);
    /** While a run that goes on waits for blocks that do not come, it writes nothing. */
    private static final Duration HELD = Duration.ofMillis(500);
    /** A heartbeat comes once a second, and blocks that never come are waited for half a second. */
    private static final Duration BACK = Duration.ofMillis(3000);

    @Override
    public String name() {
        return "kill-ardupilot";
    }

    @Override
    public String obstacle() {
        return RecorderProcess.obstacle();
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int kills = form.pick(5, 100);
        Random random = new Random(17);
        int port = SystemTests.freeUdpPort();
        Path home = Host.newDirectory();
        Path logs = home.resolve("logs");
        RecorderProcess.Setup setup = new RecorderProcess.Setup(home, logs, port);
        try (FlyingArduPilot vehicle = BlockLogs.fly(port, RATE, 1)) {
            Series series = new Series(setup, logs);
            for (int i = 0; i < kills; i++) {
                progress.at(i, kills);
                series.startAndKill(i % AWAIT_EVERY == 0, random.nextInt(MAX_LIFE_MS));
            }
            series.startAndTerminate();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent()).as("streams").hasSize(1);
            if (form == Form.LONG) {
                assertThat(series.slowest).as("recording again").isLessThanOrEqualTo(BACK);
            }
            int missing = series.check(vehicle.sent().get(0));
            return kills + " kills: one file of " + series.written.length / BlockLogs.BLOCK
                    + " blocks, each in its place, nothing missing of what was written; " + missing
                    + " that were acknowledged in the last moment before a kill never came; "
                    + LogDirectory.files(logs).size() + " ULogs of the same samples; recording again "
                    + series.slowest.toMillis() + " ms after the start or sooner";
        } finally {
            Host.delete(home);
        }
    }

    /** When a run was killed, and how old a block could be then that was not written. */
    private record Kill(long beforeNs, long afterNs, Duration age) {
        private boolean mayCost(long ackedNs) {
            return ackedNs - (beforeNs - age.toNanos()) >= 0 && ackedNs - afterNs <= 0;
        }
    }

    /** One program after the other, and what they wrote so far. */
    private static final class Series {
        private final RecorderProcess.Setup setup;
        private final Path logs;
        private final List<Kill> kills = new ArrayList<>();
        private final StringBuilder told = new StringBuilder();
        private byte[] written = new byte[0];
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
                long beforeNs = System.nanoTime();
                recorder.kill();
                kills.add(new Kill(beforeNs, System.nanoTime(), awaitsRecording ? WRITTEN : WRITTEN.plus(HELD)));
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
            await("the file to grow", () -> BlockLogs.bytes(logs) > written.length);
            if (written.length > 0) {
                Duration back = Duration.ofNanos(System.nanoTime() - startNs);
                slowest = back.compareTo(slowest) > 0 ? back : slowest;
            }
        }

        private void account(RecorderProcess ended) throws IOException {
            List<Path> files = BlockLogs.files(logs);
            told.append(ended.output()).append("killed\n");
            assertThat(files).as("files when the programs had said: %s", told).hasSizeLessThanOrEqualTo(1);
            byte[] now = files.isEmpty() ? new byte[0] : Files.readAllBytes(files.get(0));
            assertThat(now.length).as("length").isGreaterThanOrEqualTo(written.length);
            assertThat(Arrays.mismatch(written, Arrays.copyOf(now, written.length)))
                    .as("first difference to what was written before")
                    .isEqualTo(-1);
            written = now;
        }

        /** Returns how many blocks are missing. */
        int check(SentBlocks sent) throws IOException {
            assertThat(BlockLogs.files(logs).get(0).toString()).endsWith(".bin");
            Set<Integer> missing = BlockLogs.fillers(written, sent.bytes());
            for (int block : missing) {
                long ackedNs = sent.ackedNs(block);
                assertThat(kills.stream().anyMatch(kill -> kill.mayCost(ackedNs)))
                        .as("block %d of %d is missing, which was acknowledged just before a kill", block, sent.count())
                        .isTrue();
            }
            checkULogs(sent);
            return missing.size();
        }

        private void checkULogs(SentBlocks sent) throws IOException {
            Set<String> genuine = BlockLogs.samples(BlockLogs.mapped(sent.bytes()));
            Set<String> before = new HashSet<>();
            for (Path file : LogDirectory.files(logs)) {
                assertThat(file.toString()).endsWith(".ulg");
                Set<String> samples = BlockLogs.samples(BlockLogs.ulog(file));
                assertThat(genuine.containsAll(samples))
                        .as("%s holds only what was sent", file)
                        .isTrue();
                assertThat(samples.stream().noneMatch(before::contains))
                        .as("%s holds nothing that another one holds", file)
                        .isTrue();
                before.addAll(samples);
            }
            assertThat(before).as("samples in ULogs").isNotEmpty();
        }
    }
}
