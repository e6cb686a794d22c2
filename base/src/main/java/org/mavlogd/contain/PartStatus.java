package org.mavlogd.contain;

/**
 * How one part is doing, for people.
 *
 * @param part its name
 * @param state what it does now
 * @param errors contained since the start
 * @param lastError the last of them; empty when there was none
 * @param pauseMs time until the part is called again; 0 while it is not paused
 */
public record PartStatus(String part, State state, long errors, String lastError, long pauseMs) {
    /** What a part does. */
    public enum State {
        RUNNING,
        /** Not called until its delay is over. */
        PAUSED,
        /** Not called any more. */
        OFF,
        /** Its thread has made no progress for a long time. */
        HANGS
    }

    /** One line that says what is wrong; for a part that does not run. */
    public String problem() {
        return switch (state) {
            case RUNNING -> "";
            case PAUSED -> part + ": paused for " + (pauseMs + 999) / 1000 + " s after an internal error: " + lastError;
            case OFF -> part + ": off after an internal error: " + lastError;
            case HANGS -> part + ": its thread makes no progress; restart mavlogd to get it back";
        };
    }
}
