package org.mavlogd.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Whether the uploader runs, by the time of the file with its status. */
public final class UploaderStatus {
    /**
     * Seconds after which the uploader confirms an unchanged status, by the time of its file: a status is only
     * replaced if it changes.
     */
    public static final int CONFIRM_S = 20;

    /** The field for the time of {@link #notRunningSince}, which readers add to the uploader's status. */
    public static final String NOT_RUNNING_SINCE = "not_running_since_utc";

    private static final int MISSED_CONFIRMATIONS = 3;

    private UploaderStatus() {}

    /**
     * When the uploader last confirmed its status, if that is so long ago that it was stopped or has crashed; empty
     * while it runs.
     *
     * @param status its file
     */
    public static Optional<Instant> notRunningSince(Path status, Instant now) throws IOException {
        Instant confirmed = Files.getLastModifiedTime(status).toInstant();
        long seconds = Duration.between(confirmed, now).toSeconds();
        return seconds > MISSED_CONFIRMATIONS * CONFIRM_S
                ? Optional.of(confirmed.truncatedTo(ChronoUnit.SECONDS))
                : Optional.empty();
    }
}
