package org.mavlogd.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.metrics.Metrics;

class MemoryBudgetTest {
    private static final List<Requester> OTHERS =
            List.of(Requester.LOCAL_SOURCE, Requester.HTTP_CLIENT, Requester.UNFINISHED_LOG, Requester.FORWARDING);
    private static final int MEBI = 1 << 20;
    private static final int KIBI = 1 << 10;

    private final MemoryBudget budget = new MemoryBudget(20 * MEBI);

    @Test
    void givesNothingBeyondItsLimitAndTakesBackWhatIsReleased() {
        MemoryShare share = budget.share(Requester.LOCAL_SOURCE);
        long limit = part(Requester.LOCAL_SOURCE).limit();

        assertThat(share.reserve(limit)).isTrue();
        assertThat(share.reserve(1)).isFalse();
        share.release(1);

        assertThat(share.reserve(1)).isTrue();
        assertThat(budget.used()).isEqualTo(limit);
        assertThat(part(Requester.LOCAL_SOURCE).refused()).isEqualTo(1);
        share.close();
        assertThat(budget.used()).isZero();
    }

    @Test
    void refusesToReleaseWhatWasNotTaken() {
        MemoryShare share = budget.share(Requester.HTTP_CLIENT);
        share.reserve(10);

        assertThatThrownBy(() -> share.release(11)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onePartIsNoneOfTheOthersBusiness() {
        takeAll(budget.share(Requester.LOCAL_SOURCE));
        takeAll(budget.share(Requester.HTTP_CLIENT));
        takeAll(budget.share(Requester.UNFINISHED_LOG));
        for (int i = 0; i < 100; i++) {
            takeAll(budget.vehicle(100 + i));
        }

        budget.known(1);
        assertThat(budget.vehicle(1).reserve(MEBI)).isTrue();
    }

    @Test
    void twentyFourGreedyStrangersLeaveAPlaceThatHoldsAPx4sDefinitions() {
        List<MemoryShare> forged = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            MemoryShare share = budget.vehicle(100 + i);
            takeAll(share);
            forged.add(share);
        }

        assertThat(budget.vehicle(1).reserve(110 * KIBI)).isTrue();
        assertThat(forged).allMatch(share -> share.held() >= 110 * KIBI);
    }

    @Test
    void aKnownVehicleComesBeforeStrangersAndASignedOneBeforeBoth() {
        for (int i = 0; i < 60; i++) {
            takeAll(budget.vehicle(i));
        }
        assertThat(budget.vehicle(60).reserve(64 * KIBI)).isFalse();
        for (int i = 60; i < 120; i++) {
            budget.known(i);
            takeAll(budget.vehicle(i));
        }
        MemoryShare next = budget.vehicle(120);
        assertThat(next.reserve(MEBI)).isFalse();

        budget.signed(120);

        assertThat(next.reserve(MEBI)).isTrue();
        assertThat(next.wasRefused()).isTrue();
    }

    @Test
    void aVehicleThatProvesItselfLeavesItsPartToStrangers() {
        MemoryShare share = budget.vehicle(1);
        takeAll(share);
        long ofStrangers = part(Requester.STRANGER).used();

        budget.known(1);
        share.reserve(1);

        assertThat(part(Requester.STRANGER).used()).isLessThan(ofStrangers);
        assertThat(part(Requester.KNOWN_VEHICLE).used()).isGreaterThan(0);
        share.close();
        assertThat(budget.used()).isZero();
    }

    @Test
    void countsWhatIsTakenInAnyCase() {
        MemoryShare share = budget.share(Requester.LOCAL_SOURCE);
        takeAll(share);

        share.take(5 * MEBI);

        assertThat(share.reserve(1)).isFalse();
        share.close();
        assertThat(budget.used()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsUsedIsTheSumOfWhatIsHeldWhateverHappens(long seed) {
        Random random = new Random(seed);
        List<MemoryShare> shares = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            step(random, shares);
            assertThat(budget.used()).isLessThanOrEqualTo(budget.bytes());
            for (MemoryBudget.Part part : budget.parts()) {
                assertThat(part.used()).isBetween(0L, part.limit());
            }
            assertThat(budget.used())
                    .isGreaterThanOrEqualTo(
                            shares.stream().mapToLong(MemoryShare::held).sum());
        }
        shares.forEach(MemoryShare::close);

        assertThat(budget.used()).isZero();
    }

    private void step(Random random, List<MemoryShare> shares) {
        int systemId = random.nextInt(64);
        switch (random.nextInt(10)) {
            case 0 -> shares.add(budget.vehicle(systemId));
            case 1 -> shares.add(budget.share(OTHERS.get(random.nextInt(OTHERS.size()))));
            case 2 -> {
                if (!shares.isEmpty()) {
                    shares.remove(random.nextInt(shares.size())).close();
                }
            }
            case 3 -> {
                if (random.nextInt(100) == 0) {
                    budget.known(systemId);
                } else if (random.nextInt(100) == 0) {
                    budget.signed(systemId);
                }
            }
            default -> {
                if (!shares.isEmpty()) {
                    change(random, shares.get(random.nextInt(shares.size())));
                }
            }
        }
    }

    private static void change(Random random, MemoryShare share) {
        if (random.nextInt(3) == 0 && share.held() > 0) {
            share.release(1 + random.nextInt((int) share.held()));
        } else {
            share.reserve(random.nextInt(600 * KIBI));
        }
    }

    @Test
    void threadsTogetherGetNoMoreThanThereIs() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<MemoryShare> shares = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MemoryShare share = budget.share(Requester.LOCAL_SOURCE);
            shares.add(share);
            threads.add(new Thread(() -> takeAndGive(share)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        long held = shares.stream().mapToLong(MemoryShare::held).sum();
        assertThat(held).isEqualTo(part(Requester.LOCAL_SOURCE).used());
        assertThat(held).isLessThanOrEqualTo(part(Requester.LOCAL_SOURCE).limit());
    }

    private static void takeAndGive(MemoryShare share) {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            if (!share.reserve(1 + random.nextInt(10_000)) || random.nextInt(4) == 0) {
                share.release(Math.min(share.held(), random.nextInt(20_000)));
            }
        }
    }

    @Test
    void askingAllocatesNothing() {
        MemoryShare share = budget.vehicle(1);
        askAgainAndAgain(share);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);

        askAgainAndAgain(share);

        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(1000);
    }

    private static void askAgainAndAgain(MemoryShare share) {
        for (int i = 0; i < 20_000; i++) {
            if (!share.reserve(1000)) {
                share.release(share.held());
            }
        }
    }

    @Test
    void showsItselfInTheMetrics() {
        Metrics metrics = new Metrics();
        budget.addGauges(metrics);
        MemoryShare share = budget.share(Requester.LOCAL_SOURCE);

        takeAll(share);
        share.reserve(1);
        System.gc();

        assertThat(metrics.scrape())
                .contains("mavlogd_memory_budget_bytes 2.097152E7")
                .contains("mavlogd_memory_used_bytes{requester=\"local\"} 2621440.0")
                .contains("mavlogd_memory_refused_total{requester=\"stranger\"} 0.0")
                .containsPattern("mavlogd_memory_refused_total\\{requester=\"local\"} [1-9]");
    }

    private MemoryBudget.Part part(Requester requester) {
        return budget.part(requester);
    }

    private static void takeAll(MemoryShare share) {
        for (int step = MEBI; step > 0; step /= 2) {
            while (share.reserve(step)) {
                // until there is no memory left
            }
        }
    }
}
