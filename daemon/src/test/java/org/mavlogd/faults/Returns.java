package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/**
 * How soon after each start the recording was back. Judged in the long form only, and only where the machine was not busy
 * with something else before: there the figure says nothing of the program.
 */
final class Returns {
    private final Duration limit;
    private final boolean isBusy = Host.isBusy();
    private Duration slowest = Duration.ZERO;

    Returns(Duration limit) {
        this.limit = limit;
    }

    /** It is back after a start at that time of {@link System#nanoTime}. */
    void back(long startNs) {
        Duration passed = Duration.ofNanos(System.nanoTime() - startNs);
        slowest = passed.compareTo(slowest) > 0 ? passed : slowest;
    }

    /** The figure, for people. */
    String judge(Fault.Form form) {
        if (form == Fault.Form.LONG && !isBusy) {
            assertThat(slowest).as("recording again after a start").isLessThanOrEqualTo(limit);
        }
        String text = "recording again " + slowest.toMillis() + " ms after the start or sooner";
        return isBusy ? text + " (not judged: the machine was busy before)" : text;
    }
}
