package org.mavlogd.record;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.store.LogFile;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * What every file of a log must begin with so that it can be read alone: the file header and all definitions as they came,
 * then the subscriptions that hold, then the last value of each parameter that was changed.
 *
 * <p>Data and texts pass on the hot path and allocate nothing; what is kept does.
 */
final class LogHead {
    // PX4's definitions take 82 to 88 KiB; metadata and parameters of other builds at most a few times that.
    private static final int MAX_BYTES = 8 << 20;

    private final ExpandableArrayBuffer definitions = new ExpandableArrayBuffer(128 << 10);
    private final Map<Integer, byte[]> subscriptions = new LinkedHashMap<>();
    private final Map<String, byte[]> changes = new LinkedHashMap<>();
    private int definitionsLength;
    // Header and flag bits; infos of our own follow.
    private int beginLength;
    private int length;
    // What was kept since there was a file that had it, and how much of that was replaced before one could have it.
    private final Set<Object> unfiled = new HashSet<>();
    private long replacedBytes;
    private boolean filed;
    private boolean subscriptionsBegan;
    private boolean dataBegan;

    void onHeader(DirectBuffer buffer, int offset) {
        define(buffer, offset, ULogLayout.HEADER_LENGTH);
        beginLength = definitionsLength;
    }

    /** Keeps the message if a reader of later files needs it; returns whether it was kept. */
    boolean onMessage(DirectBuffer buffer, int offset, int messageLength) {
        byte type = buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
        return switch (type) {
            case MessageType.DATA,
                    MessageType.LOGGED_STRING,
                    MessageType.TAGGED_STRING,
                    MessageType.SYNC,
                    MessageType.DROPOUT -> {
                dataBegan = true;
                yield false;
            }
            case MessageType.FLAG_BITS -> onFlagBits(buffer, offset, messageLength);
            // Also those that come late: in a later file they stand where all readers expect them.
            case MessageType.FORMAT -> define(buffer, offset, messageLength);
            case MessageType.SUBSCRIPTION -> onSubscription(buffer, offset, messageLength);
            case MessageType.UNSUBSCRIPTION -> onUnsubscription(buffer, offset, messageLength);
            case MessageType.PARAMETER, MessageType.DEFAULT_PARAMETER ->
                onParameter(buffer, offset, messageLength, type);
            default -> !dataBegan && define(buffer, offset, messageLength);
        };
    }

    /** An info that came among the data, but is of the whole log; a vehicle's own ones hold where they stand. */
    boolean onLateInfo(DirectBuffer buffer, int offset, int messageLength) {
        return define(buffer, offset, messageLength);
    }

    /** True once the first message of the data section has passed. */
    boolean isComplete() {
        return dataBegan;
    }

    /** Bytes that {@link #appendDefinitions} and {@link #appendState} append, those of {@code own} not counted. */
    int length() {
        return length;
    }

    /** Whether a file takes what comes from here on; when one does, it began with all that is kept. */
    void onFile(boolean isThere) {
        filed = isThere;
        unfiled.clear();
    }

    /** Bytes that were kept, but replaced before a file had them, since the last call. */
    long takeReplacedBytes() {
        long bytes = replacedBytes;
        replacedBytes = 0;
        return bytes;
    }

    /** Whether a message of this type may come before the first subscription and the first data. */
    static boolean isDefinition(byte type) {
        return !isPlain(type) && type != MessageType.SUBSCRIPTION && type != MessageType.UNSUBSCRIPTION;
    }

    /** Whether nothing that comes later needs a message of this type. */
    static boolean isPlain(byte type) {
        return switch (type) {
            case MessageType.DATA,
                    MessageType.LOGGED_STRING,
                    MessageType.TAGGED_STRING,
                    MessageType.SYNC,
                    MessageType.DROPOUT -> true;
            default -> false;
        };
    }

    /** True once the first subscription, or the first message of the data section, has passed. */
    boolean areDefinitionsThrough() {
        return subscriptionsBegan || dataBegan;
    }

    /** Begins a file with the definitions. Infos of our own stand behind the flag bits. */
    void appendDefinitions(LogFile file, OwnInfos own, long nowNs) {
        file.append(definitions, 0, beginLength, nowNs);
        file.append(own.buffer(), 0, own.length(), nowNs);
        file.append(definitions, beginLength, definitionsLength - beginLength, nowNs);
        file.headEndsHere();
    }

    /** Goes on with what came after the definitions and still holds. */
    void appendState(LogFile file, long nowNs) {
        subscriptions.values().forEach(message -> append(file, message, nowNs));
        changes.values().forEach(message -> append(file, message, nowNs));
        file.headEndsHere();
    }

    /** The fields of each format by name, as they stand behind the colon. Of two with one name the later counts. */
    Map<String, String> formats() {
        Map<String, String> formats = new HashMap<>();
        int offset = ULogLayout.HEADER_LENGTH;
        while (offset < definitionsLength) {
            int begin = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
            int end = begin + (definitions.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
            if (definitions.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET) == MessageType.FORMAT) {
                String text = definitions.getStringWithoutLengthAscii(begin, end - begin);
                int colon = text.indexOf(':');
                if (colon > 0) {
                    formats.put(text.substring(0, colon), text.substring(colon + 1));
                }
            }
            offset = end;
        }
        return formats;
    }

    private static void append(LogFile file, byte[] message, long nowNs) {
        file.append(new UnsafeBuffer(message), 0, message.length, nowNs);
    }

    private boolean onFlagBits(DirectBuffer buffer, int offset, int messageLength) {
        boolean first = definitionsLength == beginLength;
        boolean kept = !dataBegan && define(buffer, offset, messageLength);
        if (first && kept) {
            beginLength = definitionsLength;
        }
        return kept;
    }

    private boolean onSubscription(DirectBuffer buffer, int offset, int messageLength) {
        subscriptionsBegan = true;
        int payload = messageLength - ULogLayout.MESSAGE_HEADER_LENGTH;
        return payload >= ULogLayout.SUBSCRIPTION_HEADER_SIZE
                && keep(subscriptions, messageId(buffer, offset, 1), buffer, offset, messageLength);
    }

    /** Stays in its place among the data; what follows has one topic less. */
    private boolean onUnsubscription(DirectBuffer buffer, int offset, int messageLength) {
        dataBegan = true;
        if (messageLength >= ULogLayout.MESSAGE_HEADER_LENGTH + Short.BYTES) {
            byte[] ended = subscriptions.remove(messageId(buffer, offset, 0));
            length -= ended == null ? 0 : ended.length;
        }
        return false;
    }

    private static int messageId(DirectBuffer buffer, int offset, int position) {
        return buffer.getShort(offset + ULogLayout.MESSAGE_HEADER_LENGTH + position, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /** The first value of a parameter belongs to the definitions; each later one is a change, of which the last counts. */
    private boolean onParameter(DirectBuffer buffer, int offset, int messageLength, byte type) {
        if (!subscriptionsBegan && !dataBegan) {
            return define(buffer, offset, messageLength);
        }
        // 'P': key length, key; 'Q': default types, key length, key
        int keyAt = offset + ULogLayout.MESSAGE_HEADER_LENGTH + (type == MessageType.PARAMETER ? 1 : 2);
        int keyLength = keyAt > offset + messageLength ? 0 : buffer.getByte(keyAt - 1) & 0xFF;
        if (keyLength == 0 || keyAt + keyLength > offset + messageLength) {
            return false;
        }
        String key = buffer.getStringWithoutLengthAscii(keyAt, keyLength);
        // For a default, the types it is the default of belong to what it says.
        int defaultTypes = type == MessageType.PARAMETER ? 0 : buffer.getByte(keyAt - 2);
        String name = key.substring(key.indexOf(' ') + 1) + ' ' + defaultTypes;
        return keep(changes, name, buffer, offset, messageLength);
    }

    /** Replaces what was kept under this key; the order is that of the first of each. */
    private <K> boolean keep(Map<K, byte[]> kept, K key, DirectBuffer buffer, int offset, int messageLength) {
        byte[] before = kept.get(key);
        int lengthAfter = length + messageLength - (before == null ? 0 : before.length);
        if (lengthAfter > MAX_BYTES) {
            return false; // a later file lacks what does not fit; this one has it
        }
        if (!filed && !unfiled.add(key) && before != null) {
            replacedBytes += before.length;
        }
        byte[] message = new byte[messageLength];
        buffer.getBytes(offset, message);
        kept.put(key, message);
        length = lengthAfter;
        return true;
    }

    private boolean define(DirectBuffer buffer, int offset, int count) {
        if (length + count > MAX_BYTES) {
            return false;
        }
        definitions.putBytes(definitionsLength, buffer, offset, count);
        definitionsLength += count;
        length += count;
        return true;
    }
}
