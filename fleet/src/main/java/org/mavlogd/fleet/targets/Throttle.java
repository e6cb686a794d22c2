package org.mavlogd.fleet.targets;

import java.io.IOException;

/** Limits sending: waits if too many bytes were sent, and throws if sending is no longer permitted. Any thread. */
public interface Throttle {
    /** Returns when {@code bytes} more may be sent. */
    void pass(int bytes) throws IOException;

    /** Throws if sending is not permitted now. */
    void check() throws IOException;

    /** Without the limit, for bytes that are read but not sent. */
    default Throttle unlimited() {
        Throttle limited = this;
        return new Throttle() {
            @Override
            public void pass(int bytes) throws IOException {
                check();
            }

            @Override
            public void check() throws IOException {
                limited.check();
            }
        };
    }
}
