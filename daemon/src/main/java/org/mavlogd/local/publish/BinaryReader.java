package org.mavlogd.local.publish;

import org.jspecify.annotations.Nullable;
import org.mavlogd.bytes.LittleEndian;

/**
 * Reads the samples of a datagram in the binary form. Little endian:
 *
 * <pre>
 * datagram  0 magic 0xA7 | 1 version 1 | 2 zero (2) | 4 samples, one after the other
 * sample    0 handle (4) | 4 instance (1) | 5 clock (1) | 6 length of the values (2) | 8 time, ns (8) | 16 values
 * clock     0 now, the time is not read | 1 CLOCK_MONOTONIC | 2 UTC, since 1970
 * </pre>
 *
 * The values are the fields in the order of the format, without gaps, as in the log. Owned by one thread. Hot path.
 */
final class BinaryReader {
    /** No text begins with this byte, because no character of UTF-8 does. */
    static final byte MAGIC = (byte) 0xA7;

    static final int VERSION = 1;
    static final int HEADER_LENGTH = 4;
    static final int SAMPLE_HEADER_LENGTH = 16;

    private static final int NOW = 0;
    private static final int MONOTONIC = 1;
    private static final int UTC = 2;

    private final PublishedTopics topics;
    private final SampleClock clock;
    private byte[] bytes = {};
    private int at;
    private int end;
    private @Nullable PublishedTopic topic;
    private int instance;
    private long takenNs;
    private boolean hasTime;
    private int values;

    BinaryReader(PublishedTopics topics, SampleClock clock) {
        this.topics = topics;
        this.clock = clock;
    }

    /** Goes to the first sample. */
    void begin(byte[] datagram, int offset, int length) throws BadLineException {
        bytes = datagram;
        at = offset + HEADER_LENGTH;
        end = offset + length;
        if (length < HEADER_LENGTH) {
            at = end;
            throw bad("a datagram of " + length + " bytes, the header alone has " + HEADER_LENGTH);
        }
        if (datagram[offset + 1] != VERSION) {
            at = end;
            throw bad("version " + (datagram[offset + 1] & 0xFF) + ", allowed: " + VERSION);
        }
    }

    boolean hasNext() {
        return at < end;
    }

    /** Goes to the next sample. After an exception the one after it is next, if its position is known. */
    void next(long nowNs) throws BadLineException {
        if (end - at < SAMPLE_HEADER_LENGTH) {
            int left = end - at;
            at = end;
            throw bad("the datagram ends within a sample: " + left + " bytes left, its header alone has "
                    + SAMPLE_HEADER_LENGTH);
        }
        int from = at;
        int length = LittleEndian.uint16(bytes, from + 6);
        values = from + SAMPLE_HEADER_LENGTH;
        if (length > end - values) {
            at = end;
            throw bad("the datagram ends within a sample: values of " + length + " bytes, " + (end - values) + " left");
        }
        at = values + length;
        int handle = LittleEndian.int32(bytes, from);
        PublishedTopic known = topics.ofHandle(handle);
        if (known == null) {
            throw bad("unknown handle " + Integer.toUnsignedLong(handle)
                    + "; get it by a \"define\" line on this socket, and again after each start of mavlogd");
        }
        if (length != known.values().length) {
            throw bad("topic " + BadLineException.quote(known.name()) + ": values of " + length + " bytes, expected "
                    + known.values().length + " for " + known.definition().text());
        }
        topic = known;
        instance = bytes[from + 4] & 0xFF;
        hasTime = bytes[from + 5] != NOW;
        takenNs = taken(bytes[from + 5], LittleEndian.int64(bytes, from + 8), nowNs);
    }

    private long taken(int clockNumber, long timeNs, long nowNs) throws BadLineException {
        return switch (clockNumber) {
            case NOW -> nowNs;
            case MONOTONIC -> clock.ofNs(timeNs, nowNs);
            case UTC -> clock.ofUtcNs(timeNs, nowNs);
            default -> throw bad("clock " + (clockNumber & 0xFF) + ", allowed: 0 (now), 1 (CLOCK_MONOTONIC), 2 (UTC)");
        };
    }

    private static BadLineException bad(String words) {
        return new BadLineException(BadLineException.Fault.BINARY, words);
    }

    PublishedTopic topic() {
        PublishedTopic known = topic;
        if (known == null) {
            throw new IllegalStateException("no sample was read");
        }
        return known;
    }

    int instance() {
        return instance;
    }

    long takenNs() {
        return takenNs;
    }

    /** Whether the sample has a time; else the time of its arrival is used. */
    boolean hasTime() {
        return hasTime;
    }

    /** The offset of the values in the datagram. */
    int values() {
        return values;
    }
}
