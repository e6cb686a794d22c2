package org.mavlogd.app;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.metrics.Latest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logs finished by this run, newest last. Written by the keeper's thread, read by any. */
final class FinishedLogs {
    private static final Logger LOG = LoggerFactory.getLogger(FinishedLogs.class);
    private static final int KEPT = 16;

    /** A finished log file. */
    record Log(String name, long bytes) {}

    private final Latest<List<Log>> logs = new Latest<>(List.of());

    void add(String name, long bytes) {
        LOG.info("finished {}, {} bytes", name, bytes);
        List<Log> next = new ArrayList<>(logs.get());
        next.add(new Log(name, bytes));
        logs.set(List.copyOf(next.subList(Math.max(0, next.size() - KEPT), next.size())));
    }

    List<Log> newest() {
        return logs.get();
    }
}
