package org.mavlogd.store;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * Tells which messages of a log this computer put in beside the vehicle's.
 *
 * <p>Its topics are named by info messages before their formats. The first format of such a name that follows is ours, and
 * with it all subscriptions of that name. A name whose format stands before is the vehicle's: of its subscriptions those are
 * ours that have both a high message id and a high multi id. Data belong to whom their id belongs to. Owned by one thread.
 */
public final class LocalMarks {
    /** Name of the multi info that lists local topics, separated by commas; there may be several. */
    public static final String TOPICS = "local_topics";

    /** With the topic's name behind it: name of the info that lists units, such as {@code load=1,frequency=Hz}. */
    public static final String UNITS = "field_units_";

    /** Message ids of ours count down from 65535 and end here. */
    public static final int LOWEST_ID = 0x8000;

    /** The first multi id of ours in a topic of the vehicle's. PX4 has up to 10 of a topic, and some come late. */
    public static final int FIRST_SHARED_MULTI_ID = 10;

    // The bounds keep a made-up file from filling the memory.
    private static final int MAX_NAMES = 65_536;
    private static final int MAX_NAME_LENGTH = 256;

    private final Set<String> named = new HashSet<>();
    private final Set<String> ours = new HashSet<>();
    private final Set<String> others = new HashSet<>();
    private final BitSet ids = new BitSet();

    /** Whether the next message, of this type and with its header in the buffer, is ours. */
    boolean isLocal(int type, byte[] buffer, int offset, int length) {
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        int end = offset + length;
        return switch (type) {
            case MessageType.MULTI_INFO -> onMultiInfo(buffer, payload, end);
            case MessageType.INFO -> isUnits(buffer, payload, end);
            case MessageType.FORMAT -> onFormat(buffer, payload, end);
            case MessageType.SUBSCRIPTION -> onSubscription(buffer, payload, end);
            case MessageType.DATA -> end - payload >= Short.BYTES && ids.get(uint16(buffer, payload));
            case MessageType.TAGGED_STRING -> !named.isEmpty(); // the vehicles that we know send none
            default -> false;
        };
    }

    private boolean onMultiInfo(byte[] buffer, int payload, int end) {
        int keyAt = payload + 2;
        if (keyAt > end || !keyName(buffer, keyAt, end).equals(TOPICS)) {
            return false;
        }
        int value = keyAt + (buffer[keyAt - 1] & 0xFF);
        // A damaged key may claim to reach beyond its message.
        if (value < end && named.size() < MAX_NAMES) {
            Collections.addAll(named, text(buffer, value, end).split(","));
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
        if (named.contains(name) && !others.contains(name) && ours.add(name)) {
            return true;
        }
        if (others.size() < MAX_NAMES) {
            others.add(name);
        }
        return false;
    }

    private boolean onSubscription(byte[] buffer, int payload, int end) {
        if (end - payload < ULogLayout.SUBSCRIPTION_HEADER_SIZE) {
            return false;
        }
        int multiId = buffer[payload] & 0xFF;
        int id = uint16(buffer, payload + 1);
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

    private static int uint16(byte[] buffer, int offset) {
        return (buffer[offset] & 0xFF) | ((buffer[offset + 1] & 0xFF) << Byte.SIZE);
    }
}
