package org.mavlogd.fetch;

/** Where the bytes of one log go. Link's thread; never waits where that thread serves others. */
public interface LogSink {
    /** Takes bytes of the log; false when there is no room now: they are asked for again. */
    boolean write(long position, byte[] bytes, int offset, int length);

    /** Why no more can be written; empty while all is well. */
    String problem();

    /** Whether what was there of an earlier run turned out to be of another log. */
    boolean isStale();
}
