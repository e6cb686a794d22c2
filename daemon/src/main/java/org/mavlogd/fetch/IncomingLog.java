package org.mavlogd.fetch;

/** A log that is being fetched into a file. Owned by the store's thread. */
final class IncomingLog {
    private final PartFile part;
    private final String name;
    private final long length;
    private long savedNs;
    // Still to come, as far as this run knows; what comes twice counts twice.
    private long expectedBytes;
    private long uncheckedBytes;

    IncomingLog(PartFile part, String name, long length, long savedNs) {
        this.part = part;
        this.name = name;
        this.length = length;
        this.savedNs = savedNs;
        this.expectedBytes = part.missing().bytes();
    }

    PartFile part() {
        return part;
    }

    String name() {
        return name;
    }

    long length() {
        return length;
    }

    long expectedBytes() {
        return expectedBytes;
    }

    void wrote(int bytes) {
        expectedBytes = Math.max(0, expectedBytes - bytes);
        uncheckedBytes += bytes;
    }

    /** Whether it is time to look for room again: after so many bytes. */
    boolean isCheckDue(long everyBytes) {
        boolean isDue = uncheckedBytes >= everyBytes;
        uncheckedBytes = isDue ? 0 : uncheckedBytes;
        return isDue;
    }

    boolean isSaveDue(long everyNs, long nowNs) {
        return part.isDirty() && nowNs - savedNs >= everyNs;
    }

    void saved(long nowNs) {
        savedNs = nowNs;
    }
}
