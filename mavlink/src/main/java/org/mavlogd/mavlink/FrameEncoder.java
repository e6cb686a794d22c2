package org.mavlogd.mavlink;

/**
 * Writes MAVLink 2 frames, signed or not, and MAVLink 1 frames, with its own sequence numbers.
 *
 * <p>Allocates nothing. One per link and thread.
 */
public final class FrameEncoder {
    /** Signs the frames that we send. */
    public interface Seal {
        /** Does not sign. */
        Seal NONE = new Seal() {
            @Override
            public boolean isSigning() {
                return false;
            }

            @Override
            public int seal(byte[] frame, int offset, int length) {
                return length;
            }
        };

        /** Whether frames must have the flag for signed ones. */
        boolean isSigning();

        /** Signs a frame of this length including its checksum, with room after it. Returns the new length. */
        int seal(byte[] frame, int offset, int length);
    }

    /** Maximum length of a frame including its signature. */
    public static final int MAX_FRAME_LENGTH = FrameLayout.MAX_LENGTH;

    private static final int MAX_MESSAGE_V1 = 255;

    private final MessageTable messages = MessageTable.standard();
    private final byte componentId;
    private final Seal seal;
    private byte sequence;

    /** Writes frames of one component, 1 to 255, of any system. */
    public FrameEncoder(int componentId) {
        this(componentId, Seal.NONE);
    }

    /** Writes signed frames of one component. */
    public FrameEncoder(int componentId, Seal seal) {
        if (componentId < 1 || componentId > 0xFF) {
            throw new IllegalArgumentException("component id " + componentId + " is not 1 to 255");
        }
        this.componentId = (byte) componentId;
        this.seal = seal;
    }

    /**
     * Writes a MAVLink 2 frame without the zeros at the payload's end.
     *
     * @return the frame's length in bytes, at most {@link #MAX_FRAME_LENGTH}
     * @throws IllegalArgumentException if the message is unknown or the payload longer than 255 bytes
     */
    public int encode(int systemId, int messageId, byte[] payload, int payloadLength, byte[] target, int targetOffset) {
        if (payloadLength < 0 || payloadLength > FrameLayout.MAX_PAYLOAD_LENGTH) {
            throw new IllegalArgumentException("payload length " + payloadLength + " is not 0 to 255");
        }
        int crcExtra = messages.crcExtra(messageId);
        int sent = trimmed(payload, payloadLength);
        target[targetOffset] = FrameLayout.START_V2;
        target[targetOffset + FrameLayout.LENGTH_OFFSET] = (byte) sent;
        target[targetOffset + FrameLayout.INCOMPAT_FLAGS_OFFSET_V2] =
                (byte) (seal.isSigning() ? FrameLayout.INCOMPAT_FLAG_SIGNED : 0);
        target[targetOffset + FrameLayout.COMPAT_FLAGS_OFFSET_V2] = 0;
        target[targetOffset + FrameLayout.SEQUENCE_OFFSET_V2] = sequence++;
        target[targetOffset + FrameLayout.SYSTEM_OFFSET_V2] = (byte) systemId;
        target[targetOffset + FrameLayout.COMPONENT_OFFSET_V2] = componentId;
        target[targetOffset + FrameLayout.MESSAGE_ID_OFFSET_V2] = (byte) messageId;
        target[targetOffset + FrameLayout.MESSAGE_ID_OFFSET_V2 + 1] = (byte) (messageId >>> 8);
        target[targetOffset + FrameLayout.MESSAGE_ID_OFFSET_V2 + 2] = (byte) (messageId >>> 16);
        System.arraycopy(payload, 0, target, targetOffset + FrameLayout.HEADER_LENGTH_V2, sent);
        int length = finish(crcExtra, target, targetOffset, FrameLayout.HEADER_LENGTH_V2 + sent);
        return seal.seal(target, targetOffset, length);
    }

    /**
     * Writes a MAVLink 1 frame with its complete payload, never signed.
     *
     * @return the frame's length in bytes
     * @throws IllegalArgumentException if the message is unknown or not part of MAVLink 1, or the payload longer than
     *     255 bytes
     */
    public int encodeV1(
            int systemId, int messageId, byte[] payload, int payloadLength, byte[] target, int targetOffset) {
        if (messageId > MAX_MESSAGE_V1 || payloadLength < 0 || payloadLength > FrameLayout.MAX_PAYLOAD_LENGTH) {
            throw new IllegalArgumentException(
                    "message " + messageId + " with a payload of " + payloadLength + " bytes: both must be 0 to 255");
        }
        int crcExtra = messages.crcExtra(messageId);
        target[targetOffset] = FrameLayout.START_V1;
        target[targetOffset + FrameLayout.LENGTH_OFFSET] = (byte) payloadLength;
        target[targetOffset + FrameLayout.SEQUENCE_OFFSET_V1] = sequence++;
        target[targetOffset + FrameLayout.SYSTEM_OFFSET_V1] = (byte) systemId;
        target[targetOffset + FrameLayout.COMPONENT_OFFSET_V1] = componentId;
        target[targetOffset + FrameLayout.MESSAGE_ID_OFFSET_V1] = (byte) messageId;
        System.arraycopy(payload, 0, target, targetOffset + FrameLayout.HEADER_LENGTH_V1, payloadLength);
        return finish(crcExtra, target, targetOffset, FrameLayout.HEADER_LENGTH_V1 + payloadLength);
    }

    private static int finish(int crcExtra, byte[] target, int targetOffset, int length) {
        int crc = Crc16.update(Crc16.START, target, targetOffset + 1, length - 1);
        crc = Crc16.update(crc, (byte) crcExtra);
        target[targetOffset + length] = (byte) crc;
        target[targetOffset + length + 1] = (byte) (crc >>> 8);
        return length + FrameLayout.CHECKSUM_LENGTH;
    }

    /** Length without zeros at the end; MAVLink 2 always sends the first byte, even if it is zero. */
    private static int trimmed(byte[] payload, int length) {
        int sent = length;
        while (sent > 1 && payload[sent - 1] == 0) {
            sent--;
        }
        return sent;
    }
}
