package org.mavlogd.fetch;

/** A log that is being fetched into a file. Owned by the store's thread. */
final class IncomingLog {
    private final PartFile part;
    private final String name;
    private final long length;
    private long savedNs;
    // Bytes still to come, as far as this run knows; repeated bytes count twice.
    private long expectedBytes;
    // The part of the length for which there is room.
    private long roomBytes;

    IncomingLog(PartFile part, String name, long length, long savedNs) {
        this.part = part;
        this.name = name;
        this.length = length;
        this.savedNs = savedNs;
        this.expectedBytes = part.missing().bytes();
        this.roomBytes = length - expectedBytes;
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
    }

    long arrivedBytes() {
        return length - expectedBytes;
    }

    /** How much room must be made before {@code bytes} are written: 0 if there is room, else a step or the rest. */
    long neededBytes(int bytes, long stepBytes) {
        boolean isThere = Math.min(length, arrivedBytes() + bytes) <= roomBytes;
        return isThere ? 0 : Math.min(Math.max(bytes, stepBytes), expectedBytes);
    }

    /** There is room for {@code bytes} more than were received. */
    void hasRoom(long bytes) {
        roomBytes = arrivedBytes() + bytes;
    }

    boolean isSaveDue(long everyNs, long nowNs) {
        return part.isDirty() && nowNs - savedNs >= everyNs;
    }

    void saved(long nowNs) {
        savedNs = nowNs;
    }
}
