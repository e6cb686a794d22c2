package org.mavlogd.fleet.targets;

import java.io.IOException;

/** Limits sending: waits while too many bytes were sent, and throws when nothing may be sent any more. Any thread. */
public interface Throttle {
    /** Returns when so many bytes may be sent. */
    void pass(int bytes) throws IOException;

    /** Throws when nothing may be sent now. */
    void check() throws IOException;
}
