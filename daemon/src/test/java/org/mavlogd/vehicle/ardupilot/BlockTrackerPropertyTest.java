package org.mavlogd.vehicle.ardupilot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.vehicle.ardupilot.BlockTracker.Verdict;

/** How many blocks may be missing: all that a vehicle repeats, and few that a forger claims. */
class BlockTrackerPropertyTest {
    private static final int BLOCKS = 20_000;
    private static final int VEHICLE_HOLDS = 255;

    /** Random numbers of a forged vehicle in any number of logs. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void fillersStayInProportionToWhatWasReceived(long seed) {
        Random random = new Random(seed);
        BlockTracker tracker = new BlockTracker();
        long logs = 0;
        long received = 0;
        long fillers = 0;
        for (int log = 0; log < 1 + random.nextInt(20); log++) {
            tracker.reset(0, 0, List.of(), 0);
            tracker.accept(0, 1, 0);
            logs++;
            received++;
            long inFile = 1;
            for (int i = 0; i < random.nextInt(3000); i++) {
                long number = tracker.highest() + 1 + random.nextInt(random.nextBoolean() ? 600 : 3);
                if (tracker.judge(number, 1) == Verdict.NEW) {
                    tracker.accept(number, 1, 0);
                    received++;
                    inFile++;
                }
            }
            fillers += tracker.highest() + 1 - inFile;
        }

        assertThat(fillers)
                .isLessThanOrEqualTo(BlockTracker.HELD
                        + logs * BlockTracker.MISSING_IN_NEW_LOG
                        + received / BlockTracker.BLOCKS_PER_HOLE);
    }

    /** Loss, reordering, and outages in which the vehicle's buffer fills up. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyBlockOfARealVehicleGetsToItsPlaceHoweverBadTheLink(long seed) {
        Random random = new Random(seed);
        double loss = random.nextDouble() * 0.97;
        BlockTracker tracker = new BlockTracker();
        tracker.reset(0, 0, List.of(), 0);
        tracker.accept(0, hash(0), 0);
        Set<Long> stored = new HashSet<>(Set.of(0L));
        Deque<Long> unacknowledged = new ArrayDeque<>();
        long next = 1;
        while (stored.size() < BLOCKS) {
            while (next < BLOCKS && unacknowledged.size() < 1 + random.nextInt(VEHICLE_HOLDS)) {
                unacknowledged.add(next++);
            }
            boolean isOutage = random.nextInt(50) == 0;
            for (int sent = unacknowledged.size(); sent > 0; sent--) {
                long number = random.nextInt(4) == 0 ? unacknowledged.removeLast() : unacknowledged.removeFirst();
                boolean arrives = !isOutage && random.nextDouble() >= loss;
                Verdict verdict = arrives ? tracker.judge(number, hash(number)) : Verdict.OTHER;
                assertThat(arrives && verdict == Verdict.OTHER)
                        .as("block %s is refused", number)
                        .isFalse();
                if (verdict == Verdict.NEW) {
                    tracker.accept(number, hash(number), 0);
                    assertThat(stored.add(number)).isTrue();
                }
                boolean acknowledged = arrives && random.nextDouble() >= loss;
                if (!acknowledged) {
                    unacknowledged.addLast(number);
                }
            }
        }

        assertThat(tracker.missing()).isZero();
    }

    private static long hash(long number) {
        return number * 31 + 7;
    }
}
