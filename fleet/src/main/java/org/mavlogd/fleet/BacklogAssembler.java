package org.mavlogd.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Groups finished files by log. A log is offered when each of its finished files has been read or could not be read:
 * they share one manifest and one folder. Unreadable files are not offered. A manifest of all files is made only once:
 * there may be very many logs, and the backlog is made again and again while they are read. Owned by one thread.
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
            List<LogFile> read =
                    its.stream().filter(file -> facts.of(file).isPresent()).toList();
            boolean isTried = its.stream()
                    .allMatch(
                            file -> read.contains(file) || !facts.problem(file).isEmpty());
            if (isTried && !read.isEmpty()) {
                known.addAll(read);
                manifests.put(log, manifest(log, its));
                its.stream().filter(file -> !read.contains(file)).forEach(unread::add);
            } else {
                unread.addAll(its);
            }
        });
        made = manifests.values().stream()
                .filter(manifest -> manifest.files().stream()
                        .allMatch(file -> facts.of(file).isPresent()))
                .collect(Collectors.toMap(Manifest::log, Function.identity()));
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
