package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameLayout;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.peer.BulkRule;

/**
 * A PX4's LOGGING_DATA may wait, since nobody answers it; LOGGING_DATA_ACKED must not, and its sequence number tells its place among
 * the others. Everything else comes at once and has no place.
 */
final class LogDataRule implements BulkRule {
    // Classic BPF, linux/filter.h; numbers of several bytes are read with the highest byte first.
    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_SHORT = 0x28;
    private static final int LOAD_LENGTH = 0x80;
    private static final int JUMP_EQUAL = 0x15;
    private static final int JUMP_EQUAL_X = 0x1d;
    private static final int AND = 0x54;
    private static final int MULTIPLY = 0x24;
    private static final int ADD = 0x04;
    private static final int ADD_X = 0x0c;
    private static final int TO_X = 0x07;
    private static final int RETURN = 0x06;

    // Where the program answers that a datagram does not wait.
    private static final int WAKES = 17;

    /** One unsigned or signed MAVLink 2 frame of LOGGING_DATA, and nothing behind it. */
    private static final long[] PROGRAM = {
        instruction(LOAD_BYTE, 0),
        unlessEqual(1, FrameLayout.START_V2 & 0xFF),
        instruction(LOAD_SHORT, FrameLayout.MESSAGE_ID_OFFSET_V2),
        unlessEqual(3, Short.reverseBytes((short) MessageIds.LOGGING_DATA) & 0xFFFF),
        instruction(LOAD_BYTE, FrameLayout.MESSAGE_ID_OFFSET_V2 + 2),
        unlessEqual(5, 0),
        instruction(LOAD_BYTE, FrameLayout.INCOMPAT_FLAGS_OFFSET_V2),
        instruction(AND, FrameLayout.INCOMPAT_FLAG_SIGNED),
        instruction(MULTIPLY, FrameLayout.SIGNATURE_LENGTH),
        instruction(ADD, FrameLayout.HEADER_LENGTH_V2 + FrameLayout.CHECKSUM_LENGTH),
        instruction(TO_X, 0),
        instruction(LOAD_BYTE, FrameLayout.LENGTH_OFFSET),
        instruction(ADD_X, 0),
        instruction(TO_X, 0),
        instruction(LOAD_LENGTH, 0),
        jump(JUMP_EQUAL_X, 15, 0),
        instruction(RETURN, 1),
        instruction(RETURN, 0),
    };

    private final long longestNs;

    LogDataRule(long longestNs) {
        this.longestNs = longestNs;
    }

    @Override
    public long longestNs() {
        return longestNs;
    }

    private static long instruction(int code, int value) {
        return (long) code << 48 | value;
    }

    private static long unlessEqual(int at, int value) {
        return jump(JUMP_EQUAL, at, value);
    }

    /** Goes on where the comparison holds; else the datagram wakes the thread. */
    private static long jump(int code, int at, int value) {
        return instruction(code, value) | (long) (WAKES - at - 1) << 32;
    }

    @Override
    public long[] program() {
        return PROGRAM.clone();
    }

    @Override
    public boolean isBulk(byte[] woke, int length) {
        return isOf(MessageIds.LOGGING_DATA, woke, length);
    }

    @Override
    public boolean hasPlace(byte[] woke, int length) {
        return isOf(MessageIds.LOGGING_DATA_ACKED, woke, length) || isOf(MessageIds.LOGGING_DATA, woke, length);
    }

    private static boolean isOf(int messageId, byte[] datagram, int length) {
        return length > FrameLayout.HEADER_LENGTH_V2 + LogChunkLayout.SEQUENCE_OFFSET + 1
                && datagram[0] == FrameLayout.START_V2
                && FrameLayout.messageId(datagram, 0) == messageId;
    }

    @Override
    public boolean isBefore(byte[] waited, int length, byte[] woke) {
        boolean isOfOther = FrameLayout.source(waited, 0) != FrameLayout.source(woke, 0);
        return isOfOther || (short) (sequence(waited) - sequence(woke)) < 0;
    }

    /** A payload may be cut where only zeros follow, but not before its last byte that counts: of a chunk its length. */
    private static int sequence(byte[] frame) {
        int at = FrameLayout.HEADER_LENGTH_V2 + LogChunkLayout.SEQUENCE_OFFSET;
        return (frame[at] & 0xFF) | (frame[at + 1] & 0xFF) << Byte.SIZE;
    }
}
