package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.metrics.Metrics;

/** The schedule, with a clock set by the test and readings on the caller's thread. */
class SamplerTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long nowNs = Long.MAX_VALUE - 3 * SECOND; // the monotonic time may overflow
    private final long startNs = nowNs;
    private Executor readers = Runnable::run;

    @Test
    void asksEachSourceAtItsOwnRateWithoutDrift() {
        FakeSource fast = new FakeSource("fast", 100 * MS);
        FakeSource slow = new FakeSource("slow", SECOND);
        Sampler sampler = sampler(fast, slow);

        runTo(sampler, 10 * SECOND + 10 * MS, 7 * MS); // each call is a little late

        assertThat(fast.publishedNs).hasSize(101);
        assertThat(slow.publishedNs).hasSize(11);
        for (long i = 0; i < fast.publishedNs.size(); i++) {
            assertThat(fast.publishedNs.get((int) i)).isBetween(i * 100 * MS, i * 100 * MS + 7 * MS);
        }
    }

    @Test
    void skipsTurnsThatWereMissed() {
        FakeSource source = new FakeSource("source", 100 * MS);
        Sampler sampler = sampler(source);
        sampler.doWork();
        nowNs += 1050 * MS;

        sampler.doWork();
        sampler.doWork();

        assertThat(source.publishedNs).containsExactly(0L, 1050 * MS);
        assertThat(sampler.nextDueNs() - nowNs).isEqualTo(50 * MS);
    }

    @Test
    void sleepsUntilTheNextTurnAndNeverLongerThanASecond() {
        Sampler sampler = sampler(new FakeSource("a", 300 * MS), new FakeSource("b", 40 * SECOND));
        sampler.doWork();
        assertThat(sampler.nextDueNs() - nowNs).isEqualTo(300 * MS);

        Sampler lazy = sampler(new FakeSource("b", 40 * SECOND));
        lazy.doWork();
        assertThat(lazy.nextDueNs() - nowNs).isEqualTo(SECOND);
    }

    @Test
    void triesAFailingSourceLessAndLessOftenAndServesTheOthers() {
        FakeSource bad = new FakeSource("bad", 100 * MS);
        FakeSource good = new FakeSource("good", 100 * MS);
        bad.failure = new IOException("broken");
        Sampler sampler = sampler(bad, good);

        runTo(sampler, 300 * SECOND, 0);

        assertThat(good.publishedNs).hasSize(3001);
        assertThat(bad.publishedNs).isEmpty();
        // After 1, 2, 4, 8, 16, 32 seconds and then each minute.
        assertThat(bad.reads).isBetween(9, 11);

        bad.failure = null;
        runTo(sampler, 400 * SECOND, 0);
        assertThat(bad.publishedNs).hasSizeGreaterThan(390);
    }

    @Test
    void aSourceThatThrowsWhatItShouldNotIsAFailingSource() {
        FakeSource bad = new FakeSource("bad", 100 * MS);
        bad.failure = new IllegalStateException("oops");
        FakeSource good = new FakeSource("good", 100 * MS);
        Sampler sampler = sampler(bad, good);

        runTo(sampler, SECOND / 2, 0);

        assertThat(good.publishedNs).hasSize(6);
    }

    @Test
    void aRefusedReadingIsTriedAgain() {
        FakeSource source = new FakeSource("source", 100 * MS);
        readers = work -> {
            throw new RejectedExecutionException();
        };
        Sampler sampler = sampler(source);
        sampler.doWork();

        readers = Runnable::run;
        runTo(sampler, 3 * SECOND, 0);

        assertThat(source.publishedNs.get(0)).isEqualTo(SECOND);
    }

    @Test
    void closesItsSources() {
        FakeSource source = new FakeSource("source", 100 * MS);
        Sampler sampler = sampler(source);

        sampler.onClose();

        assertThat(source.closed).isTrue();
    }

    /** Whichever method of a source throws, the other sources are still read, and the failing one is tried again. */
    @Test
    void containsWhatASourceThrowsFromEveryMethod() {
        for (Method faulty : Thrown.methods(TopicSource.class)) {
            if (Set.of("name", "periodNs").contains(faulty.getName())) {
                continue; // constants
            }
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                Metrics metrics = new Metrics(() -> nowNs);
                FakeSource good = new FakeSource("good", SECOND);
                TopicSource bad = Thrown.from(TopicSource.class, new FakeSource("bad", SECOND), faulty, error);
                Sampler sampler = new Sampler(List.of(bad, good), () -> nowNs, Runnable::run, metrics);

                assertThat(UncaughtErrors.of(() -> {
                            for (int i = 0; i < 10; i++) {
                                sampler.doWork();
                                nowNs += SECOND;
                            }
                            sampler.onClose();
                        }))
                        .as(faulty.getName())
                        .isEmpty();

                assertThat(good.publishedNs).as(faulty.getName()).hasSize(10);
                assertThat(good.closed).isTrue();
                long errors = metrics.part("sampler.bad", Recovery.PAUSES).errors();
                // At 0, 1, 3 and 7 s.
                assertThat(errors)
                        .as(faulty.getName())
                        .isEqualTo(faulty.getName().equals("close") ? 1 : 4);
            }
        }
    }

    private Sampler sampler(FakeSource... sources) {
        return new Sampler(List.of(sources), () -> nowNs, work -> readers.execute(work), new Metrics());
    }

    private void runTo(Sampler sampler, long endNs, long lateNs) {
        while (nowNs - startNs <= endNs) {
            sampler.doWork();
            long sleepNs = sampler.nextDueNs() - nowNs;
            assertThat(sleepNs).as("no busy polling").isPositive();
            nowNs += sleepNs + lateNs;
        }
    }

    private final class FakeSource implements TopicSource {
        private final String name;
        private final long periodNs;
        private final List<Long> publishedNs = new ArrayList<>();
        private @Nullable Exception failure;
        private long readNs;
        private int reads;
        private boolean closed;

        private FakeSource(String name, long periodNs) {
            this.name = name;
            this.periodNs = periodNs;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long periodNs() {
            return periodNs;
        }

        @Override
        public void read(long atNs) throws IOException {
            reads++;
            readNs = atNs;
            if (failure instanceof IOException e) {
                throw e;
            } else if (failure instanceof RuntimeException e) {
                throw e;
            }
        }

        @Override
        public void publish() {
            publishedNs.add(readNs - startNs);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
