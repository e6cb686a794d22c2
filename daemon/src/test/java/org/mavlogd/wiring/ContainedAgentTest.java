package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.metrics.Metrics;

/** The containment of all parts with their own thread: sampler, journal, events, the store of fetched logs. */
class ContainedAgentTest {
    private long nowNs;
    private final Metrics metrics = new Metrics(() -> nowNs);

    private static final class Counting implements Agent {
        private int works;

        @Override
        public int doWork() {
            works++;
            return 1;
        }

        @Override
        public String roleName() {
            return "worker";
        }
    }

    @Test
    void containsWhatEveryMethodThrows() {
        for (Method faulty : Thrown.methods(Agent.class)) {
            if (faulty.getName().equals("roleName")) {
                continue; // a constant
            }
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                Metrics its = new Metrics(() -> nowNs);
                ContainedAgent agent = new ContainedAgent(Thrown.from(Agent.class, new Counting(), faulty, error), its);

                List<Throwable> uncaught = UncaughtErrors.of(() -> {
                    agent.onStart();
                    agent.doWork();
                    agent.onClose();
                });

                assertThat(uncaught).as(faulty.getName()).isEmpty();
                assertThat(its.part("worker", Recovery.PAUSES).errors())
                        .as(faulty.getName())
                        .isOne();
                assertThat(agent.rounds()).isOne();
            }
        }
    }

    @Test
    void isNotCalledUntilTheDelayIsOverThoughItsThreadGoesOn() {
        Counting counting = new Counting();
        ContainedAgent agent = new ContainedAgent(counting, metrics);
        agent.part().contain(new IllegalStateException("test"));

        agent.doWork();
        agent.doWork();
        assertThat(counting.works).isZero();
        assertThat(agent.rounds()).isEqualTo(2);

        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertThat(agent.doWork()).isOne();
        assertThat(counting.works).isOne();
    }

    @Test
    void countsInTheMetrics() {
        ContainedAgent agent = new ContainedAgent(new Counting(), metrics);
        agent.part().contain(new IllegalStateException("test"));

        assertThat(metrics.scrape()).contains("mavlogd_contained_errors_total{part=\"worker\"} 1.0");
    }
}
