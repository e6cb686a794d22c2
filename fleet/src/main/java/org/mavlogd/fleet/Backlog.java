package org.mavlogd.fleet;

import java.util.List;
import java.util.stream.Stream;

/**
 * The finished files, divided into those that can be sent and those that cannot be sent yet.
 *
 * @param files files whose facts are known, of logs without files that were not tried yet, in the order in which they
 *     are sent
 * @param manifests manifests of their logs, in the same order
 * @param unread all other files: unreadable ones, and those of logs that are still being read, of which some may have been
 *     sent before another file of their log was finished
 */
record Backlog(List<LogFile> files, List<Manifest> manifests, List<LogFile> unread) {
    static final Backlog EMPTY = new Backlog(List.of(), List.of(), List.of());

    Backlog {
        files = List.copyOf(files);
        manifests = List.copyOf(manifests);
        unread = List.copyOf(unread);
    }

    /** All finished files. */
    List<LogFile> all() {
        return Stream.concat(files.stream(), unread.stream()).toList();
    }

    /** The manifest of a file's log. */
    Manifest manifest(LogFile file) {
        return manifests.stream()
                .filter(manifest -> manifest.log().equals(file.log()))
                .findFirst()
                .orElseThrow();
    }
}
