package org.mavlogd.mavlink;

/**
 * One checked MAVLink frame inside somebody else's bytes. Reused by the decoder; never outlives the call. Payload
 * accessors behave as if the payload were extended with zeros without end, as MAVLink 2's zero trimming demands.
 *
 * <p>Hot path.
 */
public final class FrameView {
    private static final byte[] NOTHING = new byte[0];

    private byte[] buffer = NOTHING;
    private int offset;
    private int headerLength;
    private int payloadLength;
    private int length;

    /** Frame length in bytes, checksum and signature included. */
    public int length() {
        return length;
    }

    byte[] buffer() {
        return buffer;
    }

    int offset() {
        return offset;
    }

    int headerLength() {
        return headerLength;
    }

    int payloadLength() {
        return payloadLength;
    }
}
