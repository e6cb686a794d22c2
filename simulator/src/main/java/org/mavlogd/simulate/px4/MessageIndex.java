package org.mavlogd.simulate.px4;

import java.util.Arrays;

/**
 * Where each message of a log starts.
 *
 * @param starts position of each message; the entry after the last one is the end of the last whole message
 * @param count messages
 * @param firstData first message that is no definition and no subscription before data
 * @param firstPostFlight first of the 'M' messages that end the log; {@code count} when there are none
 */
@SuppressWarnings("ArrayRecordComponent") // shared inside the package only, never changed, never compared
record MessageIndex(int[] starts, int count, int firstData, int firstPostFlight) {
    private static final String DEFINITION_TYPES = "BFIMPQA";

    static MessageIndex of(byte[] log) {
        int[] starts = new int[1024];
        int count = 0;
        int position = LogImage.HEADER_LENGTH;
        while (isMessageAt(log, position)) {
            if (count + 2 > starts.length) {
                starts = Arrays.copyOf(starts, 2 * starts.length);
            }
            starts[count++] = position;
            position += lengthAt(log, position);
        }
        starts[count] = position;
        int firstData = 0;
        while (firstData < count && DEFINITION_TYPES.indexOf(log[starts[firstData] + 2]) >= 0) {
            firstData++;
        }
        int firstPostFlight = count;
        while (firstPostFlight > firstData && log[starts[firstPostFlight - 1] + 2] == 'M') {
            firstPostFlight--;
        }
        return new MessageIndex(Arrays.copyOf(starts, count + 1), count, firstData, firstPostFlight);
    }

    private static boolean isMessageAt(byte[] log, int position) {
        if (log.length - position < LogImage.MESSAGE_HEADER_LENGTH || log.length - position < lengthAt(log, position)) {
            return false;
        }
        byte type = log[position + 2];
        return type > ' ' && type < 0x7f;
    }

    private static int lengthAt(byte[] log, int position) {
        return LogImage.MESSAGE_HEADER_LENGTH + ((log[position] & 0xff) | (log[position + 1] & 0xff) << 8);
    }
}
