package org.mavlogd.record.head;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.agrona.DirectBuffer;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.store.LogFile;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * The start of every file of a log, so that it can be read alone: the file header and all definitions as received, then
 * the current subscriptions, then the last value of each changed parameter.
 *
 * <p>Data and messages pass on the hot path and allocate nothing; what is kept does.
 */
public final class LogHead {
    // PX4's definitions take 82 to 88 KiB; metadata and parameters of other builds at most a few times that.
    private static final int MAX_BYTES = 8 << 20;

    // Equal to no fields that anybody asks for.
    private static final String TOO_LONG = "";

    private final KeptBytes definitions;
    private final LatestMessages subscriptions;
    private final LatestMessages changes;
    // Header and flag bits; infos of our own follow.
    private int beginLength;
    private final HeadKey key = new HeadKey();
    private boolean isIncomplete;
    private boolean filed;
    private boolean subscriptionsBegan;
    private boolean dataBegan;

    /** @param share what is kept comes out of */
    public LogHead(MemoryShare share) {
        this.definitions = new KeptBytes(share);
        this.subscriptions = new LatestMessages(share);
        this.changes = new LatestMessages(share);
    }

    /** Whether something had to be left out because there was no memory: a file that begins now lacks it. */
    public boolean lacksMessages() {
        return isIncomplete;
    }

    public void onHeader(DirectBuffer buffer, int offset) {
        define(buffer, offset, ULogLayout.HEADER_LENGTH);
        beginLength = definitions.length();
    }

    /** Keeps the message if a reader of later files needs it; returns whether it was kept. */
    public boolean onMessage(DirectBuffer buffer, int offset, int messageLength) {
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
            case MessageType.PARAMETER, MessageType.DEFAULT_PARAMETER -> onParameter(buffer, offset, messageLength);
            default -> !dataBegan && define(buffer, offset, messageLength);
        };
    }

    /** An info that came among the data, but is of the whole log; a vehicle's own ones hold where they stand. */
    public boolean onLateInfo(DirectBuffer buffer, int offset, int messageLength) {
        return define(buffer, offset, messageLength);
    }

    /** True once the first message of the data section has passed. */
    public boolean isComplete() {
        return dataBegan;
    }

    /** Bytes that {@link #appendDefinitions} and {@link #appendState} append, those of {@code own} not counted. */
    public int length() {
        return definitions.length() + subscriptions.length() + changes.length();
    }

    /** Whether a file takes what comes from here on; when one does, it began with all that is kept. */
    public void onFile(boolean isThere) {
        filed = isThere;
        subscriptions.onFile();
        changes.onFile();
    }

    /** Bytes that were kept, but replaced before a file had them, since the last call. */
    public long takeReplacedBytes() {
        return subscriptions.takeReplacedBytes() + changes.takeReplacedBytes();
    }

    /** Whether a message of this type may come before the first subscription and the first data. */
    public static boolean isDefinition(byte type) {
        return !isPlain(type) && type != MessageType.SUBSCRIPTION && type != MessageType.UNSUBSCRIPTION;
    }

    /** Whether nothing that comes later needs a message of this type. */
    public static boolean isPlain(byte type) {
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
    public boolean areDefinitionsThrough() {
        return subscriptionsBegan || dataBegan;
    }

    /** Begins a file with the definitions. Infos of our own are after the flag bits. */
    public void appendDefinitions(LogFile file, OwnInfos own, long nowNs) {
        definitions.appendTo(file, 0, beginLength, nowNs);
        file.append(own.buffer(), 0, own.length(), nowNs);
        definitions.appendTo(file, beginLength, definitions.length() - beginLength, nowNs);
        file.headEndsHere();
    }

    /** Continues with what came after the definitions and still holds. */
    public void appendState(LogFile file, long nowNs) {
        subscriptions.appendTo(file, nowNs);
        changes.appendTo(file, nowNs);
        file.headEndsHere();
    }

    /**
     * The fields of formats by name, as they are after the colon. Of two with one name the later counts.
     *
     * @param wanted which names are asked for, and the longest fields that matter of each; 0 for none
     */
    public Map<String, String> formats(ToIntFunction<String> wanted) {
        Map<String, String> formats = new HashMap<>();
        definitions.forEachPiece((buffer, firstPlace, used) -> {
            int offset = firstPlace == 0 ? Math.min(used, ULogLayout.HEADER_LENGTH) : 0;
            while (offset < used) {
                int end = offset + HeadKey.length(buffer, offset);
                if (buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET) == MessageType.FORMAT) {
                    addFormat(formats, wanted, buffer, offset + ULogLayout.MESSAGE_HEADER_LENGTH, end);
                }
                offset = end;
            }
        });
        return formats;
    }

    private static void addFormat(
            Map<String, String> formats, ToIntFunction<String> wanted, DirectBuffer buffer, int begin, int end) {
        int colon = begin;
        while (colon < end && buffer.getByte(colon) != ':') {
            colon++;
        }
        if (colon == begin || colon >= end) {
            return;
        }
        String name = buffer.getStringWithoutLengthAscii(begin, colon - begin);
        int longest = wanted.applyAsInt(name);
        int length = end - colon - 1;
        if (longest > 0) {
            formats.put(name, length > longest ? TOO_LONG : buffer.getStringWithoutLengthAscii(colon + 1, length));
        }
    }

    private boolean onFlagBits(DirectBuffer buffer, int offset, int messageLength) {
        boolean first = definitions.length() == beginLength;
        boolean kept = !dataBegan && define(buffer, offset, messageLength);
        if (first && kept) {
            beginLength = definitions.length();
        }
        return kept;
    }

    private boolean onSubscription(DirectBuffer buffer, int offset, int messageLength) {
        subscriptionsBegan = true;
        return keep(subscriptions, buffer, offset, messageLength);
    }

    /** Stays in its place among the data; what follows has one topic less. */
    private boolean onUnsubscription(DirectBuffer buffer, int offset, int messageLength) {
        dataBegan = true;
        subscriptions.end(buffer, offset, messageLength);
        return false;
    }

    /** The first value of a parameter belongs to the definitions; each later one is a change, of which the last counts. */
    private boolean onParameter(DirectBuffer buffer, int offset, int messageLength) {
        return (subscriptionsBegan || dataBegan)
                ? keep(changes, buffer, offset, messageLength)
                : define(buffer, offset, messageLength);
    }

    private boolean keep(LatestMessages kept, DirectBuffer buffer, int offset, int messageLength) {
        if (length() + messageLength <= MAX_BYTES && kept.keep(buffer, offset, messageLength, filed)) {
            return true;
        }
        isIncomplete |= key.read(buffer, offset, messageLength);
        return false; // a later file lacks what does not fit; this one has it
    }

    private boolean define(DirectBuffer buffer, int offset, int count) {
        boolean kept = length() + count <= MAX_BYTES && definitions.add(buffer, offset, count);
        isIncomplete |= !kept;
        return kept;
    }
}
