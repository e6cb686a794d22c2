package org.mavlogd.store;

/**
 * A finished log as retention sees it.
 *
 * @param counter tells the order in which logs began
 */
record StoredLog(String name, long bytes, long counter, Protection protection) {
    /** Why a log is not deleted. */
    enum Protection {
        NONE,
        /** Somebody marked it. */
        KEPT,
        /** Somebody appended something to it. */
        APPENDED,
        /** The recorder appended what is known of its own end. Only the newest of these are protected. */
        CRASHED,
        /** Nobody could look into it yet. */
        UNKNOWN
    }
}
