package org.mavlogd.record;

/** What became of a local sample or text in one log. */
enum LocalOutcome {
    STORED("", false),
    /** Waits for the next file, and is counted then. */
    KEPT("", false),
    /** The file's definitions do not have the topic. */
    NOT_IN_FILE("not_in_file", false),
    /** The disk takes nothing. */
    DISK("disk", true),
    NO_SPACE("space", true),
    /** The vehicle had too many new files. */
    FILE_LIMIT("file_limit", true),
    /** No log is under way. */
    NO_LOG("no_log", false);

    private final String cause;
    private final boolean reported;

    LocalOutcome(String cause, boolean reported) {
        this.cause = cause;
        this.reported = reported;
    }

    /** As in the metrics. */
    String cause() {
        return cause;
    }

    /** Whether the log is to tell how many there were, when it can again. */
    boolean isReported() {
        return reported;
    }
}
