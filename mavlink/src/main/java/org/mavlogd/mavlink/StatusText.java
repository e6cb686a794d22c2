package org.mavlogd.mavlink;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * STATUSTEXT: a line of text for people, or a part of a longer one.
 *
 * @param severity MAV_SEVERITY, 0 (emergency) to 7 (debug)
 * @param text at most 50 bytes in UTF-8
 * @param id number of the longer text that this is a part of, or 0
 * @param chunkSequence index of the part
 * @see <a href="https://mavlink.io/en/messages/common.html#STATUSTEXT">STATUSTEXT</a>
 */
public record StatusText(int severity, String text, int id, int chunkSequence) {
    /** Bytes of text in one message. */
    public static final int MAX_TEXT_LENGTH = StatustextLayout.TEXT_LENGTH;

    public static StatusText decode(FrameView frame) {
        byte[] text = new byte[MAX_TEXT_LENGTH];
        frame.copyPayload(StatustextLayout.TEXT_OFFSET, text, 0, MAX_TEXT_LENGTH);
        return new StatusText(
                StatustextLayout.severity(frame),
                new String(text, 0, length(text, 0), StandardCharsets.UTF_8),
                StatustextLayout.id(frame),
                StatustextLayout.chunkSeq(frame));
    }

    /** Number of bytes before the first NUL, {@link #MAX_TEXT_LENGTH} if there is none. */
    public static int length(byte[] bytes, int offset) {
        int length = 0;
        while (length < MAX_TEXT_LENGTH && bytes[offset + length] != 0) {
            length++;
        }
        return length;
    }

    /**
     * Writes the payload and returns its length in bytes.
     *
     * @throws IllegalArgumentException if the text is longer than {@link #MAX_TEXT_LENGTH} bytes
     */
    public int encodePayload(byte[] target) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException("text of " + bytes.length + " bytes exceeds " + MAX_TEXT_LENGTH);
        }
        StatustextLayout.putSeverity(target, severity);
        int end = StatustextLayout.TEXT_OFFSET + MAX_TEXT_LENGTH;
        Arrays.fill(target, StatustextLayout.TEXT_OFFSET, end, (byte) 0);
        System.arraycopy(bytes, 0, target, StatustextLayout.TEXT_OFFSET, bytes.length);
        StatustextLayout.putId(target, id);
        StatustextLayout.putChunkSeq(target, chunkSequence);
        return StatustextLayout.FULL_LENGTH;
    }
}
