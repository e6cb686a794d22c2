package org.mavlogd.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the warnings that operators see, in this process; for tests with one thread. */
final class Alarms extends Handler implements AutoCloseable {
    /** One warning with its time. */
    record Alarm(long timeNs, String text) {}

    private final Logger source = Logger.getLogger("org.mavlogd");
    private final LongSupplier clock;
    private final List<Alarm> alarms = new ArrayList<>();

    Alarms(LongSupplier clock) {
        this.clock = clock;
        source.addHandler(this);
        source.setUseParentHandlers(false); // expected warnings stay off the console
    }

    /** How long after a failure a warning with these words was logged; fails if it took longer than the limit. */
    static long delayNs(List<Alarm> alarms, String words, long failureNs, long limitNs) {
        long alarmNs = alarms.stream()
                .filter(alarm -> alarm.timeNs() >= failureNs && alarm.text().contains(words))
                .mapToLong(Alarm::timeNs)
                .min()
                .orElseThrow(() -> new AssertionError("no alarm"));
        if (alarmNs - failureNs > limitNs) {
            throw new AssertionError("alarm only after " + (alarmNs - failureNs) + " ns");
        }
        return alarmNs - failureNs;
    }

    List<Alarm> all() {
        return alarms;
    }

    @Override
    public void publish(LogRecord event) {
        if (event.getLevel().intValue() >= Level.WARNING.intValue()) {
            alarms.add(new Alarm(clock.getAsLong(), event.getMessage()));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        source.setUseParentHandlers(true);
        source.removeHandler(this);
    }
}
