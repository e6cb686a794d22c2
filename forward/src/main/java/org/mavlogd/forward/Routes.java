package org.mavlogd.forward;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The endpoints at which each system and component was received: one bit for each endpoint. There is an entry for every
 * pair of ids, so forged ones displace no others. Ids that are silent are forgotten after one to two times {@link
 * #AGE_NS}. Takes the time as an argument. Owned by one thread, except {@link #systems}.
 */
final class Routes {
    static final long AGE_NS = TimeUnit.MINUTES.toNanos(5);

    private static final int SYSTEMS = 256;
    private static final int SOURCES = SYSTEMS << Byte.SIZE;

    private Heard now = new Heard();
    private Heard before = new Heard();
    private final List<Heard> both = List.of(now, before);
    private long beganNs;

    /** The senders received in one period. */
    private static final class Heard {
        final long[] bySource = new long[SOURCES];
        final AtomicLongArray bySystem = new AtomicLongArray(SYSTEMS);

        void clear() {
            Arrays.fill(bySource, 0);
            for (int i = 0; i < SYSTEMS; i++) {
                bySystem.setOpaque(i, 0);
            }
        }

        /** Visits only systems that were received there, because endpoints may come and go in quick succession. */
        void clear(long endpoints) {
            for (int system = 0; system < SYSTEMS; system++) {
                if ((bySystem.getPlain(system) & endpoints) != 0) {
                    bySystem.setOpaque(system, bySystem.getPlain(system) & ~endpoints);
                    int first = system << Byte.SIZE;
                    for (int source = first; source < first + SYSTEMS; source++) {
                        bySource[source] &= ~endpoints;
                    }
                }
            }
        }

        void add(long endpoint, int source) {
            int system = source >>> Byte.SIZE;
            bySource[source] |= endpoint;
            bySystem.setOpaque(system, bySystem.getPlain(system) | endpoint);
        }
    }

    Routes(long nowNs) {
        beganNs = nowNs;
    }

    /** Records the sender of a frame. System 0 is ignored. Hot path. */
    void heard(long endpoint, int source) {
        if ((now.bySource[source] & endpoint) == 0 && source >= SYSTEMS) {
            now.add(endpoint, source);
        }
    }

    /** The endpoints at which a sender was received. Hot path. */
    long ofSource(int source) {
        return now.bySource[source] | before.bySource[source];
    }

    /** The endpoints at which a target was received; component 0 matches any. Hot path. */
    long ofTarget(int target) {
        int system = target >>> Byte.SIZE;
        return (target & 0xFF) == 0
                ? now.bySystem.getPlain(system) | before.bySystem.getPlain(system)
                : ofSource(target);
    }

    /** The systems received at an endpoint, ascending. Any thread. */
    List<Integer> systems(long endpoint) {
        List<Integer> systems = new ArrayList<>();
        for (int system = 0; system < SYSTEMS; system++) {
            int id = system;
            if (both.stream().anyMatch(heard -> (heard.bySystem.getOpaque(id) & endpoint) != 0)) {
                systems.add(system);
            }
        }
        return systems;
    }

    /** Forgets everything about an endpoint. */
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
