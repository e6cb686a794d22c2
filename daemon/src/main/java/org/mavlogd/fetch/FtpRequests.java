package org.mavlogd.fetch;

import java.nio.charset.StandardCharsets;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.FtpLayout;
import org.mavlogd.mavlink.MessageIds;

/**
 * Writes requests to a vehicle's file server and recognises its replies.
 *
 * <p>Each request has the number after the last one received: ArduPilot repeats its last answer, without doing the
 * request, if the request's number matches. Owned by the link's thread.
 */
final class FtpRequests {
    private static final int NUMBERS = 0x1_0000;

    private final FetchTarget target;
    private final FetchOutbox outbox;
    private final byte[] payload = new byte[FtpLayout.LENGTH];
    private int number;
    private int firstNumber;
    private int session;
    private int length;

    /** @param firstNumber different from an earlier run's, because the vehicle remembers its last reply */
    FtpRequests(FetchTarget target, FetchOutbox outbox, long firstNumber) {
        this.target = target;
        this.outbox = outbox;
        this.number = (int) (firstNumber & (NUMBERS - 1));
    }

    /** Sends a new request about a path. */
    void send(int opcode, String path, long offset) {
        byte[] name = path.getBytes(StandardCharsets.US_ASCII);
        if (name.length >= FtpLayout.DATA_LENGTH) {
            throw new IllegalArgumentException("path of " + name.length + " bytes is too long");
        }
        begin(opcode, offset, name.length);
        System.arraycopy(name, 0, payload, FtpLayout.DATA, name.length);
        for (int i = FtpLayout.DATA + name.length; i < FtpLayout.LENGTH; i++) {
            payload[i] = 0;
        }
        length = FtpLayout.LENGTH;
        firstNumber = number;
        send();
    }

    /** Sends a new request about an open file. */
    void send(int opcode, long offset, int size) {
        begin(opcode, offset, size);
        length = FtpLayout.LENGTH;
        for (int i = FtpLayout.DATA; i < FtpLayout.LENGTH; i++) {
            payload[i] = 0;
        }
        firstNumber = number;
        send();
    }

    /** Repeats the last request under its number: if it was done, the vehicle only answers again. */
    void repeat() {
        send();
    }

    /** Repeats the last request under a new number; only for requests that may be done twice. */
    void sendAnew() {
        number = (number + 1) % NUMBERS;
        LittleEndian.putInt16(payload, FtpLayout.NUMBER, number);
        payload[FtpLayout.SESSION] = (byte) session;
        send();
    }

    private void begin(int opcode, long offset, int size) {
        number = (number + 1) % NUMBERS;
        payload[FtpLayout.TARGET_SYSTEM] = (byte) target.systemId();
        payload[FtpLayout.TARGET_COMPONENT] = (byte) target.componentId();
        LittleEndian.putInt16(payload, FtpLayout.NUMBER, number);
        payload[FtpLayout.SESSION] = (byte) session;
        payload[FtpLayout.OPCODE] = (byte) opcode;
        payload[FtpLayout.SIZE] = (byte) size;
        payload[FtpLayout.REQUEST_OPCODE] = 0;
        payload[FtpLayout.BURST_COMPLETE] = 0;
        LittleEndian.putInt32(payload, FtpLayout.OFFSET, (int) offset);
    }

    private void send() {
        outbox.send(MessageIds.FILE_TRANSFER_PROTOCOL, payload, length);
    }

    /** Whether a frame is a reply of the server to mavlogd; address 0 is a broadcast. */
    boolean isReply(FrameView frame) {
        if (frame.messageId() != MessageIds.FILE_TRANSFER_PROTOCOL) {
            return false;
        }
        int opcode = frame.uint8(FtpLayout.OPCODE);
        int toSystem = frame.uint8(FtpLayout.TARGET_SYSTEM);
        int toComponent = frame.uint8(FtpLayout.TARGET_COMPONENT);
        return (opcode == FtpLayout.ACK || opcode == FtpLayout.NAK)
                && frame.uint8(FtpLayout.SIZE) <= FtpLayout.DATA_LENGTH
                && (toSystem == 0 || toSystem == target.systemId())
                && (toComponent == 0 || toComponent == target.ownComponentId());
    }

    /** Whether a reply answers the last request, or a repeat of it. */
    boolean isToLast(FrameView reply) {
        int answered = reply.uint16(FtpLayout.NUMBER) - 1;
        return Math.floorMod(answered - firstNumber, NUMBERS) <= Math.floorMod(number - firstNumber, NUMBERS);
    }

    /** Must be called for each expected reply. */
    void onReply(FrameView reply) {
        session = reply.uint8(FtpLayout.SESSION);
        int theirs = reply.uint16(FtpLayout.NUMBER);
        if (Math.floorMod(theirs - number, NUMBERS) < NUMBERS / 2) {
            number = theirs;
        }
    }

    static boolean isAck(FrameView reply) {
        return reply.uint8(FtpLayout.OPCODE) == FtpLayout.ACK;
    }

    static int requestOpcode(FrameView reply) {
        return reply.uint8(FtpLayout.REQUEST_OPCODE);
    }

    /** The error code of a NAK. */
    static int error(FrameView reply) {
        return reply.uint8(FtpLayout.DATA);
    }

    /** The error of a NAK, for messages. */
    static String errorText(FrameView reply) {
        int error = error(reply);
        return switch (error) {
            case FtpLayout.ERROR_FAIL -> "it failed";
            case FtpLayout.ERROR_FAIL_ERRNO -> "error number " + reply.uint8(FtpLayout.DATA + 1) + " of its system";
            case FtpLayout.ERROR_NO_SESSIONS_AVAILABLE -> "it is busy with other downloads";
            case FtpLayout.ERROR_FILE_NOT_FOUND -> "no such file";
            default -> "error " + error;
        };
    }
}
