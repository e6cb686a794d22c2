package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Containment;
import org.mavlogd.contain.Recovery;
import org.mavlogd.wiring.DaemonStatus;

/** The line of {@code --live} if the status throws; see StatusSystemTest for its contents. */
class LiveLineTest {
    private final ContainedPart part = ContainedPart.unlisted("live.line", Recovery.CONTINUES);
    private final StringWriter shown = new StringWriter();

    /** A status whose every method throws. */
    @SuppressWarnings("NullAway")
    private static DaemonStatus broken() {
        return new DaemonStatus(
                null, null, null, Optional.empty(), null, new Containment(() -> 0), null, () -> "", () -> 0);
    }

    private LiveLine live(boolean isTerminal) {
        return new LiveLine(broken(), new PrintWriter(shown), isTerminal, part);
    }

    @Test
    void errorLeavesTheLineEmpty() {
        assertThat(live(false).text()).isEmpty();
        assertThat(part.errors()).isEqualTo(1);
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void errorEndsNothingAndTheNextLineIsTried() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        StringWriter opensAtTheThird = new StringWriter() {
            private int flushes;

            @Override
            public void flush() {
                if (++flushes == 3) {
                    end.countDown();
                }
            }
        };

        new LiveLine(broken(), new PrintWriter(opensAtTheThird), false, part).showUntil(end);

        assertThat(part.errors()).isEqualTo(3);
    }
}
