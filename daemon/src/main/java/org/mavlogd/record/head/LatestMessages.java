package org.mavlogd.record.head;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.store.LogFile;

/**
 * The last message of each {@link HeadKey}: raw bytes and a table of their places, because a vehicle can send a million
 * small ones. Ordered by the first message of each key, except that one whose length changed moves to the end. Owned by
 * the recorder's thread.
 */
final class LatestMessages {
    // The byte before each message: whether it is current, and whether a file began since it came.
    private static final byte GONE = 0;
    private static final byte FILED = 1;
    private static final byte UNFILED = 2;

    private static final int FIRST_SLOTS = 64;
    private static final int TABLE_OVERHEAD = 16;
    private static final int EMPTY = -1;
    private static final int LEFT = -2;
    // When this many bytes are unused, the rest is compacted.
    private static final int MAX_GONE_BYTES = 16 << 10;

    private final MemoryShare share;
    private final KeptBytes messages;
    private final HeadKey key = new HeadKey();
    private final HeadKey other = new HeadKey();
    // Places, by the hash of the key.
    private int[] slots = {};
    private int count;
    private int usedSlots;
    private int goneBytes;
    private int length;
    private boolean hasUnfiled;
    private long replacedBytes;

    LatestMessages(MemoryShare share) {
        this.share = share;
        this.messages = new KeptBytes(share);
    }

    /** Length of the current messages in bytes. */
    int length() {
        return length;
    }

    /** Keeps a message in place of the one with its key; false if it has no key, or there is no memory. */
    boolean keep(DirectBuffer buffer, int offset, int messageLength, boolean isFiled) {
        if (!key.read(buffer, offset, messageLength) || !makeSlot()) {
            return false;
        }
        int slot = find(buffer);
        int before = slots[slot];
        int lengthBefore = before < 0 ? 0 : lengthAt(before);
        boolean wasUnfiled = before >= 0 && messages.getByte(before) == UNFILED;
        int place = lengthBefore == messageLength ? before : messages.allocate(messageLength + 1);
        if (place < 0) {
            return false;
        }
        messages.putByte(place, isFiled ? FILED : UNFILED);
        messages.put(place + 1, buffer, offset, messageLength);
        hasUnfiled |= !isFiled;
        replacedBytes += wasUnfiled && !isFiled ? lengthBefore : 0;
        if (place != before) {
            enter(slot, place, messageLength, lengthBefore);
        }
        return true;
    }

    private void enter(int slot, int place, int messageLength, int lengthBefore) {
        int before = slots[slot];
        slots[slot] = place;
        length += messageLength;
        if (before >= 0) {
            drop(before, lengthBefore);
            return;
        }
        count++;
        usedSlots++;
    }

    private void drop(int place, int messageLength) {
        messages.putByte(place, GONE);
        goneBytes += messageLength + 1;
        length -= messageLength;
        if (goneBytes > MAX_GONE_BYTES && goneBytes > length) {
            goneBytes = 0;
            messages.rewrite(this::copyCurrent);
            rebuild(slots.length);
        }
    }

    /** Removes a topic whose subscription ended. */
    void end(DirectBuffer buffer, int offset, int messageLength) {
        if (slots.length == 0 || !key.readEnded(buffer, offset, messageLength)) {
            return;
        }
        int slot = find(buffer);
        int place = slots[slot];
        if (place >= 0) {
            slots[slot] = LEFT;
            count--;
            drop(place, lengthAt(place));
        }
    }

    /** A file began, with all kept messages in it, or there is no file any more. */
    void onFile() {
        if (hasUnfiled) {
            hasUnfiled = false;
            for (int place : slots) {
                if (place >= 0) {
                    messages.putByte(place, FILED);
                }
            }
        }
    }

    /** Bytes since the last call that were kept, but replaced before any file had them. */
    long takeReplacedBytes() {
        long bytes = replacedBytes;
        replacedBytes = 0;
        return bytes;
    }

    void appendTo(LogFile file, long nowNs) {
        messages.forEachPiece((buffer, firstPlace, used) -> {
            for (int at = 0; at < used; ) {
                int messageLength = HeadKey.length(buffer, at + 1);
                if (buffer.getByte(at) != GONE) {
                    file.append(buffer, at + 1, messageLength, nowNs);
                }
                at += 1 + messageLength;
            }
        });
    }

    private void copyCurrent(DirectBuffer buffer, int firstPlace, int used) {
        for (int at = 0; at < used; ) {
            int messageLength = HeadKey.length(buffer, at + 1);
            if (buffer.getByte(at) != GONE) {
                messages.keep(buffer, at, 1 + messageLength);
            }
            at += 1 + messageLength;
        }
    }

    private int lengthAt(int place) {
        return HeadKey.length(messages.buffer(place), KeptBytes.offset(place) + 1);
    }

    /** The slot of {@link #key}, or the empty slot where it belongs. */
    private int find(DirectBuffer buffer) {
        int slot = key.hash(buffer) & (slots.length - 1);
        while (slots[slot] != EMPTY && !isAt(slots[slot], buffer)) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private boolean isAt(int place, DirectBuffer buffer) {
        if (place == LEFT) {
            return false;
        }
        DirectBuffer there = messages.buffer(place);
        int offset = KeptBytes.offset(place) + 1;
        other.read(there, offset, HeadKey.length(there, offset));
        return key.equals(buffer, other, there);
    }

    /** Grows the table if necessary: half of it stays empty. */
    private boolean makeSlot() {
        if (2 * (usedSlots + 1) <= slots.length) {
            return true;
        }
        int before = slots.length;
        if (4 * (count + 1) <= before) {
            rebuild(before);
            return true;
        }
        int next = Math.max(FIRST_SLOTS, 2 * before);
        if (!share.reserve((long) next * Integer.BYTES + TABLE_OVERHEAD)) {
            return false;
        }
        rebuild(next);
        share.release(before == 0 ? 0 : (long) before * Integer.BYTES + TABLE_OVERHEAD);
        return true;
    }

    private void rebuild(int size) {
        slots = slots.length == size ? slots : new int[size];
        usedSlots = count;
        Arrays.fill(slots, EMPTY);
        messages.forEachPiece(this::enterAll);
    }

    private void enterAll(DirectBuffer buffer, int firstPlace, int used) {
        for (int at = 0; at < used; ) {
            int messageLength = HeadKey.length(buffer, at + 1);
            if (buffer.getByte(at) != GONE && other.read(buffer, at + 1, messageLength)) {
                int slot = other.hash(buffer) & (slots.length - 1);
                while (slots[slot] != EMPTY) {
                    slot = (slot + 1) & (slots.length - 1);
                }
                slots[slot] = firstPlace + at;
            }
            at += 1 + messageLength;
        }
    }
}
