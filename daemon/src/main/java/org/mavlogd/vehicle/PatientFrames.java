package org.mavlogd.vehicle;

import java.util.stream.IntStream;
import org.mavlogd.mavlink.FrameLayout;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.peer.BulkRule;

/**
 * Selects frames that may wait in the kernel because they need no answer: a PX4's LOGGING_DATA, and telemetry that is
 * not recorded with its time. Frames that a conversation needs are delivered at once. The sequence in
 * LOGGING_DATA_ACKED gives its place among the LOGGING_DATA.
 */
final class PatientFrames implements BulkRule {
    // Messages that mavlogd acts upon: requests, answers, clocks, and STATUSTEXT, which may be urgent.
    private static final int[] PROMPT = {
        MessageIds.HEARTBEAT,
        MessageIds.SYSTEM_TIME,
        MessageIds.COMMAND_ACK,
        MessageIds.FILE_TRANSFER_PROTOCOL,
        MessageIds.TIMESYNC,
        MessageIds.LOG_ENTRY,
        MessageIds.LOG_DATA,
        MessageIds.REMOTE_LOG_DATA_BLOCK,
        MessageIds.STATUSTEXT,
        MessageIds.LOGGING_DATA_ACKED,
    };

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

    // All tests must lie within one jump, whose distance is a byte.
    private static final int MAX_TESTS = 200;

    private static final int FIRST_TEST = 5;
    private static final int REST = 12;

    private final long longestNs;
    private final int[] prompt;
    private final long[] program;

    private PatientFrames(long longestNs, int[] prompt) {
        this.longestNs = longestNs;
        this.prompt = prompt;
        this.program = prompt.length > 0 ? program(prompt, true) : program(new int[] {MessageIds.LOGGING_DATA}, false);
    }

    /**
     * Selects all messages that need no answer.
     *
     * @param timed messages that are recorded with their time of arrival; if these are too many for the filter, no
     *     telemetry waits
     */
    static PatientFrames butTimed(long longestNs, int[] timed) {
        int[] all = IntStream.concat(IntStream.of(PROMPT), IntStream.of(timed))
                .distinct()
                .toArray();
        return all.length <= MAX_TESTS ? new PatientFrames(longestNs, all) : ofLogData(longestNs);
    }

    /** Selects LOGGING_DATA only, for links on which all other messages are needed at once. */
    static PatientFrames ofLogData(long longestNs) {
        return new PatientFrames(longestNs, new int[0]);
    }

    /**
     * The filter program: a datagram waits if it is exactly one MAVLink 2 frame, signed or unsigned, and its message is
     * in the list, or is not.
     *
     * @param isPrompt true if the listed messages are delivered at once, false if they wait
     */
    private static long[] program(int[] ids, boolean isPrompt) {
        int wakes = FIRST_TEST + ids.length + REST - 1;
        long[] code = new long[wakes + 1];
        int at = 0;
        code[at++] = instruction(LOAD_BYTE, 0);
        code[at] = jump(JUMP_EQUAL, 0, wakes - ++at, FrameLayout.START_V2 & 0xFF);
        code[at++] = instruction(LOAD_BYTE, FrameLayout.MESSAGE_ID_OFFSET_V2 + 2);
        code[at] = jump(JUMP_EQUAL, 0, wakes - ++at, 0);
        code[at++] = instruction(LOAD_SHORT, FrameLayout.MESSAGE_ID_OFFSET_V2);
        for (int id : ids) {
            int away = wakes - at - 1;
            code[at++] =
                    jump(JUMP_EQUAL, isPrompt ? away : 0, isPrompt ? 0 : away, Short.reverseBytes((short) id) & 0xFFFF);
        }
        code[at++] = instruction(LOAD_BYTE, FrameLayout.INCOMPAT_FLAGS_OFFSET_V2);
        code[at++] = instruction(AND, FrameLayout.INCOMPAT_FLAG_SIGNED);
        code[at++] = instruction(MULTIPLY, FrameLayout.SIGNATURE_LENGTH);
        code[at++] = instruction(ADD, FrameLayout.HEADER_LENGTH_V2 + FrameLayout.CHECKSUM_LENGTH);
        code[at++] = instruction(TO_X, 0);
        code[at++] = instruction(LOAD_BYTE, FrameLayout.LENGTH_OFFSET);
        code[at++] = instruction(ADD_X, 0);
        code[at++] = instruction(TO_X, 0);
        code[at++] = instruction(LOAD_LENGTH, 0);
        code[at] = jump(JUMP_EQUAL_X, 0, wakes - ++at, 0);
        code[at++] = instruction(RETURN, 1);
        code[at] = instruction(RETURN, 0);
        return code;
    }

    private static long instruction(int code, int value) {
        return (long) code << 48 | value;
    }

    private static long jump(int code, int ifSo, int ifNot, int value) {
        return instruction(code, value) | (long) ifSo << 40 | (long) ifNot << 32;
    }

    @Override
    public long longestNs() {
        return longestNs;
    }

    @Override
    public long[] program() {
        return program.clone();
    }

    @Override
    public boolean isBulk(byte[] datagram, int length) {
        boolean isOneFrame = length >= FrameLayout.HEADER_LENGTH_V2
                && datagram[0] == FrameLayout.START_V2
                && FrameLayout.length(datagram, 0) == length;
        if (!isOneFrame) {
            return false;
        }
        int id = FrameLayout.messageId(datagram, 0);
        return id == MessageIds.LOGGING_DATA || (prompt.length > 0 && !isPrompt(id));
    }

    private boolean isPrompt(int messageId) {
        for (int id : prompt) {
            if (id == messageId) {
                return true;
            }
        }
        return messageId > 0xFFFF;
    }

    @Override
    public int place(byte[] woke, int length) {
        int at = 0;
        while (length - at > FrameLayout.HEADER_LENGTH_V2 && FrameLayout.isStart(woke[at])) {
            if (isLogData(woke, at, length)) {
                return at;
            }
            at += FrameLayout.length(woke, at);
        }
        return -1;
    }

    /** The answer to STOP ends a log, and so does a time since boot that shows a reboot. */
    @Override
    public boolean mayEnd(byte[] woke, int length) {
        int at = 0;
        while (length - at > FrameLayout.HEADER_LENGTH_V2 && FrameLayout.isStart(woke[at])) {
            if (isOf(MessageIds.COMMAND_ACK, woke, at) || isOf(MessageIds.SYSTEM_TIME, woke, at)) {
                return true;
            }
            at += FrameLayout.length(woke, at);
        }
        return false;
    }

    private static boolean isLogData(byte[] datagram, int at, int length) {
        return length - at > FrameLayout.HEADER_LENGTH_V2 + LogChunkLayout.SEQUENCE_OFFSET + 1
                && (isOf(MessageIds.LOGGING_DATA_ACKED, datagram, at) || isOf(MessageIds.LOGGING_DATA, datagram, at));
    }

    private static boolean isOf(int messageId, byte[] datagram, int at) {
        return datagram[at] == FrameLayout.START_V2 && FrameLayout.messageId(datagram, at) == messageId;
    }

    @Override
    public boolean isPacked(byte[] woke, int length) {
        return length > FrameLayout.HEADER_LENGTH_V2
                && FrameLayout.length(woke, 0) < length
                && place(woke, length) >= 0;
    }

    @Override
    public int order(byte[] waited, int length, byte[] woke, int place) {
        if (!isLogData(waited, 0, length) || FrameLayout.source(waited, 0) != FrameLayout.source(woke, place)) {
            return 0;
        }
        return (short) (sequence(waited, 0) - sequence(woke, place)) < 0 ? -1 : 1;
    }

    private static int sequence(byte[] datagram, int frame) {
        int at = frame + FrameLayout.HEADER_LENGTH_V2 + LogChunkLayout.SEQUENCE_OFFSET;
        return (datagram[at] & 0xFF) | (datagram[at + 1] & 0xFF) << Byte.SIZE;
    }
}
