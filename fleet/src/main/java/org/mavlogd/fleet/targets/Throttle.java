package org.mavlogd.fleet.targets;

import java.io.IOException;

/** Limits sending: waits if too many bytes were sent, and throws if sending is no longer permitted. Any thread. */
public interface Throttle {
    /** Returns when {@code bytes} more may be sent. */
    void pass(int bytes) throws IOException;

    /** Throws if sending is not permitted now. */
    void check() throws IOException;
}
