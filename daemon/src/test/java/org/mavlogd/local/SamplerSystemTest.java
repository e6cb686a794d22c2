package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SystemNanoClock;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The sampler on its own threads. */
class SamplerSystemTest {
    private final ThreadPoolExecutor readers = Sampler.readingThreads();
    private @Nullable AgentRunner runner;

    @AfterEach
    void stop() {
        closeRunner();
        readers.shutdownNow();
    }

    @Test
    void aReadingThatHangsDisturbsNoOtherSource() {
        HangingSource hanging = new HangingSource();
        CountingSource counting = new CountingSource();
        start(hanging, counting);

        await(() -> counting.published.get() > 100);

        assertThat(hanging.reads.get()).isEqualTo(1);
        assertThat(hanging.published.get()).isZero();
        hanging.release.countDown();
        await(() -> hanging.published.get() > 2);
    }

    @Test
    void closesWithoutTheSourceThatHangs() {
        HangingSource hanging = new HangingSource();
        CountingSource counting = new CountingSource();
        start(hanging, counting);
        await(() -> counting.published.get() > 5);

        closeRunner();

        assertThat(counting.closed.get()).isEqualTo(1);
        assertThat(hanging.closed.get()).isZero();
        hanging.abandoned = true;
    }

    private void start(TopicSource... sources) {
        Sampler sampler =
                new Sampler(List.of(sources), SystemNanoClock.INSTANCE, readers, new org.mavlogd.metrics.Metrics());
        AgentRunner started = new AgentRunner(
                sampler.idleStrategy(),
                e -> {
                    throw new AssertionError(e);
                },
                null,
                sampler);
        AgentRunner.startOnThread(started);
        runner = started;
    }

    private void closeRunner() {
        if (runner != null) {
            runner.close();
        }
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(50))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private static class CountingSource implements TopicSource {
        final AtomicInteger reads = new AtomicInteger();
        final AtomicInteger published = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();

        @Override
        public String name() {
            return getClass().getSimpleName();
        }

        @Override
        public long periodNs() {
            return TimeUnit.MILLISECONDS.toNanos(5);
        }

        @Override
        public void read(long nowNs) throws IOException {
            reads.incrementAndGet();
        }

        @Override
        public void publish() {
            published.incrementAndGet();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private static final class HangingSource extends CountingSource {
        private final CountDownLatch release = new CountDownLatch(1);
        private volatile boolean abandoned;

        @Override
        public void read(long nowNs) throws IOException {
            super.read(nowNs);
            while (release.getCount() > 0) {
                // Ignores interrupts, like a read of a dead device.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                if (abandoned) {
                    return;
                }
            }
        }
    }
}
