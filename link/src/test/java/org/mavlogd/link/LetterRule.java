package org.mavlogd.link;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.mavlogd.peer.BulkRule;

/**
 * A rule for datagrams of letters: "w" may wait, "o" is ordered and acknowledged, "p" has no order; then follow the
 * vehicle's id and a number of six digits.
 */
final class LetterRule implements BulkRule {
    @Override
    public long longestNs() {
        return TimeUnit.MILLISECONDS.toNanos(165);
    }

    @Override
    public long[] program() {
        return new long[0];
    }

    @Override
    public boolean isBulk(byte[] datagram, int length) {
        return datagram[0] == 'w';
    }

    @Override
    public int place(byte[] woke, int length) {
        return woke[0] == 'p' ? -1 : 0;
    }

    @Override
    public boolean mayEnd(byte[] woke, int length) {
        return false;
    }

    @Override
    public int order(byte[] waited, int length, byte[] woke, int place) {
        if (waited[1] != woke[1]) {
            return 0;
        }
        return number(waited) < number(woke) ? -1 : 1;
    }

    @Override
    public boolean isPacked(byte[] woke, int length) {
        return false;
    }

    private static int number(byte[] datagram) {
        return Integer.parseInt(new String(datagram, 2, 6, StandardCharsets.US_ASCII));
    }
}
