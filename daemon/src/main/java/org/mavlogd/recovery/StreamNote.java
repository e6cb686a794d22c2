package org.mavlogd.recovery;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.mavlogd.store.StreamMark;

/**
 * A note beside a file being written, by which a later run recognises whether the same stream is still running.
 *
 * <p>Its file has two slots, written in turn, so that an incomplete write leaves the other one intact. Little endian:
 *
 * <pre>
 * slot (256)  0 magic (4) | 4 version (2) | 6 bytes used (2) | 8 number (8) | 16 values | ... | checksum (4), of all before
 * values      process (8) | monotonic ns (8) | wall clock ms (8) | system (1) | component (1) | sequence (2) | log time us (8)
 *             | file bytes (8) | chunks per s (8) | log us per s (8) | boot id (1 + n) | link (1 + n)
 *             | fate of the file (1; older notes have none: it continues)
 *             | begin and end of the stretch that need not be looked through (8, 8; older notes have none)
 * </pre>
 *
 * @param number rises with each note of a file
 * @param epochMs wall clock at that time
 * @param monotonicNs monotonic clock at that time, of that boot
 */
record StreamNote(long number, long processId, String bootId, long monotonicNs, long epochMs, StreamMark mark) {
    static final int SLOT_BYTES = 256;
    static final int SLOTS = 2;
    static final int FILE_BYTES = SLOTS * SLOT_BYTES;

    private static final int MAGIC = 0x4E_53_4C_4D; // "MLSN"
    private static final short VERSION = 1;
    private static final int USED_POSITION = 6;
    private static final int FIXED_BYTES = 80;
    private static final int MAX_TEXT_BYTES = 63;

    /** Encodes one slot; the buffer is ready to be written. */
    ByteBuffer encode() {
        ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        StreamMark.Stream stream = mark.stream();
        slot.putInt(MAGIC).putShort(VERSION).putShort((short) 0).putLong(number);
        slot.putLong(processId).putLong(monotonicNs).putLong(epochMs);
        slot.put((byte) stream.systemId()).put((byte) stream.componentId()).putShort((short) stream.sequence());
        slot.putLong(stream.logUs()).putLong(mark.fileBytes());
        slot.putDouble(stream.chunksPerSecond()).putDouble(stream.usPerSecond());
        // The age of the last chunk, because its time is also of the monotonic clock.
        slot.putLong(monotonicNs - stream.sequenceNs());
        putText(slot, bootId);
        putText(slot, stream.link());
        slot.put(code(stream.fate()));
        slot.putLong(mark.plain().from()).putLong(mark.plain().to());
        slot.putShort(USED_POSITION, (short) (slot.position() + Integer.BYTES));
        slot.putInt(checksum(slot, 0, slot.position()));
        return slot.rewind();
    }

    /** The newest of the slots; empty if none is complete. */
    static Optional<StreamNote> decode(ByteBuffer file) {
        StreamNote newest = null;
        for (int slot = 0; slot < SLOTS; slot++) {
            int start = slot * SLOT_BYTES;
            if (file.limit() - start >= SLOT_BYTES && isWhole(file, start)) {
                ByteBuffer bytes = file.slice(start, SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                StreamNote note = read(bytes);
                newest = newest == null || note.number() - newest.number() > 0 ? note : newest;
            }
        }
        return Optional.ofNullable(newest).filter(StreamNote::isBelievable);
    }

    private static boolean isWhole(ByteBuffer file, int start) {
        ByteBuffer slot = file.slice(start, SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int used = slot.getShort(USED_POSITION) & 0xFFFF;
        if (slot.getInt(0) != MAGIC
                || slot.getShort(Integer.BYTES) != VERSION
                || used < FIXED_BYTES
                || used > SLOT_BYTES) {
            return false;
        }
        int end = used - Integer.BYTES;
        return slot.getInt(end) == checksum(slot, 0, end);
    }

    private static StreamNote read(ByteBuffer slot) {
        slot.position(USED_POSITION + Short.BYTES);
        long number = slot.getLong();
        long processId = slot.getLong();
        long monotonicNs = slot.getLong();
        long epochMs = slot.getLong();
        int systemId = slot.get() & 0xFF;
        int componentId = slot.get() & 0xFF;
        int sequence = slot.getShort() & 0xFFFF;
        long logUs = slot.getLong();
        long fileBytes = slot.getLong();
        double chunksPerSecond = slot.getDouble();
        double usPerSecond = slot.getDouble();
        long sequenceNs = monotonicNs - slot.getLong();
        String bootId = getText(slot);
        StreamMark.Stream stream = new StreamMark.Stream(
                getText(slot),
                systemId,
                componentId,
                sequence,
                sequenceNs,
                logUs,
                chunksPerSecond,
                usPerSecond,
                fate(slot));
        StreamMark mark = new StreamMark(stream, fileBytes, plain(slot));
        return new StreamNote(number, processId, bootId, monotonicNs, epochMs, mark);
    }

    private static StreamMark.Fate fate(ByteBuffer slot) {
        return slot.position() < end(slot) ? fate(slot.get()) : StreamMark.Fate.CONTINUES;
    }

    private static byte code(StreamMark.Fate fate) {
        return switch (fate) {
            case CONTINUES -> 0;
            case ENDS -> 1;
            case DELETABLE -> 2;
        };
    }

    /** Decodes the fate; a log with an unknown one is not continued. */
    private static StreamMark.Fate fate(byte code) {
        return switch (code) {
            case 0 -> StreamMark.Fate.CONTINUES;
            case 2 -> StreamMark.Fate.DELETABLE;
            default -> StreamMark.Fate.ENDS;
        };
    }

    private static StreamMark.Stretch plain(ByteBuffer slot) {
        return end(slot) - slot.position() >= 2 * Long.BYTES
                ? new StreamMark.Stretch(slot.getLong(), slot.getLong())
                : StreamMark.Stretch.NONE;
    }

    /** The end of the last value. */
    private static int end(ByteBuffer slot) {
        return (slot.getShort(USED_POSITION) & 0xFFFF) - Integer.BYTES;
    }

    private boolean isBelievable() {
        StreamMark.Stream stream = mark.stream();
        return Double.isFinite(stream.chunksPerSecond())
                && stream.chunksPerSecond() >= 0
                && Double.isFinite(stream.usPerSecond())
                && stream.usPerSecond() >= 0
                && mark.fileBytes() >= 0
                && mark.plain().from() >= 0
                && mark.plain().length() >= 0
                && mark.plain().to() <= mark.fileBytes();
    }

    private static void putText(ByteBuffer slot, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MAX_TEXT_BYTES);
        slot.put((byte) length).put(bytes, 0, length);
    }

    private static String getText(ByteBuffer slot) {
        int length = Math.min(slot.get() & 0xFF, slot.remaining());
        byte[] bytes = new byte[length];
        slot.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int checksum(ByteBuffer slot, int from, int to) {
        CRC32 crc = new CRC32();
        crc.update(slot.array(), slot.arrayOffset() + from, to - from);
        return (int) crc.getValue();
    }

    /** Whether it was made in that boot; false if either is not known. */
    boolean isOfBoot(String boot) {
        return !bootId.isEmpty() && bootId.equals(boot);
    }

    /**
     * How long ago the note was made: by the monotonic clock in the same boot, else by the wall clock; negative if that
     * was set back.
     */
    long ageNs(HostClock clock) {
        if (isOfBoot(clock.bootId())) {
            return Math.max(-1, clock.monotonic().nanoTime() - monotonicNs);
        }
        return Math.max(-1, TimeUnit.MILLISECONDS.toNanos(clock.wall().time() - epochMs));
    }
}
