package org.mavlogd.simulate.px4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.simulate.px4.VehicleBench.MS;
import static org.mavlogd.simulate.px4.VehicleBench.S;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.simulate.px4.Px4Settings.Signing;
import org.mavlogd.simulate.px4.Px4Settings.Stall;
import org.mavlogd.simulate.px4.VehicleBench.Chunk;

/** Tests the contents and times of a stream's chunks. */
class Px4StreamTest {
    private static Px4Settings.Builder quiet() {
        return Px4Settings.builder().telemetryHz(0);
    }

    private static VehicleBench played(Px4Settings.Builder settings, LogImage log, long durationNs) {
        VehicleBench bench = new VehicleBench(settings, log);
        bench.start();
        bench.run(durationNs);
        bench.stop();
        bench.run(2 * S);
        return bench;
    }

    @Test
    void roverLogArrivesByteForByte() {
        LogImage log = RoverLog.image();

        VehicleBench bench = played(quiet(), log, 45 * S);

        assertThat(bench.received()).isEqualTo(log.bytes());
        assertThat(bench.truth.toByteArray()).isEqualTo(log.bytes());
        assertThat(bench.results()).endsWith(CommandAck.ACCEPTED);
        assertThat(bench.vehicle.counters().chunkBytes()).isEqualTo(log.length());
    }

    @Test
    void roverStreamHasTheShapeOfTheRealOne() {
        VehicleBench bench = played(quiet(), RoverLog.image(), 45 * S);

        // As in PX4's own stream of this log: 339 acked chunks of definitions, then late subscriptions and post-flight
        // data.
        assertThat(bench.chunks).hasSizeBetween(4934, 4942);
        List<Chunk> definitions = bench.chunks.subList(0, 339);
        assertThat(definitions).allMatch(Chunk::acked);
        assertThat(definitions.get(338).length()).isEqualTo(190);
        assertThat(definitions.get(338).timeNs() - definitions.get(0).timeNs()).isEqualTo(338 * 4 * MS);
        assertThat(bench.chunks.get(339).acked()).isFalse();
        assertThat(bench.chunks.stream().filter(Chunk::acked).count()).isBetween(366L, 374L);
        assertThat(bench.chunks.stream().filter(c -> !c.acked() && c.length() < 249))
                .isEmpty();
        Chunk subscription = bench.chunks.stream()
                .filter(c -> c.acked() && c.sequence() > 338)
                .findFirst()
                .orElseThrow();
        assertThat(subscription.sequence()).isEqualTo(546);
        assertThat(subscription.length()).isEqualTo(45);
        assertThat(subscription.firstMessageOffset()).isEqualTo(24);
    }

    @Test
    void roverStreamIsChunkForChunkTheRealOne() throws Exception {
        VehicleBench bench = played(quiet(), RoverLog.image(), 45 * S);

        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Chunk chunk : bench.chunks) {
            digest.update((byte) (chunk.acked() ? 1 : 0));
            digest.update((byte) chunk.sequence());
            digest.update((byte) (chunk.sequence() >> 8));
            digest.update((byte) chunk.length());
            digest.update((byte) chunk.firstMessageOffset());
            digest.update(chunk.data());
        }
        // The digest of the frames that PX4 itself sent for this log, including stale bytes after short chunks.
        assertThat(HexFormat.of().formatHex(digest.digest()))
                .isEqualTo("d4a1e7becfe58263db4629657c82e181f911bca061050a815e9d6e2e8c9467cf");
    }

    @Test
    void firstMessageOffsetPointsAtTheFirstMessageThatStartsInTheChunk() {
        LogImage log = RoverLog.image();
        Set<Integer> starts = new HashSet<>();
        for (int message = 0; message < log.messageCount(); message++) {
            starts.add(log.start(message));
        }

        VehicleBench bench = played(quiet(), log, 45 * S);

        int position = 0;
        for (Chunk chunk : bench.chunks) {
            int expected = 255;
            for (int i = chunk.length() - 1; i >= 0; i--) {
                expected = starts.contains(position + i) ? i : expected;
            }
            if (position == 0) {
                expected = 0;
            }
            assertThat(chunk.firstMessageOffset())
                    .as("chunk %d", chunk.sequence())
                    .isEqualTo(expected);
            position += chunk.length();
        }
    }

    @Test
    void chunkThatEndsWithItsMessageHasNoStartInTheNextMessagesPlace() {
        // Three messages of 249 bytes after a definition chunk: each fills exactly one chunk.
        LogImage log = TestLog.startedAt(0)
                .subscribe(0)
                .sample(0, 1000, 236)
                .sample(0, 1000, 236)
                .sample(0, 1000, 2 * 249 - 13)
                .image();

        VehicleBench bench = played(quiet(), log, S);

        assertThat(bench.chunks.stream().map(Chunk::firstMessageOffset)).containsExactly(0, 0, 0, 0, 255);
        assertThat(bench.chunks.stream().map(Chunk::length)).containsExactly(23, 249, 249, 249, 249);
    }

    @Test
    void bytesBehindAShortChunksEndAreThoseOfEarlierChunks() {
        VehicleBench bench = played(quiet(), RoverLog.image(), S);

        Chunk full = bench.chunks.get(337);
        Chunk shorter = bench.chunks.get(338);
        assertThat(Arrays.copyOfRange(shorter.data(), 190, 249)).isEqualTo(Arrays.copyOfRange(full.data(), 190, 249));
    }

    @Test
    void sequenceWraps() {
        LogImage log = TestLog.withSamples(1000, 1000).image();
        VehicleBench bench = new VehicleBench(quiet().loops(true).rateBytesPerSecond(1_000_000), log);
        bench.start();

        bench.run(20 * S);
        bench.stop();
        bench.run(S);

        assertThat(bench.chunks.size()).isGreaterThan(70_000);
        for (int i = 0; i < bench.chunks.size(); i++) {
            assertThat(bench.chunks.get(i).sequence()).isEqualTo(i & 0xffff);
        }
        assertThat(bench.received()).isEqualTo(bench.truth.toByteArray());
    }

    @Test
    void loopKeepsTimestampsGrowingAndSubscriptionsUnique() {
        TestLog source = TestLog.withSamples(50, 1000).subscribe(1);
        for (int i = 0; i < 50; i++) {
            source.sample(1, 2_100_000 + i * 1000L, 20);
        }
        VehicleBench bench = played(quiet().loops(true), source.image(), 5 * S);

        LogImage stored = LogImage.of(bench.received());
        long lastUs = 0;
        int subscriptions = 0;
        for (int message = 0; message < stored.messageCount(); message++) {
            subscriptions += stored.type(message) == 'A' ? 1 : 0;
            if (stored.type(message) == 'D') {
                long timeUs = LogImage.Times.get(stored.bytes(), stored.start(message) + 5);
                assertThat(timeUs).isGreaterThan(lastUs);
                lastUs = timeUs;
            }
        }
        assertThat(subscriptions).isEqualTo(2);
        assertThat(lastUs).isBetween(6_000_000L, 7_100_000L);
    }

    @Test
    void playsAtTheLogsOwnPace() {
        VehicleBench bench =
                new VehicleBench(quiet(), TestLog.withSamples(1000, 10_000).image());
        bench.start();

        bench.runInTicks(5 * S, 4 * MS);

        // 100 messages of 100 bytes a second.
        assertThat(bench.truth.size()).isBetween(49_000, 50_200);
    }

    @Test
    void keepsTheAskedRate() {
        for (long rate : new long[] {1000, 50_000, 5_000_000}) {
            LogImage log = TestLog.withSamples(1000, 10_000).image();
            VehicleBench bench = new VehicleBench(quiet().loops(true).rateBytesPerSecond(rate), log);
            bench.start();
            bench.run(100 * MS);
            int before = bench.truth.size();

            bench.runInTicks(4 * S, 4 * MS);

            assertThat((double) bench.truth.size() - before).isBetween(4 * rate * 0.9, 4 * rate * 1.1);
        }
    }

    @Test
    void dataWhoseTimePassesInAPauseIsNeverLogged() {
        VehicleBench bench =
                new VehicleBench(quiet(), TestLog.withSamples(1000, 10_000).image());
        bench.start();
        bench.run(S + 5 * MS);
        bench.ackDelayNs = 400 * MS;

        bench.vehicle.arm(bench.nowNs);
        bench.run(S);
        bench.ackDelayNs = 0;
        bench.run(20 * S);
        bench.stop();
        bench.run(S);

        assertThat(bench.vehicle.counters().skippedMessages()).isBetween(39L, 41L);
        assertThat(bench.truth.size()).isEqualTo(bench.vehicle.counters().chunkBytes());
        assertThat(bench.received().length + bench.skippedBytes)
                .isEqualTo(TestLog.withSamples(1000, 10_000).toBytes().length);
        assertThat(LogImage.of(bench.received()).ignoredTailBytes()).isZero();
    }

    @Test
    void pauseMayDelayTheLogInstead() {
        byte[] log = TestLog.withSamples(1000, 10_000).toBytes();
        VehicleBench bench = new VehicleBench(quiet().stall(Stall.DELAYS_LOG), LogImage.of(log));
        bench.ackDelayNs = 40 * MS;
        bench.start();
        bench.run(3 * S);
        bench.vehicle.arm(bench.nowNs);
        bench.run(12 * S);
        bench.stop();
        bench.run(S);

        assertThat(bench.received()).isEqualTo(log);
        assertThat(bench.vehicle.counters().skippedMessages()).isZero();
    }

    @Test
    void lateSubscriptionIsLoggedEvenWhenItsTimePassesInAPause() {
        TestLog source = TestLog.withSamples(100, 10_000).subscribe(1).text(3_000_000, "late");
        VehicleBench bench =
                new VehicleBench(quiet(), source.sample(1, 3_100_000, 50).image());
        bench.start();
        bench.run(900 * MS);
        bench.ackDelayNs = 300 * MS;
        bench.vehicle.arm(bench.nowNs);
        bench.run(5 * S);
        bench.stop();
        bench.run(S);

        String text = new String(bench.truth.toByteArray(), StandardCharsets.ISO_8859_1);
        assertThat(text).contains("late");
        assertThat(bench.chunks.stream()
                        .filter(Chunk::acked)
                        .map(Chunk::sequence)
                        .distinct())
                .hasSize(4);
    }

    @Test
    void vehiclesOwnQueueLosesWholeChunks() {
        LogImage log = TestLog.withSamples(1000, 1000).image();
        Px4Settings.Builder settings = quiet().queueLimit(true).linkBytesPerSecond(46_080);
        VehicleBench bench = new VehicleBench(settings.loops(true), log);
        bench.start();

        bench.run(10 * S);

        // 13 frames per 100 ms; the log produces 40.
        assertThat(ChunkSender.framesPerWindow(46_080)).isEqualTo(13);
        assertThat(ChunkSender.framesPerWindow(92_160)).isEqualTo(25);
        assertThat(bench.chunks.size()).isBetween(1270, 1320);
        assertThat(bench.dropped).hasSizeGreaterThan(2000);
        Set<Integer> seen = new HashSet<>(bench.dropped);
        bench.chunks.forEach(chunk -> assertThat(seen.add(chunk.sequence())).isTrue());
    }

    @Test
    void queueLimitLosesNothingBelowTheRate() {
        LogImage log = RoverLog.image();
        Px4Settings.Builder settings = quiet().queueLimit(true).linkBytesPerSecond(92_160);

        VehicleBench bench = played(settings, log, 60 * S);

        assertThat(bench.dropped).isEmpty();
        assertThat(bench.received()).startsWith(Arrays.copyOf(log.bytes(), 80_000));
    }

    @Test
    void signedFramesAreValidAndCutOnesStayReadable() {
        LogImage log = TestLog.withSamples(100, 1000).image();

        VehicleBench signed = played(quiet().signing(Signing.SIGNED), log, S);
        VehicleBench cut = played(quiet().signing(Signing.SIGNED_AND_CUT), log, S);

        assertThat(signed.received()).isEqualTo(log.bytes());
        assertThat(signed.signedFrames).isEqualTo(signed.messageIds.size());
        assertThat(cut.rawBytes).isLessThan(signed.rawBytes);
    }

    @Test
    void swapsFramesOfDifferentMessagesNowAndThen() {
        Px4Settings.Builder settings = Px4Settings.builder().telemetryHz(100).swapEvery(7);

        VehicleBench bench = played(settings, RoverLog.image(), 45 * S);

        int backward = 0;
        for (int i = 1; i < bench.headerSequences.size(); i++) {
            int step = bench.headerSequences.get(i) - bench.headerSequences.get(i - 1) & 0xff;
            backward += step == 255 ? 1 : 0;
        }
        assertThat(backward).isGreaterThan(20);
        assertThat(bench.received()).isEqualTo(RoverLog.image().bytes());
    }

    @Test
    void sameSeedAndCallsGiveTheSameFrames() {
        long seed = new Random().nextLong();
        Px4Settings.Builder settings =
                Px4Settings.builder().seed(seed).postFlightBytes(5000).swapEvery(5);
        LogImage log = TestLog.withSamples(500, 10_000).image();

        VehicleBench first = played(settings, log, 6 * S);
        VehicleBench second = played(settings, log, 6 * S);

        assertThat(first.messageIds).as("seed %d", seed).isEqualTo(second.messageIds);
        assertThat(first.received()).as("seed %d", seed).isEqualTo(second.received());
    }
}
