package org.mavlogd.record.head;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * The info messages of mavlogd about a log: the recorder, the start in UTC, and in each part after the first its number
 * and the previous file. They follow the flag bits; the vehicle's own bytes stay unchanged. Owned by the recorder's
 * thread.
 */
public final class OwnInfos {
    /** Prefix of all names except {@link #PART} and {@link #PREVIOUS}; vehicles use no such names. */
    static final String PREFIX = "recorder_";

    static final String RECORDER = "recorder";
    /** UTC time of the log's start time, in microseconds since 1970. */
    static final String START_UTC = "recorder_start_utc_us";

    static final String PART = "log_part";
    static final String PREVIOUS = "log_previous";

    private static final Set<String> NAMES = Set.of(RECORDER, PART, PREVIOUS);
    // Names of files and of this program are much shorter.
    private static final int CAPACITY = 1024;
    private static final int MAX_KEY_LENGTH = 256;
    private static final int MAX_UTF8 = 3;

    private final String recorder;
    private final Map<String, String> values;
    private final ByteBuffer buffer;
    private final UnsafeBuffer view;

    /**
     * Infos of one log.
     *
     * @param recorder name and version of this program
     * @param values of further infos by name; each name begins with {@link #PREFIX}, and empty values are left out
     */
    public OwnInfos(String recorder, Map<String, String> values) {
        this.recorder = recorder;
        this.values = new TreeMap<>(values);
        int capacity = CAPACITY;
        for (Map.Entry<String, String> info : values.entrySet()) {
            if (!info.getKey().startsWith(PREFIX)) {
                throw new IllegalArgumentException(
                        "info \"" + info.getKey() + "\": the name must begin with \"" + PREFIX + '"');
            }
            capacity += ULogLayout.MESSAGE_HEADER_LENGTH
                    + MAX_KEY_LENGTH
                    + MAX_UTF8 * info.getValue().length();
        }
        this.buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
        this.view = new UnsafeBuffer(buffer);
    }

    /** Encodes the infos for the start of a file; valid until the next call. */
    public void encodeHead(StartClock clock, int part, String previous) {
        buffer.clear();
        MessageEncoder.infoText(buffer, RECORDER, recorder);
        if (clock.isKnown()) {
            MessageEncoder.infoUint64(buffer, START_UTC, clock.startUtcUs());
        }
        if (part > 1) {
            MessageEncoder.infoInt32(buffer, PART, part);
            MessageEncoder.infoText(buffer, PREVIOUS, previous);
        }
        values.forEach((name, value) -> {
            if (!value.isEmpty()) {
                MessageEncoder.infoText(buffer, name, value);
            }
        });
    }

    /** Encodes the start time for a file that is being written; valid until the next call. */
    public void encodeStart(StartClock clock) {
        buffer.clear();
        MessageEncoder.infoUint64(buffer, START_UTC, clock.startUtcUs());
    }

    public DirectBuffer buffer() {
        return view;
    }

    public int length() {
        return buffer.position();
    }

    /** The number of the part in an {@link #isOwn own} message; 0 if the message has none. */
    public static int part(DirectBuffer message, int offset, int length) {
        String key = "int32_t " + PART;
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        int value = payload + 1 + key.length();
        boolean isPart = value + Integer.BYTES == offset + length
                && message.getByte(payload) == key.length()
                && message.getStringWithoutLengthAscii(payload + 1, key.length())
                        .equals(key);
        return isPart ? message.getInt(value, ByteOrder.LITTLE_ENDIAN) : 0;
    }

    /** Whether a message of a log is one of mavlogd's infos. */
    public static boolean isOwn(DirectBuffer message, int offset, int length) {
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        if (length <= ULogLayout.MESSAGE_HEADER_LENGTH
                || message.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET) != MessageType.INFO) {
            return false;
        }
        int keyLength = Math.min(message.getByte(payload) & 0xFF, offset + length - payload - 1);
        String key = message.getStringWithoutLengthAscii(payload + 1, keyLength);
        String name = key.substring(key.indexOf(' ') + 1);
        return NAMES.contains(name) || name.startsWith(PREFIX);
    }
}
