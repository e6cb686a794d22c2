package org.mavlogd.mavlink;

import java.security.MessageDigest;
import org.agrona.MutableDirectBuffer;
import org.mavlogd.bytes.LittleEndian;

/**
 * A view of one checked MAVLink frame in a buffer. Reused by the decoder; never outlives the call. Payload accessors
 * behave as if the payload were extended with zeros without end, as MAVLink 2's zero trimming demands.
 *
 * <p>Hot path. A negative payload index is the caller's mistake and throws.
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

    /** Only the decoder makes one. */
    FrameView() {}

    /** Shows the frame at an offset; header, payload and checksum are there and right. */
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

    /** Only the decoder tells. */
    void definition(int value) {
        definition = value;
    }

    /** Which message of the decoder's {@link Dialect} it is, since several may have the same number; or {@link #UNKNOWN}. */
    public int definition() {
        return definition;
    }

    /** True for MAVLink 2, false for MAVLink 1. */
    public boolean isV2() {
        return v2;
    }

    /** The sender's frame count, 0 to 255. Not a measure of loss: vehicles send frames out of order. */
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

    /** Whether it is a piece of a log that is being streamed, or an acknowledgement of one. */
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

    /** Whether the frame says it is signed. Nobody has verified the signature. */
    public boolean isSigned() {
        return (incompatFlags() & FrameLayout.INCOMPAT_FLAG_SIGNED) != 0;
    }

    /** True when payload and checksum are complete and right but the end of the datagram cut into the signature. */
    public boolean isSignatureCut() {
        return signatureCut;
    }

    /** As sent, without the zeros that MAVLink 2 leaves out. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Frame length in bytes, checksum and signature included; without the signature when that was cut. */
    public int length() {
        return length;
    }

    /** Signature: which of the sender's links this is, 0 to 255. Only for a frame with a complete signature. */
    public int signatureLinkId() {
        return buffer[signatureOffset()] & 0xFF;
    }

    /** Signature: 48 bit, in units of 10 microseconds since 2015. Only for a frame with a complete signature. */
    public long signatureTimestamp() {
        // Eight bytes from two before: the six of the timestamp are its upper ones.
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

    /** Gives the digest what a signature covers beside the key. Only for a frame with a complete signature. */
    public void updateSigned(MessageDigest digest) {
        int end = signatureOffset() + FrameLayout.SIGNATURE_HASH_OFFSET;
        digest.update(buffer, offset, end - offset);
    }

    /** Whether the signature's hash is what {@code hash} begins with. Only for a frame with a complete signature. */
    public boolean hasSignatureHash(byte[] hash) {
        int at = signatureOffset() + FrameLayout.SIGNATURE_HASH_OFFSET;
        int difference = 0;
        // All bytes are looked at: how long it takes tells nobody how much was right.
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

    /** Copies all {@link #length} bytes as they came. */
    public void copyFrame(byte[] target, int targetOffset) {
        System.arraycopy(buffer, offset, target, targetOffset, length);
    }

    /** Copies all {@link #length} bytes as they came. */
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

    /** How many of the wanted bytes were sent. */
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
