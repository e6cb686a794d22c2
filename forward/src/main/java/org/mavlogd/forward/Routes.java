package org.mavlogd.forward;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The endpoints at which each system and component was heard: a bit for each endpoint. There is a place for every pair
 * of ids, so made-up ones take no room from others. Who is silent for {@link #AGE_NS} to twice that is forgotten. Owned
 * by one thread; time is an argument.
 */
final class Routes {
    static final long AGE_NS = TimeUnit.MINUTES.toNanos(5);

    private static final int SYSTEMS = 256;
    private static final int SOURCES = SYSTEMS << Byte.SIZE;

    private Heard now = new Heard();
    private Heard before = new Heard();
    private long beganNs;

    /** What was heard in one stretch of time. */
    private static final class Heard {
        final long[] bySource = new long[SOURCES];
        final long[] bySystem = new long[SYSTEMS];

        void clear() {
            Arrays.fill(bySource, 0);
            Arrays.fill(bySystem, 0);
        }

        void clear(long endpoints) {
            clear(bySource, endpoints);
            clear(bySystem, endpoints);
        }

        private static void clear(long[] heard, long endpoints) {
            for (int i = 0; i < heard.length; i++) {
                heard[i] &= ~endpoints;
            }
        }
    }

    Routes(long nowNs) {
        beganNs = nowNs;
    }

    /** A frame came from there. System 0 is nobody. Hot path. */
    void heard(long endpoint, int source) {
        if ((now.bySource[source] & endpoint) == 0 && source >= SYSTEMS) {
            now.bySource[source] |= endpoint;
            now.bySystem[source >>> Byte.SIZE] |= endpoint;
        }
    }

    /** The endpoints where a sender was heard. Hot path. */
    long ofSource(int source) {
        return now.bySource[source] | before.bySource[source];
    }

    /** The endpoints where a target was heard; component 0 stands for any. Hot path. */
    long ofTarget(int target) {
        int system = target >>> Byte.SIZE;
        return (target & 0xFF) == 0 ? now.bySystem[system] | before.bySystem[system] : ofSource(target);
    }

    /** Nobody is there any more. */
    void forget(long endpoint) {
        now.clear(endpoint);
        before.clear(endpoint);
    }

    void onTick(long nowNs) {
        if (nowNs - beganNs >= AGE_NS) {
            beganNs = nowNs;
            Heard oldest = before;
            before = now;
            oldest.clear();
            now = oldest;
        }
    }
}
