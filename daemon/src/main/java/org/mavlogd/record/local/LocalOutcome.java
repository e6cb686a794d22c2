package org.mavlogd.record.local;

/** The result for a local sample or message in one log. */
public enum LocalOutcome {
    STORED("", "", false),
    /** Kept for a new file, which begins within seconds; counted then. */
    KEPT("", "", false),
    /** Kept for the log's next file, which may never begin; counted then. */
    WAITING("", "its log started without this topic; kept for the log's next file, if there is one", false),
    /** The file's definitions do not have the topic. */
    NOT_IN_FILE("not_in_file", "its log started without this topic", false),
    /** The file has the topic, but no multi id, message id or memory for another instance of it. */
    NO_INSTANCE("no_instance", "its log cannot take another instance of this topic", false),
    /** The disk failed. */
    DISK("disk", "the disk accepts no data", true),
    NO_SPACE("space", "recording is paused: no space left on the disk", true),
    /** The vehicle had too many new files. */
    FILE_LIMIT("file_limit", "too many new files within a minute", true),
    /** No log is being written. */
    NO_LOG("no_log", "no log is being written", false);

    private final String cause;
    private final String loss;
    private final boolean reported;

    LocalOutcome(String cause, String loss, boolean reported) {
        this.cause = cause;
        this.loss = loss;
        this.reported = reported;
    }

    /** Why it is not recorded, for its publisher; empty if it is, or will be within seconds. */
    public String loss() {
        return loss;
    }

    /** Whether it is kept for a later file. */
    public boolean isKept() {
        return this == KEPT || this == WAITING;
    }

    /** The value in the metrics. */
    public String cause() {
        return cause;
    }

    /** Whether the log reports the number of losses, once it has a file again. */
    public boolean isReported() {
        return reported;
    }
}
