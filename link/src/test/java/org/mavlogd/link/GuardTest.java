package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardTest {
    private final List<Throwable> mistakes = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();

    @Test
    void handsOverWhatATaskThrowsAndCallsTheListenerNoMore() throws InterruptedException {
        Guard guard = new Guard(listener);

        onThread(() -> {
            guard.onTick(1);
            guard.run(() -> {
                throw new IllegalStateException("broken");
            });
            guard.onTick(2);
        });

        assertThat(mistakes).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(guard.isBroken()).isTrue();
        assertThat(listener.ticks).hasValue(1);
        assertThat(guard.mayWait()).isFalse();
    }

    @Test
    void stillRunsTasksAfterAMistakeSoThatTheLinkCanClose() throws InterruptedException {
        Guard guard = new Guard(listener);
        List<String> ran = new ArrayList<>();

        onThread(() -> {
            guard.handOver(new IllegalStateException("broken"));
            guard.run(() -> ran.add("close"));
        });

        assertThat(ran).containsExactly("close");
    }

    private void onThread(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, "guarded");
        thread.setUncaughtExceptionHandler((where, mistake) -> mistakes.add(mistake));
        thread.start();
        thread.join(5000);
    }
}
