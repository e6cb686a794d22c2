package org.mavlogd.ulog;

import java.nio.ByteBuffer;

/** Decimal digits of a length without allocation. */
final class Digits {
    private Digits() {}

    static int count(int value) {
        int digits = 1;
        for (int rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    static void put(int value, ByteBuffer target) {
        int unit = 1;
        while (value / unit >= 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            target.put((byte) ('0' + value / unit % 10));
        }
    }
}
