package org.mavlogd.store;

/**
 * A finished log as retention sees it.
 *
 * @param counter tells the order in which logs began
 */
record StoredLog(String name, long bytes, long counter, Protection protection) {
    /** Why a log is never deleted. */
    enum Protection {
        NONE,
        /** Somebody marked it. */
        KEPT,
        /** Sections were appended: crash data, or remarks. */
        APPENDED,
        /** Nobody could look into it yet. */
        UNKNOWN
    }
}
