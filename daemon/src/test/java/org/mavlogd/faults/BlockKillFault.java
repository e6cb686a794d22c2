package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.app.FlyingArduPilot;
import org.mavlogd.app.SentBlocks;
import org.mavlogd.computer.FreePorts;

/**
 * {@link KillSeries} with an ArduPilot. Everything written stays; later blocks go to their places in the same file, and
 * only blocks acknowledged just before a kill are missing. Each run makes its own ULog, of the same samples.
 */
final class BlockKillFault implements Fault {
    private static final int RATE = 40_000;
    /** A run that continues a log writes nothing while it waits for missing blocks. */
    private static final Duration HELD = Duration.ofMillis(500);
    /**
     * The vehicle ends its log after 10 s without an answer: a run that starts that late lives until it has answered.
     */
    private static final Duration UNANSWERED = Duration.ofSeconds(Host.isBusy() ? 1 : 4);
    /** A heartbeat arrives once a second, and the recorder waits half a second for blocks that never arrive. */
    private static final Duration BACK = Duration.ofSeconds(3);

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
        int port = FreePorts.udp();
        Path home = Host.newDirectory();
        try (FlyingArduPilot vehicle = BlockLogs.fly(port, RATE, 1)) {
            Series series = new Series(home, port);
            series.run(kills, new Random(17), progress);
            assertThat(vehicle.sent()).as("streams").hasSize(1); // the last program left it running
            int missing = series.check(vehicle.sent().get(0));
            return kills + " kills: one file of " + series.written().length / BlockLogs.BLOCK
                    + " blocks, each in its place, nothing missing of what was written; " + missing
                    + " that were acknowledged in the last moment before a kill never came; "
                    + LogDirectory.files(series.logs()).size() + " ULogs of the same samples; "
                    + series.returns().judge(form);
        } finally {
            Host.delete(home);
        }
    }

    /** The time of a kill, and the age from which a block must have been written by then. */
    private record Kill(long beforeNs, long afterNs, Duration age) {
        private boolean mayCost(long ackedNs) {
            return ackedNs - (beforeNs - age.toNanos()) >= 0 && ackedNs - afterNs <= 0;
        }
    }

    private static final class Series extends KillSeries {
        private final List<Kill> kills = new ArrayList<>();
        private long grewNs = System.nanoTime();

        Series(Path home, int port) {
            super(home, port, "bin", BACK);
        }

        @Override
        int recordedBytes() {
            return written().length + 1;
        }

        @Override
        boolean mustRecord() {
            return System.nanoTime() - grewNs >= UNANSWERED.toNanos();
        }

        @Override
        void onKill(long beforeNs, long afterNs, boolean isSettled) {
            kills.add(new Kill(
                    beforeNs,
                    afterNs,
                    isSettled ? Host.durable() : Host.durable().plus(HELD)));
        }

        @Override
        void checkKept(byte[] before, byte[] now) {
            assertThat(now.length).as("length").isGreaterThanOrEqualTo(before.length);
            assertThat(Arrays.mismatch(before, Arrays.copyOf(now, before.length)))
                    .as("first difference to what was written before")
                    .isEqualTo(-1);
            grewNs = now.length > before.length ? System.nanoTime() : grewNs;
        }

        /** Returns the number of missing blocks. */
        int check(SentBlocks sent) throws IOException {
            assertThat(BlockLogs.files(logs()).get(0).toString()).endsWith(".bin");
            Set<Integer> missing = BlockLogs.fillers(written(), sent.bytes());
            for (int block : missing) {
                long ackedNs = sent.ackedNs(block);
                assertThat(kills.stream().anyMatch(kill -> kill.mayCost(ackedNs)))
                        .as(
                                "block %d of %d is missing, which was acknowledged just before a kill: %d ms",
                                block, sent.count(), msToKill(ackedNs))
                        .isTrue();
            }
            checkULogs(sent);
            return missing.size();
        }

        private long msToKill(long ackedNs) {
            return kills.stream()
                    .mapToLong(kill -> TimeUnit.NANOSECONDS.toMillis(kill.beforeNs() - ackedNs))
                    .filter(ms -> ms >= 0)
                    .min()
                    .orElse(-1);
        }

        private void checkULogs(SentBlocks sent) throws IOException {
            Set<String> genuine = BlockLogs.samples(BlockLogs.mapped(sent.bytes()));
            Set<String> before = new HashSet<>();
            for (Path file : LogDirectory.files(logs())) {
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
