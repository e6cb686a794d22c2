package org.mavlogd.app;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.control.SystemdNotifier;
import org.mavlogd.control.Watchdog;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies systemd's watchdog as long as all vital threads make progress; see docs/decisions/0009-watchdog.md. If a
 * thread hangs, it reports which, and waits for systemd to end this process. One thread calls {@link #run}; any may
 * {@link #end} it.
 */
final class WatchdogFeeder implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchdogFeeder.class);
    /**
     * Checks in each half of systemd's time. With fewer, a stall just after a notice would count as longer than it was.
     */
    private static final int LOOKS = 3;

    private final SystemdNotifier notifier;
    private final Watchdog watchdog;
    private final NanoClock clock;
    private final long intervalNs;
    private final String consequence;
    private final Consumer<String> told;
    private final ProblemLog problems = new ProblemLog(LOG);
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * If systemd does not watch, a hanging thread is only reported.
     *
     * @param notifier used only here
     * @param halfNs half of the time in which systemd requires a notice
     * @param told takes the hanging threads at each check; empty if there are none
     */
    WatchdogFeeder(SystemdNotifier notifier, long halfNs, Watchdog watchdog, NanoClock clock, Consumer<String> told) {
        this.told = told;
        this.notifier = notifier;
        this.clock = clock;
        this.intervalNs = Math.max(1, halfNs / LOOKS);
        this.watchdog = watchdog;
        this.consequence = notifier.watchdogIntervalNs() == 0 ? "" : "; systemd restarts this program if that lasts";
    }

    @Override
    public void run() {
        try {
            notifier.watchdog();
            while (!ended.await(intervalNs, TimeUnit.NANOSECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            notifier.close();
        }
    }

    private void look() {
        Optional<String> complaint = watchdog.complaint(clock.nanoTime());
        told.accept(complaint.orElse(""));
        if (complaint.isPresent()) {
            problems.report(complaint.get() + consequence);
        } else {
            problems.resolved("all threads make progress again");
            notifier.watchdog();
        }
    }

    /** Stops the notices, which systemd does not require once the end has begun. */
    void end() {
        ended.countDown();
    }
}
