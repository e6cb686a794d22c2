package org.mavlogd.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups finished files by log. A log is offered when all its finished files have been read: they share one manifest
 * and one folder. Each manifest is made only once: there may be very many logs, and the backlog is made again and again
 * while they are read. Owned by one thread.
 */
final class BacklogAssembler {
    private final FactsStore facts;
    private Map<String, Manifest> made = Map.of();

    BacklogAssembler(FactsStore facts) {
        this.facts = facts;
    }

    /** @param files in the order in which they are sent */
    Backlog of(List<LogFile> files) {
        Map<String, List<LogFile>> byLog = new LinkedHashMap<>();
        files.forEach(file ->
                byLog.computeIfAbsent(file.log(), key -> new ArrayList<>()).add(file));
        List<LogFile> known = new ArrayList<>();
        List<LogFile> unread = new ArrayList<>();
        Map<String, Manifest> manifests = new LinkedHashMap<>();
        byLog.forEach((log, its) -> {
            if (its.stream().allMatch(file -> facts.of(file).isPresent())) {
                known.addAll(its);
                manifests.put(log, manifest(log, its));
            } else {
                unread.addAll(its);
            }
        });
        made = new HashMap<>(manifests);
        return new Backlog(known, List.copyOf(manifests.values()), unread);
    }

    private Manifest manifest(String log, List<LogFile> files) {
        Manifest before = made.get(log);
        return before != null && before.files().equals(files)
                ? before
                : Manifest.of(
                        log,
                        files,
                        files.stream().flatMap(file -> facts.of(file).stream()).toList());
    }
}
