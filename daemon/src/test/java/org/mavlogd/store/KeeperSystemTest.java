package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keeper on its own thread and a real disk. */
class KeeperSystemTest {
    // Long enough that the test fails if the keeper is not woken.
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(4);
    private static final long PROMPT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int ROUNDS = 20;

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void whatIsUrgentDoesNotWaitForTheKeepersIdling() throws IOException {
        Disk disk = new FileDisk(directory);
        long[] finished = new long[1];
        Keeper keeper = new Keeper(disk, SystemNanoClock.INSTANCE, (name, bytes) -> finished[0] = bytes);
        StoreSettings settings = new StoreSettings(4096, StoreSettings.Durability.ofMs(500));
        LogStore store = new LogStore(disk, SystemEpochClock.INSTANCE, settings, keeper);
        long[] latenciesUs = new long[ROUNDS];
        try (AgentRunner runner = new AgentRunner(new SleepingIdleStrategy(IDLE_NS), e -> {}, null, keeper)) {
            AgentRunner.startOnThread(runner);
            LogFile file = store.create(1);
            for (int i = 0; i < ROUNDS; i++) {
                latenciesUs[i] = TimeUnit.NANOSECONDS.toMicros(force(keeper, file, i));
            }
            store.finish(file);
        }

        Arrays.sort(latenciesUs);
        System.out.println("from the request to the end of the force, us: median " + latenciesUs[ROUNDS / 2]
                + ", longest " + latenciesUs[ROUNDS - 1] + ", of it the force "
                + TimeUnit.NANOSECONDS.toMicros(keeper.forces().longestNs()));
        assertThat(TimeUnit.MICROSECONDS.toNanos(latenciesUs[ROUNDS / 2])).isLessThan(PROMPT_NS);
        assertThat(finished[0]).isEqualTo(ROUNDS * 100L);
    }

    private static long force(Keeper keeper, LogFile file, int round) {
        long done = keeper.forces().count();
        // Longer than the keeper takes to sleep again, and than the shortest interval between two forces.
        long beginNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(60);
        await(() -> System.nanoTime() - beginNs >= 0);
        file.append(new UnsafeBuffer(new byte[100]), 0, 100, beginNs);
        file.makeUrgent();
        long askedNs = System.nanoTime();
        assertThat(file.flushIfDue(askedNs)).as("round %d", round).isTrue();
        await(() -> keeper.forces().count() > done);
        return System.nanoTime() - askedNs;
    }

    private static void await(BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadlineNs).isNegative();
            Thread.onSpinWait();
        }
    }
}
