package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BellTest {
    private static final long DEADLINE_MS = TimeUnit.SECONDS.toMillis(30);

    private final TextSources.Bell bell = new TextSources.Bell(TimeUnit.HOURS.toNanos(1));
    private final Semaphore awake = new Semaphore(0);
    private volatile boolean isRunning = true;
    private final Thread thread = new Thread(this::run, "sleeper");

    private void run() {
        while (isRunning) {
            awake.release();
            bell.idle();
        }
    }

    /** Whether the thread got around within the deadline, asked for that again and again: it may be on its way to bed. */
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
        bell.ring(); // nobody sleeps yet
        thread.start();
        assertThat(wakesUp(bell::ring)).isTrue();
        assertThat(wakesUp(bell::ring)).isTrue();

        bell.end();
        isRunning = false; // too late for the bell to tell: the thread may have gone to bed again
        thread.join(DEADLINE_MS);
        assertThat(thread.isAlive()).isFalse();
    }
}
