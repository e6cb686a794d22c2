package org.mavlogd.local.heard;

/** Whose STATUSTEXT is recorded as text. */
public enum StatusTextMode {
    /** Everybody's, but for the autopilot whose log is being recorded: it says the same there. */
    AUTO,
    /** Everybody's. */
    ALWAYS,
    /** Nobody's. */
    NEVER
}
