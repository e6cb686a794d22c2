package org.mavlogd.store;

/**
 * The number that the names of all files of one log share: the counter of its first file. One flight may have several files, of
 * both kinds and one after the other. Owned by the recorder's thread.
 */
public final class LogNumber {
    static final long NONE = 0;

    private long value = NONE;

    /** {@link #NONE} before the first file. */
    long value() {
        return value;
    }

    /** A file of the log was made, with this counter. */
    void onFile(long counter) {
        if (value == NONE) {
            value = counter;
        }
    }

    /** The log continues with a file of an earlier run. */
    public void resume(String fileName) {
        StoredName.parse(fileName).ifPresent(name -> onFile(name.log()));
    }
}
