package org.mavlogd.fleet.targets;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * Detects that a request makes no progress: for a time nothing was read from its body. A read itself, which may wait for
 * the rate limit, is no stall. One thread reads; another one may query.
 */
final class Stall {
    private final long limitNs;
    private volatile long movedNs = System.nanoTime();
    private volatile boolean isReading;

    Stall(long limitNs) {
        this.limitNs = limitNs;
    }

    /** Observes a body while it is read. */
    InputStream observed(InputStream body) {
        return new FilterInputStream(body) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                int count = read(one, 0, 1);
                return count < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                isReading = true;
                try {
                    return super.read(target, offset, length);
                } finally {
                    movedNs = System.nanoTime();
                    isReading = false;
                }
            }
        };
    }

    boolean isReached() {
        return !isReading && System.nanoTime() - movedNs > limitNs;
    }

    /** The exception for a request that was ended. */
    IOException failure() {
        return new HttpTimeoutException(
                "no data was transferred for " + TimeUnit.NANOSECONDS.toSeconds(limitNs) + " s");
    }
}
