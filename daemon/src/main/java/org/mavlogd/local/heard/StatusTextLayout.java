package org.mavlogd.local.heard;

/**
 * Payload of STATUSTEXT. MAVLink 1 ends behind the text.
 *
 * <pre>
 * severity  text(50)  id(2)  pieceNumber
 * 0         1         51     53
 * </pre>
 *
 * @see <a href="https://mavlink.io/en/messages/common.html#STATUSTEXT">STATUSTEXT</a>
 */
final class StatusTextLayout {
    static final int SEVERITY = 0;
    static final int TEXT = 1;
    static final int PIECE_LENGTH = 50;
    /** 0 for a text of one piece. */
    static final int ID = 51;

    static final int PIECE_NUMBER = 53;

    private StatusTextLayout() {}

    /** Bytes before the first NUL, {@link #PIECE_LENGTH} if there is none. */
    static int length(byte[] bytes, int offset) {
        int length = 0;
        while (length < PIECE_LENGTH && bytes[offset + length] != 0) {
            length++;
        }
        return length;
    }
}
