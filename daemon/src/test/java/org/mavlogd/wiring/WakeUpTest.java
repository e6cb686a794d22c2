package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WakeUpTest {
    private static final long DEADLINE_MS = TimeUnit.SECONDS.toMillis(30);

    private final TextSources.WakeUp wakeUp = new TextSources.WakeUp(TimeUnit.HOURS.toNanos(1));
    private final Semaphore awake = new Semaphore(0);
    private volatile boolean isRunning = true;
    private final Thread thread = new Thread(this::run, "sleeper");

    private void run() {
        while (isRunning) {
            awake.release();
            wakeUp.idle();
        }
    }

    /** Whether the thread woke up within the deadline. Repeats the wake-up, since the thread may not be asleep yet. */
    private boolean wakesUp(Runnable asking) throws InterruptedException {
        awake.drainPermits();
        for (long waitedMs = 0; waitedMs < DEADLINE_MS; waitedMs += 10) {
            asking.run();
            if (awake.tryAcquire(10, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void wakesTheThreadWhenItIsRungAndLetsItGoAtTheEnd() throws InterruptedException {
        wakeUp.wake(); // the thread is not asleep yet
        thread.start();
        assertThat(wakesUp(wakeUp::wake)).isTrue();
        assertThat(wakesUp(wakeUp::wake)).isTrue();

        wakeUp.end();
        isRunning = false; // too late for the wake-up: the thread may be asleep again
        thread.join(DEADLINE_MS);
        assertThat(thread.isAlive()).isFalse();
    }
}
