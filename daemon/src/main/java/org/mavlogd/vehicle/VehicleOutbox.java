package org.mavlogd.vehicle;

import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.ardupilot.ArduPilotOutbox;
import org.mavlogd.vehicle.px4.Px4Outbox;

/**
 * Messages to one vehicle about its log: START and STOP to the vehicle's address, acks to the address from which its
 * log comes. Owned by the link's thread. Hot path.
 */
final class VehicleOutbox implements Px4Outbox, ArduPilotOutbox {
    private final FrameSender sender;
    private final SourceLock source;
    private final int systemId;
    private final int componentId;
    // The peer from which the last chunk came: of several proven peers, the one to which the vehicle streams.
    private Peer replyTo;
    private FrameSender.Version version = FrameSender.Version.V2;

    VehicleOutbox(FrameSender sender, SourceLock source, int systemId, int componentId) {
        this.sender = sender;
        this.source = source;
        this.systemId = systemId;
        this.componentId = componentId;
        this.replyTo = source.holder();
    }

    /** Sets the peer from which the log comes. */
    void replyTo(Peer from) {
        replyTo = from;
    }

    /** Sets the MAVLink version that the vehicle is known to understand. */
    void speak(FrameSender.Version newVersion) {
        version = newVersion;
    }

    FrameSender.Version version() {
        return version;
    }

    /** Sends TIMESYNC, a request or an answer. */
    void sendTimesync(Peer to, Timesync message) {
        sender.timesync(to, version, systemId, message);
    }

    /** Sends any other message, such as a request for a log on the vehicle's card. */
    void sendMessage(int messageId, byte[] payload, int length) {
        sender.message(source.holder(), version, systemId, messageId, payload, length);
    }

    void onPeerDown(Peer gone) {
        if (replyTo == gone) {
            replyTo = SourceLock.GONE;
        }
    }

    @Override
    public void sendStart() {
        sender.loggingStart(source.holder(), systemId, componentId);
    }

    @Override
    public void sendStop() {
        sender.loggingStop(source.holder(), systemId, componentId);
    }

    @Override
    public void sendAck(int sequence) {
        sender.loggingAck(replyTo, systemId, componentId, sequence);
    }

    @Override
    public void sendBlockStart() {
        sender.blockStatus(source.holder(), version, systemId, componentId, LogBlockStatus.START, LogBlockStatus.ACK);
    }

    @Override
    public void sendBlockStop() {
        sender.blockStatus(source.holder(), version, systemId, componentId, LogBlockStatus.STOP, LogBlockStatus.ACK);
    }

    @Override
    public void sendBlockAck(long number) {
        sender.blockStatus(replyTo, version, systemId, componentId, number, LogBlockStatus.ACK);
    }

    @Override
    public void sendBlockNack(long number) {
        sender.blockStatus(replyTo, version, systemId, componentId, number, LogBlockStatus.NACK);
    }
}
