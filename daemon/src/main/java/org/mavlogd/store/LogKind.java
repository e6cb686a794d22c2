package org.mavlogd.store;

import java.util.List;
import java.util.Optional;

/** The kinds of log files, by the end of their names. The first kind that a log has stands for the log. */
public enum LogKind {
    /** ULog. */
    ULG(".ulg", 1),
    /** ArduPilot's own format, as the vehicle streamed it: block n of 200 bytes at 200 n. */
    BIN(".bin", 200),
    /** Telemetry: the frames of a link, each behind the time at which it came. */
    TLOG(".tlog", 1);

    static final String PART = ".part";

    /** Behind the name of an unfinished log that is not read again: reading it ended the program, or failed. */
    static final String UNREAD = ".unread";

    private static final List<String> STATES = List.of(PART, UNREAD);

    private final String suffix;
    private final int unitBytes;

    LogKind(String suffix, int unitBytes) {
        this.suffix = suffix;
        this.unitBytes = unitBytes;
    }

    /** Of two kinds of files of a log the one that stands for it. */
    public static LogKind leading(LogKind one, LogKind other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** How much is to be written at once: complete blocks, so that a program that is killed leaves no part of one. */
    int batchBytes(int wanted) {
        return Math.max(unitBytes, wanted / unitBytes * unitBytes);
    }

    /** The name of a log without what tells kind and state. */
    public static String stem(String name) {
        String whole = withoutState(name);
        for (LogKind kind : values()) {
            if (whole.endsWith(kind.suffix)) {
                return whole.substring(0, whole.length() - kind.suffix.length());
            }
        }
        return whole;
    }

    /** The name that a log has, or will have, when it is finished. */
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

    /** The name of a file that grows. */
    public String unfinished(String stem) {
        return stem + suffix + PART;
    }

    /** The name of a file that was set aside. */
    public String unread(String stem) {
        return stem + suffix + UNREAD;
    }

    /** The kind of a file, finished or not, marks and others excluded. */
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
