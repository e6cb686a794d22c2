package org.mavlogd.recovery;

import java.util.Optional;
import org.mavlogd.store.LogName;

/**
 * Names of the files beside a log in which a run notes something. Hidden: people need none of them, and they are deleted when the
 * log is finished.
 */
enum NoteName {
    /** A {@link StreamNote}. */
    STREAM(".state"),
    /** One of {@link ScanNotes}. */
    SCAN(".scan");

    private static final String PREFIX = ".";

    private final String suffix;

    NoteName(String suffix) {
        this.suffix = suffix;
    }

    /** The note of a log. */
    String of(String stem) {
        return PREFIX + stem + suffix;
    }

    /** The stem of the log whose note has that name; empty for any other name. */
    Optional<String> stem(String name) {
        if (!name.startsWith(PREFIX) || !name.endsWith(suffix)) {
            return Optional.empty();
        }
        String stem = name.substring(PREFIX.length(), Math.max(PREFIX.length(), name.length() - suffix.length()));
        return LogName.isStem(stem) ? Optional.of(stem) : Optional.empty();
    }
}
