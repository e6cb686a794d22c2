package org.mavlogd.local.nmea;

/**
 * Divides the bytes of one peer into sentences. A sentence begins with {@code $} or {@code !}, which occur nowhere
 * else, and ends with the line; after damage reading starts again at the next such character. Owned by the link's
 * thread. Hot path.
 *
 * @see <a href="https://gpsd.gitlab.io/gpsd/NMEA.html">NMEA 0183 revealed, "NMEA Encoding Conventions"</a>
 */
final class SentenceReader {
    /** The standard allows 82; many devices send more. */
    static final int MAX_LENGTH = 256;

    private final byte[] line = new byte[MAX_LENGTH];
    private final Handler handler;
    private final NmeaCounters counters;
    private int length;
    private boolean inside;
    private long beganNs;

    /** Takes each line between its first character and its end, both printable ASCII. */
    @FunctionalInterface
    interface Handler {
        void onSentence(byte[] line, int length, long beganNs);
    }

    SentenceReader(Handler handler, NmeaCounters counters) {
        this.handler = handler;
        this.counters = counters;
    }

    void take(byte[] buffer, int offset, int count, long nowNs) {
        for (int i = offset; i < offset + count; i++) {
            take(buffer[i], nowNs);
        }
    }

    /** Ends a datagram: the next byte belongs to another sentence. */
    void endOfDatagram() {
        if (inside) {
            end();
        }
    }

    private void take(byte c, long nowNs) {
        if (c == '$' || c == '!') {
            begin(c, nowNs);
        } else if (c == '\r' || c == '\n') {
            endOfDatagram();
        } else if (!inside) {
            counters.skippedBytes().increment();
        } else if (c < ' ' || c > '~' || length == MAX_LENGTH) {
            inside = false;
            counters.malformed().increment();
        } else {
            line[length++] = c;
        }
    }

    private void begin(byte sign, long nowNs) {
        if (inside) {
            counters.malformed().increment(); // its end is missing
        }
        inside = true;
        beganNs = nowNs;
        line[0] = sign;
        length = 1;
    }

    private void end() {
        inside = false;
        handler.onSentence(line, length, beganNs);
    }
}
