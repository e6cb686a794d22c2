package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;

/**
 * The recorded cause of each lost chunk compared with the true one: links that lose, repeat and reorder, and vehicles
 * that drop chunks themselves.
 */
class LossBlameSimulationTest {
    private static final int SEEDS = Integer.getInteger("mavlogd.seeds", 40);
    // PX4's default for a port of 921600 baud: 32 KB/s of log at most.
    private static final int SLOW_LINK = 46_080;

    private record Blame(int linkLost, int neverSent, double link, double vehicle) {
        static Blame of(SimulatedFlight flight) {
            return new Blame(
                    flight.truth().sessions().stream()
                            .mapToInt(StreamTruth.Session::lostOnTheLink)
                            .sum(),
                    flight.truth().sessions().stream()
                            .mapToInt(StreamTruth.Session::neverSent)
                            .sum(),
                    flight.recorder().lostChunks("link"),
                    flight.recorder().lostChunks("vehicle"));
        }
    }

    @Test
    void blamesTheLinkForEverythingThatTheLinkLost() {
        int lost = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Blame blame = fly(vehicle(random, false), link(random, seed, 1 + random.nextInt(9)), seed);

            lost += blame.linkLost();
            assertThat(blame.neverSent()).as("seed %d, never sent", seed).isZero();
            assertThat(blame.vehicle())
                    .as("seed %d, of %d chunks that the link lost, blamed on the vehicle", seed, blame.linkLost())
                    .isZero();
            assertThat(blame.link()).as("seed %d, lost", seed).isEqualTo((double) blame.linkLost());
        }
        assertThat(lost).isGreaterThan(20 * SEEDS);
    }

    @Test
    void blamesTheVehicleForWhatItDroppedAlthoughFramesChangeTheirOrder() {
        int dropped = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Blame blame = fly(vehicle(random, true), link(random, seed, 0), seed);

            dropped += blame.neverSent();
            assertThat(blame.linkLost()).as("seed %d, lost on the link", seed).isZero();
            assertThat(blame.vehicle())
                    .as("seed %d, of %d chunks never sent", seed, blame.neverSent())
                    .isGreaterThanOrEqualTo(0.97 * blame.neverSent());
        }
        assertThat(dropped).isGreaterThan(20 * SEEDS);
    }

    @Test
    void tellsBothApartWhenBothLose() {
        double blamed = 0;
        int dropped = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Blame blame = fly(vehicle(random, true), link(random, seed, 1 + random.nextInt(5)), seed);

            assertThat(blame.link() + blame.vehicle())
                    .as("seed %d, lost", seed)
                    .isEqualTo((double) blame.linkLost() + blame.neverSent());
            assertThat(blame.link()).as("seed %d, lost on the link", seed).isGreaterThanOrEqualTo(blame.linkLost());
            blamed += blame.vehicle();
            dropped += blame.neverSent();
        }
        assertThat(blamed).as("of %d chunks never sent", dropped).isGreaterThan(0.85 * dropped);
    }

    private static Blame fly(Px4Settings vehicle, LossySettings down, long seed) {
        LossySettings up =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed + 1).withDelayNs(MILLISECOND_NS);
        SimulatedFlight flight = new SimulatedFlight(
                WholeRecorder.Setup.plain(), LogImage.of(SyntheticLog.make(seed, 200_000)), vehicle, down, up);
        flight.runUntil(flight.nowNs() + 10 * SECOND_NS);
        flight.finish(10 * SECOND_NS);
        FlightSimulationTest.check(seed, flight);
        return Blame.of(flight);
    }

    private static Px4Settings vehicle(Random random, boolean drops) {
        Px4Settings.Builder settings = Px4Settings.builder()
                .rateBytesPerSecond(drops ? 34_000 + random.nextInt(8_000) : 10_000 + random.nextInt(60_000))
                .telemetryHz(10 + random.nextInt(100))
                .swapEvery(random.nextInt(3) == 0 ? 100 : 0)
                .loops(true)
                .seed(random.nextLong());
        return (drops ? settings.linkBytesPerSecond(SLOW_LINK).queueLimit(true) : settings).build();
    }

    private static LossySettings link(Random random, long seed, int lossPercent) {
        LossySettings link = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed)
                .withDelayNs(MILLISECOND_NS)
                .withReordering(random.nextInt(60), 1 + random.nextInt(8), (1 + random.nextInt(5)) * MILLISECOND_NS)
                .withDuplicates(random.nextInt(5));
        return lossPercent == 0 ? link : link.withLoss(lossPercent, 1 + random.nextInt(4));
    }
}
