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
 * Sends systemd's watchdog signs of life for as long as all vital threads make progress; see
 * docs/decisions/0009-watchdog.md. When a thread hangs it reports which, and waits for systemd to end this process. One
 * thread calls {@link #run}; any may {@link #end} it.
 */
final class WatchdogFeeder implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchdogFeeder.class);
    /** Looks in each half of systemd's time. With fewer, a stall just after a sign of life would count for longer than it was. */
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
     * Where systemd does not watch, a thread that hangs is only reported.
     *
     * @param notifier the feeder's alone
     * @param halfNs half of the time in which systemd wants a sign of life
     * @param told takes what hangs, at each look; empty while nothing does
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

    /** No more signs of life: systemd wants none once the end has begun. */
    void end() {
        ended.countDown();
    }
}
