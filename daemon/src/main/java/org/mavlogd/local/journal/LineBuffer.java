package org.mavlogd.local.journal;

import java.util.Arrays;

/** Divides bytes into lines of at most {@link #MAX_LINE} bytes; longer ones are skipped. Owned by one thread. */
final class LineBuffer {
    /** Several times the longest line within journald's own limits: LineMax of 48 KiB, with each character escaped. */
    static final int MAX_LINE = 512 * 1024;

    private static final int FIRST_CAPACITY = 16 * 1024;

    /** Takes lines without line ends. */
    interface Handler {
        void onLine(byte[] buffer, int offset, int length);

        /** A longer line was skipped. */
        void onLongLine();
    }

    private byte[] line = new byte[FIRST_CAPACITY];
    private int length;
    private boolean tooLong;

    /** Drops an incomplete line. */
    void clear() {
        length = 0;
        tooLong = false;
    }

    void add(byte[] bytes, int count, Handler handler) {
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (bytes[i] == '\n') {
                keep(bytes, from, i - from);
                end(handler);
                from = i + 1;
            }
        }
        keep(bytes, from, count - from);
    }

    private void keep(byte[] bytes, int from, int count) {
        if (tooLong || count > MAX_LINE - length) {
            tooLong = true;
            return;
        }
        if (count > line.length - length) {
            line = Arrays.copyOf(line, Math.min(MAX_LINE, Math.max(2 * line.length, length + count)));
        }
        System.arraycopy(bytes, from, line, length, count);
        length += count;
    }

    private void end(Handler handler) {
        int taken = length;
        boolean passedOver = tooLong;
        clear();
        if (passedOver) {
            handler.onLongLine();
        } else if (taken > 0) {
            handler.onLine(line, 0, taken);
        }
    }
}
