package org.mavlogd.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;

/**
 * The {@link Facts} of the newest current recordings, as of the last reading. All files of a flight share those of its
 * ULog. Read by one thread, queried by any.
 */
final class GrowingFacts {
    // Each takes 1 MB of heap.
    private static final int MAX_LOGS = 4;

    private final Wanted wanted;
    private final Map<Path, Facts.OfGrowing> readings = new HashMap<>();
    private final Map<String, byte[]> found = new ConcurrentHashMap<>();

    GrowingFacts(Wanted wanted) {
        this.wanted = wanted;
    }

    /** Facts as a JSON object; empty if unknown. */
    Optional<byte[]> of(Entry log) {
        return Optional.ofNullable(found.get(flight(log)));
    }

    private static String flight(Entry log) {
        return LogName.logOf(log.name());
    }

    /** Reads new data, and removes logs that are no longer being recorded. */
    void read(List<Entry> logs) {
        List<Entry> growing = logs.stream()
                .filter(log -> log.state() == State.RECORDING && log.kind() == LogKind.ULG)
                .sorted(Comparator.comparing(Entry::name).reversed())
                .limit(MAX_LOGS)
                .toList();
        readings.keySet().retainAll(growing.stream().map(Entry::file).toList());
        found.keySet().retainAll(growing.stream().map(GrowingFacts::flight).toList());
        for (Entry log : growing) {
            try {
                reading(log.file()).read().ifPresent(facts -> found.put(flight(log), facts));
            } catch (IOException e) {
                found.remove(flight(log)); // just finished or deleted
            }
        }
    }

    private Facts.OfGrowing reading(Path log) throws IOException {
        Facts.OfGrowing known = readings.get(log);
        if (known != null && known.isSame()) {
            return known;
        }
        Facts.OfGrowing begun = new Facts.OfGrowing(log, wanted);
        readings.put(log, begun);
        return begun;
    }
}
