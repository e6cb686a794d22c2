package org.mavlogd.recovery;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * Distinguishes the messages of this computer in a log from the vehicle's.
 *
 * <p>Info messages name local topics before their formats. The next format of such a name is local, and so are all
 * subscriptions of that name. If the format of a name came before, it is the vehicle's: then only subscriptions with
 * both a high message id and a high multi id are local. Data messages are local if their id is. Owned by one thread.
 */
public final class LocalMarks {
    /** Name of the multi info that lists local topics, separated by commas; there may be several. */
    public static final String TOPICS = "local_topics";

    /** Followed by the topic's name: name of the info that lists units, such as {@code load=1,frequency=Hz}. */
    public static final String UNITS = "field_units_";

    /** The lowest local message id; local ids count down from 65535. */
    public static final int LOWEST_ID = 0x8000;

    /**
     * The first local multi id in a topic of the vehicle. PX4 has up to 10 instances of a topic, and some come late.
     */
    public static final int FIRST_SHARED_MULTI_ID = 10;

    // The limits keep a forged file from filling the memory.
    private static final int MAX_NAME_LENGTH = 256;
    // Heap for a name in a set, besides its characters.
    private static final int NAME_BYTES = 104;

    private final Set<String> named = new HashSet<>();
    private final Set<String> ours = new HashSet<>();
    private final Set<String> others = new HashSet<>();
    private final BitSet ids = new BitSet();
    private final LongPredicate memory;
    private boolean incomplete;

    /** @param memory asked for heap in bytes before a name is kept; a name that it refuses is not known */
    LocalMarks(LongPredicate memory) {
        this.memory = memory;
    }

    /** Whether there was no memory for a name; then it is not certain which messages are local. */
    boolean isIncomplete() {
        return incomplete;
    }

    private boolean add(Set<String> names, String name) {
        if (names.contains(name)) {
            return false;
        }
        if (name.length() > MAX_NAME_LENGTH || !memory.test(NAME_BYTES + name.length())) {
            incomplete = true;
            return false;
        }
        return names.add(name);
    }

    /** Whether the next message, of this type and with its header in the buffer, is local. */
    boolean isLocal(int type, byte[] buffer, int offset, int length) {
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        int end = offset + length;
        return switch (type) {
            case MessageType.MULTI_INFO -> onMultiInfo(buffer, payload, end);
            case MessageType.INFO -> isUnits(buffer, payload, end);
            case MessageType.FORMAT -> onFormat(buffer, payload, end);
            case MessageType.SUBSCRIPTION -> onSubscription(buffer, payload, end);
            case MessageType.DATA -> end - payload >= Short.BYTES && ids.get(LittleEndian.uint16(buffer, payload));
            case MessageType.TAGGED_STRING -> !named.isEmpty(); // known vehicles send none
            default -> false;
        };
    }

    private boolean onMultiInfo(byte[] buffer, int payload, int end) {
        int keyAt = payload + 2;
        if (keyAt > end || !keyName(buffer, keyAt, end).equals(TOPICS)) {
            return false;
        }
        int value = keyAt + (buffer[keyAt - 1] & 0xFF);
        // The key of a damaged message may claim to be longer than the message.
        for (int from = value; from < end; ) {
            int comma = from;
            while (comma < end && buffer[comma] != ',') {
                comma++;
            }
            if (comma > from) {
                add(named, text(buffer, from, comma));
            }
            from = comma + 1;
        }
        return true;
    }

    private boolean isUnits(byte[] buffer, int payload, int end) {
        if (named.isEmpty() || payload + 1 > end) {
            return false;
        }
        String name = keyName(buffer, payload + 1, end);
        return name.startsWith(UNITS) && named.contains(name.substring(UNITS.length()));
    }

    private boolean onFormat(byte[] buffer, int payload, int end) {
        int colon = payload;
        while (colon < end && buffer[colon] != ':') {
            colon++;
        }
        if (colon - payload > MAX_NAME_LENGTH) {
            return false;
        }
        String name = text(buffer, payload, colon);
        if (named.contains(name) && !others.contains(name) && add(ours, name)) {
            return true;
        }
        add(others, name);
        return false;
    }

    private boolean onSubscription(byte[] buffer, int payload, int end) {
        if (end - payload < ULogLayout.SUBSCRIPTION_HEADER_SIZE) {
            return false;
        }
        int multiId = buffer[payload] & 0xFF;
        int id = LittleEndian.uint16(buffer, payload + 1);
        String name = named.isEmpty() ? "" : text(buffer, payload + ULogLayout.SUBSCRIPTION_HEADER_SIZE, end);
        boolean isHigh = id >= LOWEST_ID && multiId >= FIRST_SHARED_MULTI_ID;
        boolean local = named.contains(name) && (ours.contains(name) || isHigh);
        ids.set(id, local);
        return local;
    }

    /** The name in a key such as {@code char[4] name}. */
    private static String keyName(byte[] buffer, int keyAt, int end) {
        int keyEnd = Math.min(end, keyAt + (buffer[keyAt - 1] & 0xFF));
        String key = text(buffer, keyAt, keyEnd);
        return key.substring(key.indexOf(' ') + 1);
    }

    private static String text(byte[] buffer, int begin, int end) {
        return new String(buffer, begin, Math.max(0, end - begin), StandardCharsets.ISO_8859_1);
    }
}
