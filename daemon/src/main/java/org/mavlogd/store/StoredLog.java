package org.mavlogd.store;

/**
 * A finished file of a log as retention sees it.
 *
 * @param log number of the log that the file belongs to, which tells the order in which logs began
 * @param counter of the file, which tells the order within a log
 */
record StoredLog(String name, long bytes, long log, long counter, Protection protection) {
    /** The first file of a log. */
    StoredLog(String name, long bytes, long counter, Protection protection) {
        this(name, bytes, counter, counter, protection);
    }

    StoredLog protectedBy(Protection other) {
        return new StoredLog(name, bytes, log, counter, other);
    }

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
