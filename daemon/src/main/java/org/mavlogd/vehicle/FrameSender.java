package org.mavlogd.vehicle;

import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.peer.Peer;

/**
 * Sends all messages of mavlogd on a link: HEARTBEAT, TIMESYNC, START, STOP and acks for PX4 and ArduPilot, and
 * requests for the logs on the vehicle's card.
 */
final class FrameSender {
    /** MAVLink version of a sent frame. */
    enum Version {
        /** Never signed, complete payloads, messages up to 255. */
        V1,
        V2
    }

    private static final int MAX_PAYLOAD_LENGTH = 255;
    private static final int ACK_LENGTH = 4;
    // MAVLink 1 has no target fields in TIMESYNC.
    private static final int TIMESYNC_LENGTH_V1 = 16;
    private static final Heartbeat HEARTBEAT =
            new Heartbeat(Heartbeat.TYPE_ONBOARD_CONTROLLER, Heartbeat.AUTOPILOT_INVALID, 0, 0, Heartbeat.STATE_ACTIVE);

    private final FrameEncoder encoder;
    private final byte[] payload = new byte[MAX_PAYLOAD_LENGTH];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];

    FrameSender(int ownComponentId, FrameEncoder.Seal seal) {
        this.encoder = new FrameEncoder(ownComponentId, seal);
    }

    void heartbeat(Peer to, Version version, int ownSystemId) {
        send(to, version, ownSystemId, MessageIds.HEARTBEAT, HEARTBEAT.encodePayload(payload));
    }

    void loggingStart(Peer to, int systemId, int componentId) {
        command(to, CommandLong.LOGGING_START, systemId, componentId);
    }

    void loggingStop(Peer to, int systemId, int componentId) {
        command(to, CommandLong.LOGGING_STOP, systemId, componentId);
    }

    private void command(Peer to, int command, int systemId, int componentId) {
        // All parameters 0: for START, param1 = 0 asks for ULog.
        CommandLong message = new CommandLong(command, 0, systemId, componentId, 0, 0, 0, 0, 0, 0, 0);
        send(to, Version.V2, systemId, MessageIds.COMMAND_LONG, message.encodePayload(payload));
    }

    /** Sends LOGGING_ACK, which has the same first fields as the chunk. Hot path. */
    void loggingAck(Peer to, int systemId, int componentId, int sequence) {
        payload[LogChunkLayout.SEQUENCE_OFFSET] = (byte) sequence;
        payload[LogChunkLayout.SEQUENCE_OFFSET + 1] = (byte) (sequence >>> Byte.SIZE);
        payload[LogChunkLayout.TARGET_SYSTEM] = (byte) systemId;
        payload[LogChunkLayout.TARGET_COMPONENT] = (byte) componentId;
        send(to, Version.V2, systemId, MessageIds.LOGGING_ACK, ACK_LENGTH);
    }

    /** Sends TIMESYNC, a request or an answer. */
    void timesync(Peer to, Version version, int ownSystemId, Timesync message) {
        int length = message.encodePayload(payload);
        int sent = version == Version.V1 ? TIMESYNC_LENGTH_V1 : length;
        send(to, version, ownSystemId, MessageIds.TIMESYNC, sent);
    }

    /** Sends REMOTE_LOG_BLOCK_STATUS. Hot path. */
    void blockStatus(Peer to, Version version, int systemId, int componentId, long number, int status) {
        int length = LogBlockStatus.encode(payload, systemId, componentId, number, status);
        send(to, version, systemId, MessageIds.REMOTE_LOG_BLOCK_STATUS, length);
    }

    /** Sends any other message, such as a request for a log on the vehicle's card. */
    void message(Peer to, Version version, int ownSystemId, int messageId, byte[] content, int contentLength) {
        System.arraycopy(content, 0, payload, 0, contentLength);
        send(to, version, ownSystemId, messageId, contentLength);
    }

    private void send(Peer to, Version version, int ownSystemId, int messageId, int payloadLength) {
        int length = version == Version.V1
                ? encoder.encodeV1(ownSystemId, messageId, payload, payloadLength, frame, 0)
                : encoder.encode(ownSystemId, messageId, payload, payloadLength, frame, 0);
        to.send(frame, 0, length);
    }
}
