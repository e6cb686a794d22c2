package org.mavlogd.mavlink;

import java.security.MessageDigest;
import org.agrona.MutableDirectBuffer;
import org.mavlogd.bytes.LittleEndian;

/**
 * A view of one checked MAVLink frame in a buffer. The decoder reuses it; it is valid only during the call. Payload
 * accessors treat the payload as if infinitely many zeros followed, because MAVLink 2 omits zeros at the end.
 *
 * <p>Hot path. A negative payload index throws.
 */
public final class FrameView {
    /** The {@link #definition} of a message that the decoder's dialect does not have. */
    public static final int UNKNOWN = -1;

    private static final byte[] NOTHING = new byte[FrameLayout.MAX_LENGTH];

    private byte[] buffer = NOTHING;
    private int offset;
    private boolean v2;
    private int messageId;
    private int definition;
    private int payloadOffset;
    private int payloadLength;
    private int length;
    private boolean signatureCut;

    /** Only decoders create views. */
    FrameView() {}

    /** Views the frame at an offset; header, payload and checksum are complete and valid. */
    void wrap(byte[] buffer, int offset, int length, boolean signatureCut) {
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.signatureCut = signatureCut;
        v2 = buffer[offset] == FrameLayout.START_V2;
        messageId = FrameLayout.messageId(buffer, offset);
        payloadOffset = offset + (v2 ? FrameLayout.HEADER_LENGTH_V2 : FrameLayout.HEADER_LENGTH_V1);
        payloadLength = buffer[offset + FrameLayout.LENGTH_OFFSET] & 0xFF;
    }

    /** Only decoders set it. */
    void definition(int value) {
        definition = value;
    }

    /**
     * Index of the message in the decoder's {@link Dialect}, since several may have the same id; or {@link #UNKNOWN}.
     */
    public int definition() {
        return definition;
    }

    /** True for MAVLink 2, false for MAVLink 1. */
    public boolean isV2() {
        return v2;
    }

    /** Sequence number, 0 to 255. It does not measure loss: vehicles send frames out of order. */
    public int sequence() {
        return header(FrameLayout.SEQUENCE_OFFSET_V2, FrameLayout.SEQUENCE_OFFSET_V1);
    }

    public int systemId() {
        return header(FrameLayout.SYSTEM_OFFSET_V2, FrameLayout.SYSTEM_OFFSET_V1);
    }

    public int componentId() {
        return header(FrameLayout.COMPONENT_OFFSET_V2, FrameLayout.COMPONENT_OFFSET_V1);
    }

    /** 0 to 16777215. */
    public int messageId() {
        return messageId;
    }

    /** Whether the frame is a piece of a streamed log or an acknowledgement of one. */
    public boolean isOfLogStream() {
        return switch (messageId) {
            case MessageIds.LOGGING_DATA,
                    MessageIds.LOGGING_DATA_ACKED,
                    MessageIds.LOGGING_ACK,
                    MessageIds.REMOTE_LOG_DATA_BLOCK,
                    MessageIds.REMOTE_LOG_BLOCK_STATUS -> true;
            default -> false;
        };
    }

    /** Zero for MAVLink 1. */
    public int incompatFlags() {
        return v2 ? buffer[offset + FrameLayout.INCOMPAT_FLAGS_OFFSET_V2] & 0xFF : 0;
    }

    /** Whether the frame is marked as signed. The signature is not verified. */
    public boolean isSigned() {
        return (incompatFlags() & FrameLayout.INCOMPAT_FLAG_SIGNED) != 0;
    }

    /** Whether payload and checksum are complete and valid, but the datagram ends inside the signature. */
    public boolean isSignatureCut() {
        return signatureCut;
    }

    /** Length of the payload as sent, without the zeros that MAVLink 2 omits. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Length of the frame in bytes with checksum and signature, without a truncated signature. */
    public int length() {
        return length;
    }

    /** Signature: link id of the sender, 0 to 255. Only for a frame with a complete signature. */
    public int signatureLinkId() {
        return buffer[signatureOffset()] & 0xFF;
    }

    /** Signature: time, 48 bit, in units of 10 microseconds since 2015. Only for a frame with a complete signature. */
    public long signatureTimestamp() {
        // Reads eight bytes from two bytes before: the six of the timestamp are the upper ones.
        return LittleEndian.int64(buffer, signatureOffset() + FrameLayout.SIGNATURE_TIMESTAMP_OFFSET - 2) >>> 16;
    }

    /** Signature: the six bytes of the hash. Only for a frame with a complete signature. */
    public void copySignatureHash(byte[] target, int targetOffset) {
        System.arraycopy(
                buffer,
                signatureOffset() + FrameLayout.SIGNATURE_HASH_OFFSET,
                target,
                targetOffset,
                FrameLayout.SIGNATURE_HASH_LENGTH);
    }

    /**
     * Updates the digest with the bytes that a signature covers, except the key. Only for a frame with a complete
     * signature.
     */
    public void updateSigned(MessageDigest digest) {
        int end = signatureOffset() + FrameLayout.SIGNATURE_HASH_OFFSET;
        digest.update(buffer, offset, end - offset);
    }

    /** Whether {@code hash} starts with the signature's hash. Only for a frame with a complete signature. */
    public boolean hasSignatureHash(byte[] hash) {
        int at = signatureOffset() + FrameLayout.SIGNATURE_HASH_OFFSET;
        int difference = 0;
        // Compares all bytes: the duration must not show how many were right.
        for (int i = 0; i < FrameLayout.SIGNATURE_HASH_LENGTH; i++) {
            difference |= buffer[at + i] ^ hash[i];
        }
        return difference == 0;
    }

    public int uint8(int index) {
        return fits(index, 1) ? buffer[payloadOffset + index] & 0xFF : 0;
    }

    public int uint16(int index) {
        return fits(index, Short.BYTES)
                ? LittleEndian.uint16(buffer, payloadOffset + index)
                : (int) extended(index, Short.BYTES);
    }

    public long uint32(int index) {
        return int32(index) & 0xFFFF_FFFFL;
    }

    public int int32(int index) {
        return fits(index, Integer.BYTES)
                ? LittleEndian.int32(buffer, payloadOffset + index)
                : (int) extended(index, Integer.BYTES);
    }

    public long int64(int index) {
        return fits(index, Long.BYTES)
                ? LittleEndian.int64(buffer, payloadOffset + index)
                : extended(index, Long.BYTES);
    }

    public float float32(int index) {
        return Float.intBitsToFloat(int32(index));
    }

    /** Copies payload bytes, zeros after its end. */
    public void copyPayload(int index, byte[] target, int targetOffset, int length) {
        int present = present(index, length);
        if (present > 0) {
            System.arraycopy(buffer, payloadOffset + index, target, targetOffset, present);
        }
        for (int at = present; at < length; at++) {
            target[targetOffset + at] = 0;
        }
    }

    /** Copies payload bytes, zeros after its end. */
    public void copyPayload(int index, MutableDirectBuffer target, int targetOffset, int length) {
        int present = present(index, length);
        if (present > 0) {
            target.putBytes(targetOffset, buffer, payloadOffset + index, present);
        }
        if (present < length) {
            target.setMemory(targetOffset + present, length - present, (byte) 0);
        }
    }

    /** Copies all {@link #length} bytes as received. */
    public void copyFrame(byte[] target, int targetOffset) {
        System.arraycopy(buffer, offset, target, targetOffset, length);
    }

    /** Copies all {@link #length} bytes as received. */
    public void copyFrame(MutableDirectBuffer target, int targetOffset) {
        target.putBytes(targetOffset, buffer, offset, length);
    }

    private int header(int offsetV2, int offsetV1) {
        return buffer[offset + (v2 ? offsetV2 : offsetV1)] & 0xFF;
    }

    private int signatureOffset() {
        if (!isSigned() || signatureCut) {
            throw new IllegalStateException("this frame has no whole signature");
        }
        return offset + length - FrameLayout.SIGNATURE_LENGTH;
    }

    private boolean fits(int index, int bytes) {
        if (index < 0) {
            throw new IndexOutOfBoundsException(index);
        }
        return index <= payloadLength - bytes;
    }

    /** Number of these payload bytes that were sent. */
    private int present(int index, int length) {
        if (index < 0 || length < 0) {
            throw new IndexOutOfBoundsException("index " + index + ", length " + length);
        }
        return Math.max(0, Math.min(length, payloadLength - index));
    }

    private long extended(int index, int bytes) {
        long value = 0;
        for (int at = 0; at < bytes && at < payloadLength - index; at++) {
            value |= (buffer[payloadOffset + index + at] & 0xFFL) << (8 * at);
        }
        return value;
    }
}
