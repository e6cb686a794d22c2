package org.mavlogd.local.journal;

import java.io.IOException;
import java.util.List;

/** A running program that writes lines. Owned by one thread; no call blocks. */
interface Follower extends AutoCloseable {
    /** Starts programs. */
    @FunctionalInterface
    interface Launcher {
        /**
         * Starts the program.
         *
         * @throws IOException if there is no such program, or it may not run
         */
        Follower launch(List<String> command) throws IOException;
    }

    /** Reads its output since the last call, as much as fits; 0 if there is none now. */
    int read(byte[] buffer) throws IOException;

    /** Whether it ended and all its output is read. */
    boolean isOver();

    /** Why it ended: its exit code and its last line of standard error. Only if it is over. */
    String reason();

    /** Whether it was ended by SIGTERM. Only if it is over. */
    boolean wasTerminated();

    /** Ends the program. */
    @Override
    void close();
}
