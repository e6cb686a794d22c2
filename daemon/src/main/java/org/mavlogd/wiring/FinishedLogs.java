package org.mavlogd.wiring;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.metrics.Latest;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs finished by this run, each with all its files, newest last. Written by the keeper's thread, read by any
 * thread.
 */
final class FinishedLogs {
    private static final Logger LOG = LoggerFactory.getLogger(FinishedLogs.class);
    private static final int KEPT = 16;

    /**
     * A log of one or more files: an ArduPilot's {@code .bin} and {@code .ulg}, those of a divided log, a
     * {@code .tlog}.
     *
     * @param file its newest file of the kind that represents it
     * @param bytes of all files
     */
    record Log(String id, String file, long bytes, int files) {
        private Log with(String name, long more) {
            boolean isShown = LogKind.leading(kind(name), kind(file)) == kind(name);
            return new Log(id, isShown ? name : file, bytes + more, files + 1);
        }

        private static LogKind kind(String name) {
            return LogKind.of(name).orElse(LogKind.ULG);
        }
    }

    private final Latest<List<Log>> logs = new Latest<>(List.of());

    void add(String name, long bytes) {
        LOG.info("finished {}, {} bytes", name, bytes);
        List<Log> next = new ArrayList<>(logs.get());
        String id = LogName.logOf(name);
        int before = index(next, id);
        next.add(before < 0 ? new Log(id, name, bytes, 1) : next.remove(before).with(name, bytes));
        logs.set(List.copyOf(next.subList(Math.max(0, next.size() - KEPT), next.size())));
    }

    private static int index(List<Log> logs, String id) {
        for (int i = logs.size() - 1; i >= 0; i--) {
            if (logs.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    List<Log> newest() {
        return logs.get();
    }
}
