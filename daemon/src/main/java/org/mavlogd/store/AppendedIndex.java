package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * Remembers which logs have appended sections: crash data, or remarks. Each log is read once, and again when its length
 * has changed, because appending makes it longer. Owned by one thread.
 */
final class AppendedIndex {
    // Each takes a few milliseconds on a slow card; files being written must be forced meanwhile.
    private static final int LOOKS_PER_ROUND = 32;
    private static final int HEAD_LENGTH =
            ULogLayout.APPENDED_OFFSETS_POSITION + ULogLayout.MAX_APPENDED_SECTIONS * Long.BYTES;

    // A message's header, the name of its value and the start of the text.
    private static final int SECTION_START_BYTES = 256;

    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(60);

    private record Known(long bytes, Protection protection, long lookedNs) {}

    private final Disk disk;
    private final Map<String, Known> known = new HashMap<>();
    private int looksLeft;
    private long nowNs;

    AppendedIndex(Disk disk) {
        this.disk = disk;
    }

    /** Starts a new round over the existing files. */
    void beginRound(Set<String> names, long now) {
        nowNs = now;
        known.keySet().retainAll(names);
        looksLeft = LOOKS_PER_ROUND;
    }

    /** Starts a new round over the same files, or fewer. */
    void beginRound(long now) {
        nowNs = now;
        looksLeft = LOOKS_PER_ROUND;
    }

    /** Whether this round skipped logs because it had read enough of them. */
    boolean isIncomplete() {
        return looksLeft < 0;
    }

    Protection protection(Disk.Entry log) {
        Known before = known.get(log.name());
        if (before != null && before.bytes() == log.bytes() && !isWorthAnotherLook(before)) {
            return before.protection();
        }
        if (looksLeft <= 0) {
            looksLeft = -1;
            return Protection.UNKNOWN;
        }
        looksLeft--;
        return lookAgain(log.name(), log.bytes());
    }

    /** Reads a log even if it is known. */
    Protection lookAgain(String name, long bytes) {
        Protection found = look(name);
        known.put(name, new Known(bytes, found, nowNs));
        return found;
    }

    /** A log that cannot be read is not deleted, and read again after a while. */
    private boolean isWorthAnotherLook(Known log) {
        return log.protection() == Protection.UNKNOWN && nowNs - log.lookedNs() >= RETRY_NS;
    }

    private Protection look(String name) {
        try {
            ByteBuffer head = head(disk, name);
            if (!hasAppended(head)) {
                return Protection.NONE;
            }
            return isCrashOnly(name, head) ? Protection.CRASHED : Protection.APPENDED;
        } catch (IOException e) {
            return Protection.UNKNOWN;
        }
    }

    /** Whether the log has only the section that the recorder itself appends. */
    private boolean isCrashOnly(String name, ByteBuffer head) throws IOException {
        if (head.limit() < HEAD_LENGTH || head.getLong(ULogLayout.APPENDED_OFFSETS_POSITION + Long.BYTES) != 0) {
            return false;
        }
        return CrashTexts.isIn(sectionStart(disk, name, head.getLong(ULogLayout.APPENDED_OFFSETS_POSITION)));
    }

    /** The kinds of appended sections of a log; an unknown one counts as crash data. */
    static Set<Appended> contents(Disk disk, String name, ByteBuffer head) throws IOException {
        if (!hasAppended(head)) {
            return Set.of();
        }
        Set<Appended> contents = EnumSet.noneOf(Appended.class);
        for (int at = ULogLayout.APPENDED_OFFSETS_POSITION; at + Long.BYTES <= head.limit(); at += Long.BYTES) {
            long section = head.getLong(at);
            if (section != 0) {
                contents.add(content(sectionStart(disk, name, section)));
            }
        }
        return contents.isEmpty() ? Set.of(Appended.CRASH_DATA) : contents;
    }

    private static Appended content(ByteBuffer start) {
        if (start.limit() <= ULogLayout.MESSAGE_TYPE_OFFSET) {
            return Appended.CRASH_DATA;
        }
        return switch (start.get(ULogLayout.MESSAGE_TYPE_OFFSET)) {
            case MessageType.LOGGED_STRING, MessageType.TAGGED_STRING -> Appended.REMARKS;
            default -> Appended.CRASH_DATA;
        };
    }

    /** Empty if the section's position is outside the file. */
    private static ByteBuffer sectionStart(Disk disk, String name, long position) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(SECTION_START_BYTES);
        if (position >= HEAD_LENGTH) {
            disk.peek(name, position, start);
        }
        return start.flip();
    }

    /** Whether the log's flag bits announce appended sections. */
    static boolean hasAppended(ByteBuffer head) {
        if (!isLog(head) || head.limit() < ULogLayout.APPENDED_OFFSETS_POSITION) {
            return false;
        }
        boolean isFlagged = (head.get(ULogLayout.INCOMPAT_FLAGS_POSITION) & ULogLayout.INCOMPAT_DATA_APPENDED) != 0;
        return isFlagged
                && head.get(ULogLayout.FLAG_BITS_POSITION + ULogLayout.MESSAGE_TYPE_OFFSET) == MessageType.FLAG_BITS;
    }

    /** The first bytes of a file: header and flag bits, or less if the file is shorter. */
    static ByteBuffer head(Disk disk, String name) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        disk.peek(name, 0, head);
        return head.flip();
    }

    static boolean isLog(ByteBuffer head) {
        return head.limit() >= ULogLayout.HEADER_LENGTH
                && (head.getLong(0) & ULogLayout.MAGIC_MASK) == ULogLayout.MAGIC;
    }
}
