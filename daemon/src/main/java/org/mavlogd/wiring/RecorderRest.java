package org.mavlogd.wiring;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/** The idle strategy of the recorder's thread: sleeps after a round without work, for as long as the recorder allows. Hot path. */
record RecorderRest(LongSupplier sleepNs) implements IdleStrategy {
    @Override
    public void idle(int workCount) {
        if (workCount <= 0) {
            idle();
        }
    }

    @Override
    public void idle() {
        long ns = sleepNs.getAsLong();
        if (ns > 0) {
            LockSupport.parkNanos(ns);
        }
    }

    @Override
    public void reset() {}

    @Override
    public String alias() {
        return "recorder";
    }
}
