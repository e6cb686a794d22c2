package org.mavlogd.store;

import java.util.Optional;

/** The kinds of log files, told by the end of their names. */
public enum LogKind {
    /** ULog. */
    ULG(".ulg"),
    /** ArduPilot's own format, as the vehicle streamed it: block n of 200 bytes at 200 n. */
    BIN(".bin");

    static final String PART = ".part";

    private final String suffix;

    LogKind(String suffix) {
        this.suffix = suffix;
    }

    /** The name of a finished file. */
    String finished(String stem) {
        return stem + suffix;
    }

    /** The name of a file that grows. */
    String unfinished(String stem) {
        return stem + suffix + PART;
    }

    /** The kind of a file, finished or not, marks and others excluded. */
    static Optional<LogKind> of(String name) {
        for (LogKind kind : values()) {
            if (name.endsWith(kind.suffix) || name.endsWith(kind.suffix + PART)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
