package org.mavlogd.fleet.targets;

import java.io.IOException;

/** Is asked before bytes are sent: waits while there are too many, and throws when nothing may be sent any more. Any thread. */
public interface Throttle {
    /** Returns when so many bytes may be sent. */
    void pass(int bytes) throws IOException;

    /** Throws when nothing may be sent now. */
    void check() throws IOException;
}
