package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/**
 * How soon after each start recording resumed. Judged in the long form only, and only if the machine was not busy
 * otherwise: on a busy machine the figure says nothing about the program.
 */
final class Returns {
    private final Duration limit;
    private final boolean isBusy = Host.isBusy();
    private Duration slowest = Duration.ZERO;

    Returns(Duration limit) {
        this.limit = limit;
    }

    /** Recording has resumed after the start at this time of {@link System#nanoTime}. */
    void back(long startNs) {
        Duration passed = Duration.ofNanos(System.nanoTime() - startNs);
        slowest = passed.compareTo(slowest) > 0 ? passed : slowest;
    }

    /** Checks the figure and returns it as text. */
    String judge(Fault.Form form) {
        if (form == Fault.Form.LONG && !isBusy) {
            assertThat(slowest).as("recording again after a start").isLessThanOrEqualTo(limit);
        }
        String text = "recording again " + slowest.toMillis() + " ms after the start or sooner";
        return isBusy ? text + " (not judged: the machine was busy before)" : text;
    }
}
