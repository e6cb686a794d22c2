package org.mavlogd.record.head;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.store.LogFile;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * The start of every file of a log, so that each file can be read alone: the file header and all definitions as
 * received, then the current subscriptions, then the last value of each changed parameter.
 *
 * <p>Data and log messages pass on the hot path and allocate nothing; keeping a message does.
 */
public final class LogHead {
    // PX4's definitions take 82 to 88 KiB; metadata and parameters of other builds at most a few times that.
    private static final int MAX_BYTES = 8 << 20;

    // Header and flag bits have 59 bytes; a later version of the format may have longer flag bits.
    private static final int BEGIN_CAPACITY = 256;

    // Equals no fields that a caller asks for.
    private static final String TOO_LONG = "";

    // Header and flag bits. Memory that every log has from its start: no file can be read without them.
    private final UnsafeBuffer begin = new UnsafeBuffer(new byte[BEGIN_CAPACITY]);
    private int beginLength;
    private final KeptBytes definitions;
    private final LatestMessages subscriptions;
    private final LatestMessages changes;
    private final HeadKey key = new HeadKey();
    private boolean isIncomplete;
    private boolean filed;
    private boolean subscriptionsBegan;
    private boolean dataBegan;

    /** @param share memory for the kept messages after header and flag bits */
    public LogHead(MemoryShare share) {
        this.definitions = new KeptBytes(share);
        this.subscriptions = new LatestMessages(share);
        this.changes = new LatestMessages(share);
    }

    /** Whether a message is missing for lack of memory: files that begin from now on do not have it. */
    public boolean lacksMessages() {
        return isIncomplete;
    }

    /** Keeps the file header, the start of every file. */
    public void onHeader(DirectBuffer buffer, int offset) {
        begin.putBytes(0, buffer, offset, ULogLayout.HEADER_LENGTH);
        beginLength = ULogLayout.HEADER_LENGTH;
    }

    /** Whether a message is the flag bits that follow the header before anything else in a file. */
    public boolean isFlagsOfHeader(DirectBuffer buffer, int offset, int messageLength) {
        return buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET) == MessageType.FLAG_BITS
                && beginLength == ULogLayout.HEADER_LENGTH
                && definitions.length() == 0
                && !areDefinitionsThrough()
                && messageLength <= BEGIN_CAPACITY - beginLength;
    }

    /** Keeps the message if later files need it; returns whether it was kept. */
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
            // Also formats that come late: in later files they are where all readers expect them.
            case MessageType.FORMAT -> define(buffer, offset, messageLength);
            case MessageType.SUBSCRIPTION -> onSubscription(buffer, offset, messageLength);
            case MessageType.UNSUBSCRIPTION -> onUnsubscription(buffer, offset, messageLength);
            case MessageType.PARAMETER, MessageType.DEFAULT_PARAMETER -> onParameter(buffer, offset, messageLength);
            default -> !dataBegan && define(buffer, offset, messageLength);
        };
    }

    /**
     * Keeps an info that came among the data but concerns the whole log. A vehicle's own late infos are valid only at
     * their place.
     */
    public boolean onLateInfo(DirectBuffer buffer, int offset, int messageLength) {
        return define(buffer, offset, messageLength);
    }

    /** Whether the first message of the data section has passed. */
    public boolean isComplete() {
        return dataBegan;
    }

    /** Bytes that {@link #appendDefinitions} and {@link #appendState} append, without those of {@code own}. */
    public int length() {
        return beginLength + definitions.length() + subscriptions.length() + changes.length();
    }

    /** Sets whether there is a file that takes the next messages. Such a file began with all kept messages. */
    public void onFile(boolean isThere) {
        filed = isThere;
        subscriptions.onFile();
        changes.onFile();
    }

    /** Bytes since the last call that were kept, but replaced before any file had them. */
    public long takeReplacedBytes() {
        return subscriptions.takeReplacedBytes() + changes.takeReplacedBytes();
    }

    /** Whether a message of this type may come before the first subscription and the first data. */
    public static boolean isDefinition(byte type) {
        return !isPlain(type) && type != MessageType.SUBSCRIPTION && type != MessageType.UNSUBSCRIPTION;
    }

    /** Whether no later message depends on a message of this type. */
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

    /** Whether the first subscription, or the first message of the data section, has passed. */
    public boolean areDefinitionsThrough() {
        return subscriptionsBegan || dataBegan;
    }

    /** Begins a file with the definitions. mavlogd's own infos follow the flag bits. */
    public void appendDefinitions(LogFile file, OwnInfos own, long nowNs) {
        file.append(begin, 0, beginLength, nowNs);
        file.append(own.buffer(), 0, own.length(), nowNs);
        definitions.forEachPiece((buffer, firstPlace, used) -> file.append(buffer, 0, used, nowNs));
        file.headEndsHere();
    }

    /** Continues the file with the current state after the definitions: subscriptions and changed parameters. */
    public void appendState(LogFile file, long nowNs) {
        subscriptions.appendTo(file, nowNs);
        changes.appendTo(file, nowNs);
        file.headEndsHere();
    }

    /**
     * The fields of formats by name, as after the colon. If a name has several formats, the last one counts.
     *
     * @param wanted the maximum length of the fields for a name; 0 if the name is not wanted
     */
    public Map<String, String> formats(ToIntFunction<String> wanted) {
        Map<String, String> formats = new HashMap<>();
        definitions.forEachPiece((buffer, firstPlace, used) -> {
            for (int offset = 0; offset < used; ) {
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
        if (!isFlagsOfHeader(buffer, offset, messageLength)) {
            return !dataBegan && define(buffer, offset, messageLength);
        }
        begin.putBytes(beginLength, buffer, offset, messageLength);
        beginLength += messageLength;
        return true;
    }

    private boolean onSubscription(DirectBuffer buffer, int offset, int messageLength) {
        subscriptionsBegan = true;
        return keep(subscriptions, buffer, offset, messageLength);
    }

    /** The message stays at its place among the data; later files do not have the subscription. */
    private boolean onUnsubscription(DirectBuffer buffer, int offset, int messageLength) {
        dataBegan = true;
        subscriptions.end(buffer, offset, messageLength);
        return false;
    }

    /**
     * The first value of a parameter belongs to the definitions. Each later one is a change, of which only the last is
     * kept.
     */
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
