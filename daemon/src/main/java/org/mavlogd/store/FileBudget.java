package org.mavlogd.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many new files of each kind a vehicle may have in a minute: no kind takes another's place. A vehicle that boots as
 * fast as it can needs fewer: only a stream that is broken, or made to look so, needs more. Owned by the recorder's thread.
 */
final class FileBudget {
    static final int FILES = 30;
    private static final long WINDOW_NS = TimeUnit.MINUTES.toNanos(1);

    /** The times of the last files, the oldest at {@code next}. */
    private static final class Times {
        private final long[] beginsNs = new long[FILES];
        private int next;

        private Times(long longAgoNs) {
            Arrays.fill(beginsNs, longAgoNs);
        }
    }

    private record Key(int systemId, LogKind kind) {}

    private final Map<Key, Times> vehicles = new HashMap<>();

    boolean allows(int systemId, LogKind kind, long nowNs) {
        Times times = vehicles.get(new Key(systemId, kind));
        return times == null || nowNs - times.beginsNs[times.next] >= WINDOW_NS;
    }

    /** A file was begun. */
    void take(int systemId, LogKind kind, long nowNs) {
        Times times = vehicles.computeIfAbsent(new Key(systemId, kind), key -> new Times(nowNs - WINDOW_NS));
        times.beginsNs[times.next] = nowNs;
        times.next = (times.next + 1) % FILES;
    }
}
