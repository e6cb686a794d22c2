package org.mavlogd.store;

import java.util.List;
import java.util.Optional;

/** The kinds of log files, by suffix. The first of these kinds that a log has represents the log. */
public enum LogKind {
    /** ULog. */
    ULG(".ulg", 1),
    /** ArduPilot's own format, as streamed by the vehicle: block n of 200 bytes at 200 n. */
    BIN(".bin", 200),
    /** Telemetry: the frames of a link, each after its time of arrival. */
    TLOG(".tlog", 1);

    static final String PART = ".part";

    /** Suffix of an unfinished log that is not read again, because reading it failed or ended the program. */
    static final String UNREAD = ".unread";

    private static final List<String> STATES = List.of(PART, UNREAD);

    private final String suffix;
    private final int unitBytes;

    LogKind(String suffix, int unitBytes) {
        this.suffix = suffix;
        this.unitBytes = unitBytes;
    }

    /** The kind of the two that represents a log. */
    public static LogKind leading(LogKind one, LogKind other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** The size of a write: complete blocks, so that a killed program leaves no partial block. */
    int batchBytes(int wanted) {
        return Math.max(unitBytes, wanted / unitBytes * unitBytes);
    }

    /** The name of a log without kind and state. */
    public static String stem(String name) {
        String whole = withoutState(name);
        for (LogKind kind : values()) {
            if (whole.endsWith(kind.suffix)) {
                return whole.substring(0, whole.length() - kind.suffix.length());
            }
        }
        return whole;
    }

    /** The name of a log when it is finished. */
    static String withoutState(String name) {
        for (String state : STATES) {
            if (name.endsWith(state)) {
                return name.substring(0, name.length() - state.length());
            }
        }
        return name;
    }

    /** The name of a finished file. */
    public String finished(String stem) {
        return stem + suffix;
    }

    /** The name of a file that is being written. */
    public String unfinished(String stem) {
        return stem + suffix + PART;
    }

    /** The name of a file that was set aside. */
    public String unread(String stem) {
        return stem + suffix + UNREAD;
    }

    /** The kind of a log file, finished or not; empty for marks and other files. */
    public static Optional<LogKind> of(String name) {
        String whole = withoutState(name);
        for (LogKind kind : values()) {
            if (whole.endsWith(kind.suffix)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
