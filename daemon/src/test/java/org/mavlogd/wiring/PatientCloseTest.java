package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Test;

/** The end of a recorder whose disk is slow. */
class PatientCloseTest {
    @Test
    void aThreadThatTakesLongToCloseIsNotInterrupted() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        AtomicBoolean closed = new AtomicBoolean();
        Agent slow = new Agent() {
            @Override
            public int doWork() {
                started.countDown();
                return 0;
            }

            @Override
            public void onClose() {
                try {
                    TimeUnit.MILLISECONDS.sleep(500); // as a write to a slow disk
                } catch (InterruptedException e) {
                    interrupted.set(true);
                }
                closed.set(true);
            }

            @Override
            public String roleName() {
                return "slow";
            }
        };
        AgentRunner runner = new AgentRunner(new SleepingMillisIdleStrategy(1), error -> {}, null, slow);
        AgentRunner.startOnThread(runner);
        started.await();

        Daemon.closePatiently(runner, 20);

        assertThat(closed).isTrue();
        assertThat(interrupted).isFalse();
    }
}
