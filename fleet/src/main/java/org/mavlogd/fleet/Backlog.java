package org.mavlogd.fleet;

import java.util.List;

/**
 * The files to be sent whose facts are known.
 *
 * @param files in the order in which they are sent
 * @param manifests of their logs, in the same order
 * @param unread finished files whose facts are not known yet
 */
record Backlog(List<LogFile> files, List<Manifest> manifests, List<LogFile> unread) {
    static final Backlog EMPTY = new Backlog(List.of(), List.of(), List.of());

    Backlog {
        files = List.copyOf(files);
        manifests = List.copyOf(manifests);
        unread = List.copyOf(unread);
    }

    /** The manifest of a file's log. */
    Manifest manifest(LogFile file) {
        return manifests.stream()
                .filter(manifest -> manifest.log().equals(file.log()))
                .findFirst()
                .orElseThrow();
    }
}
