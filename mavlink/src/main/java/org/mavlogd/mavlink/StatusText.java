package org.mavlogd.mavlink;

import io.dronefleet.mavlink.util.EnumValue;
import java.nio.charset.StandardCharsets;

/**
 * STATUSTEXT: a line for people, or a part of a longer one.
 *
 * @param severity MAV_SEVERITY, 0 (emergency) to 7 (debug)
 * @param text at most 50 bytes in UTF-8
 * @param id which longer text this is a part of, or 0
 * @param chunkSequence number of the part
 * @see <a href="https://mavlink.io/en/messages/common.html#STATUSTEXT">STATUSTEXT</a>
 */
public record StatusText(int severity, String text, int id, int chunkSequence) {
    /** Bytes of text in one message. */
    public static final int MAX_TEXT_LENGTH = 50;

    private static final int FULL_LENGTH = 54;

    public static StatusText decode(FrameView frame) {
        io.dronefleet.mavlink.common.Statustext message =
                MessageCodec.decode(frame, FULL_LENGTH, io.dronefleet.mavlink.common.Statustext.class);
        return new StatusText(message.severity().value(), message.text(), message.id(), message.chunkSeq());
    }

    /**
     * Writes the payload; the result is its length in bytes.
     *
     * @throws IllegalArgumentException when the text is longer than {@link #MAX_TEXT_LENGTH} bytes
     */
    public int encodePayload(byte[] target) {
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_TEXT_LENGTH) {
            // The library would write over the fields behind the text.
            throw new IllegalArgumentException("text of " + length + " bytes exceeds " + MAX_TEXT_LENGTH);
        }
        return MessageCodec.encode(
                io.dronefleet.mavlink.common.Statustext.builder()
                        .severity(EnumValue.create(severity))
                        .text(text)
                        .id(id)
                        .chunkSeq(chunkSequence)
                        .build(),
                target);
    }
}
