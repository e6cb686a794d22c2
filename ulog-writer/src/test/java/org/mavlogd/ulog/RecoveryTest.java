package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Measures how much is recovered from damaged real logs. */
class RecoveryTest {
    private static final double GOAL = 0.995;
    private static final int SEEDS = 10;
    private static final List<String> LOGS = List.of(
            "mcap_ulog2mcap_test",
            "px4rs_6ba1abc7",
            "px4rs_esc_status_log",
            "pyulog_sample_appended_multiple",
            "pyulog_sample_log_small",
            "pyulog_sample_tagged_and_default_params");

    @ParameterizedTest
    @EnumSource(Damage.Kind.class)
    void almostAllIntactSamplesComeBackAndNoneIsInvented(Damage.Kind kind) throws IOException {
        long intact = 0;
        long recovered = 0;
        long typed = 0;
        long joined = 0;
        List<String> wrong = new ArrayList<>();
        for (String name : LOGS) {
            byte[] log = TestLogs.real(name);
            for (long seed = 1; seed <= SEEDS; seed++) {
                Recovery recovery = Recovery.measure(log, Damage.of(kind, log, seed));
                intact += recovery.intact;
                recovered += recovery.recovered;
                typed += recovery.typed;
                joined += recovery.joined;
                // A changed byte inside a value cannot be detected; the end of another message or noise can.
                boolean isFalse = recovery.invented > 0
                        || (kind != Damage.Kind.BYTE_FLIPS && recovery.altered + recovery.stray > 0);
                if (isFalse || recovery.share() < GOAL) {
                    wrong.add(name + ", seed " + seed + ": " + recovery);
                }
            }
        }

        double share = (double) recovered / intact;
        System.out.printf(
                "recovery after %s: %.5f of %d intact samples, %.5f with a known topic, %d altered unseen%n",
                kind, share, intact, (double) typed / intact, joined);
        assertThat(wrong).as("%s", kind).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Damage.Kind.class)
    void chunksMakeNoDifference(Damage.Kind kind) {
        byte[] log = Damage.of(kind, TestLogs.real("mcap_ulog2mcap_test"), 5).bytes;

        String whole = Contents.of(log, log.length).toString();

        assertThat(Contents.of(log, 1).toString()).isEqualTo(whole);
        assertThat(Contents.of(log, 4099).toString()).isEqualTo(whole);
    }

    @ParameterizedTest
    @EnumSource(Damage.Kind.class)
    void repairedLogIsWhole(Damage.Kind kind, @TempDir Path directory) throws IOException {
        byte[] log = TestLogs.real("pyulog_sample_log_small");
        Path damaged = Files.write(directory.resolve("damaged.ulg"), Damage.of(kind, log, 7).bytes);
        MemorySink sink = new MemorySink();

        RepairResult first = ULogRepair.repair(damaged, sink, ULogRepair.Orphans.DROP);
        Path repaired = Files.write(directory.resolve("repaired.ulg"), sink.toByteArray());
        RepairResult second = ULogRepair.repair(repaired, new MemorySink(), ULogRepair.Orphans.DROP);

        assertThat(first.isWhole()).isFalse();
        assertThat(second.isWhole()).as("%s: %s", kind, second).isTrue();
        assertThat(Contents.of(sink.toByteArray(), 4096).samples)
                .isEqualTo(Contents.of(Files.readAllBytes(damaged), 4096).samples);
    }

    @ParameterizedTest
    @MethodSource("corners")
    void repairedCornerIsWhole(String name) throws IOException {
        byte[] corner = Contents.at(TestLogs.corners(), name);
        Contents before = Contents.of(corner, 4096);
        MemorySink sink = new MemorySink();
        ULogRepair repair = new ULogRepair(sink, ULogRepair.Orphans.DROP);
        RepairResult result;
        try {
            repair.feed(corner, 0, corner.length);
            result = repair.finish();
        } catch (ULogException refused) {
            assertThat(before.refused).isNotEmpty();
            return;
        }

        Contents after = Contents.of(sink.toByteArray(), 4096);
        assertThat(after.refused).isEmpty();
        assertThat(after.flawed + after.cuts + after.damagedBytes).isZero();
        assertThat(result.isWhole()).isEqualTo(before.flawed + before.cuts + before.damagedBytes == 0);
        assertThat(result.flawedMessages() + result.orphanMessages()).isEqualTo(before.flawed);
        assertThat(after.values).isEqualTo(before.values);
        assertThat(after.infos).isEqualTo(before.infos);
        assertThat(after.parameters).isEqualTo(before.parameters);
    }

    static Stream<String> corners() {
        return TestLogs.corners().keySet().stream();
    }

    @Test
    void cutAtEveryByteKeepsWhatIsBefore() throws IOException {
        byte[] log = TestLogs.corners().get("golden");
        if (log == null) {
            throw new IllegalStateException("no golden log");
        }
        List<Integer> ends = new ArrayList<>();
        MessageWalker walker = new MessageWalker(new MessageHandler() {
            private int position = ULogLayout.HEADER_LENGTH;

            @Override
            public void onMessage(int type, byte[] buffer, int offset, int length) {
                position += length;
                ends.add(position);
            }
        });
        walker.feed(log, 0, log.length);

        int whole = 0;
        for (int cut = ULogLayout.HEADER_LENGTH; cut <= log.length; cut++) {
            while (whole < ends.size() && ends.get(whole) <= cut) {
                whole++;
            }
            Counter counter = new Counter();
            ULogScanner scanner = new ULogScanner(counter);
            scanner.feed(log, 0, cut);
            scanner.finish();
            assertThat(counter.messages).as("cut at %d", cut).isEqualTo(whole);
            assertThat(counter.damaged).as("cut at %d", cut).isZero();
        }
    }

    private static final class Counter implements ScanHandler {
        private int messages;
        private long damaged;

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            messages++;
        }

        @Override
        public void onDamage(long position, long length) {
            damaged += length;
        }
    }
}
