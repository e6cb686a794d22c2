package org.mavlogd.local.journal;

import java.io.IOException;
import java.util.List;

/** A running program that writes lines. Owned by one thread; no call blocks. */
interface Follower extends AutoCloseable {
    /** Makes running ones. */
    @FunctionalInterface
    interface Launcher {
        /**
         * Starts it.
         *
         * @throws IOException when there is no such program, or it may not run
         */
        Follower launch(List<String> command) throws IOException;
    }

    /** What it wrote since the last call, as much as fits; 0 when there is nothing now. */
    int read(byte[] buffer) throws IOException;

    /** Whether it ended, and everything that it wrote is read. */
    boolean isOver();

    /** Why it ended, in words: its exit code and the last that it said of errors. Only when it is over. */
    String reason();

    /** Whether somebody ended it by SIGTERM. Only when it is over. */
    boolean wasTerminated();

    /** Ends it. */
    @Override
    void close();
}
