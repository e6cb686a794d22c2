package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.Peer;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.vehicle.px4.LogChunk;
import org.mavlogd.vehicle.px4.Px4LogSession;
import org.mavlogd.vehicle.px4.Px4Outbox;
import org.mavlogd.vehicle.px4.Px4SessionSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One vehicle as it is heard on one link, and the conversation about its log. Owned by the link's thread; {@link #onFrame}
 * is on the hot path.
 */
final class Vehicle implements Px4Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Vehicle.class);

    // MAVLink, SYSTEM_TIME: uint64 time_unix_usec, uint32 time_boot_ms
    private static final int SYSTEM_TIME_UNIX_US = 0;
    private static final int SYSTEM_TIME_BOOT_MS = 8;
    // A vehicle that moves to another address is followed once its old one is quiet.
    private static final long PEER_SILENCE_NS = TimeUnit.SECONDS.toNanos(3);
    // By then the conversation has given up hope for the link to come back.
    private static final long CLAIM_MARGIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long REFUSAL_NS = TimeUnit.SECONDS.toNanos(20);

    private final String link;
    private final int systemId;
    private final int componentId;
    private final int autopilot;
    private final int ownComponentId;
    private final VehicleClaims claims;
    private final FrameSender sender;
    private final long claimSilenceNs;
    private final RecordingWish wish;
    private final VehicleEvents events;
    private final HeaderSequence headerSequence = new HeaderSequence();
    // Only PX4's log stream is spoken; other autopilots are shown, with the reason why they are not recorded.
    private final @Nullable Px4LogSession session;

    private Peer peer;
    private Peer replyTo;
    private long lastHeardNs;
    private long peerHeardNs;
    private boolean peerGone;
    private boolean everRefused;
    private long refusedNs;
    private Px4LogSession.State toldState = Px4LogSession.State.IDLE;
    private String toldDetail = "";

    Vehicle(LinkContext context, FrameView heartbeatFrame, Heartbeat heartbeat, Peer peer, long nowNs) {
        ConversationSettings settings = context.settings();
        this.link = context.link();
        this.systemId = heartbeatFrame.systemId();
        this.componentId = heartbeatFrame.componentId();
        this.autopilot = heartbeat.autopilot();
        this.ownComponentId = settings.ownComponentId();
        this.claims = context.claims();
        this.sender = context.sender();
        this.claimSilenceNs = Px4LogSession.longestOutageNs(settings.silenceNs()) + CLAIM_MARGIN_NS;
        this.wish = new RecordingWish(settings.mode(), settings.leadOutNs());
        this.peer = peer;
        this.replyTo = peer;
        this.lastHeardNs = nowNs;
        this.peerHeardNs = nowNs;
        this.session = autopilot == Heartbeat.AUTOPILOT_PX4
                ? new Px4LogSession(
                        new Px4SessionSettings(systemId, componentId, ownComponentId, settings.silenceNs()),
                        context.publisher(),
                        context.sessionNumbers(),
                        this,
                        context.px4Counters())
                : null;
        this.events = new VehicleEvents(systemId, componentId, context.publisher(), heartbeat);
        wish.onArming(heartbeat.isArmed(), nowNs);
        LOG.info("{}: {} vehicle {} at {}", link, autopilotName(), systemId, peer.address());
    }

    int systemId() {
        return systemId;
    }

    int componentId() {
        return componentId;
    }

    Peer peer() {
        return peer;
    }

    boolean isSilent(long nowNs, long silenceNs) {
        return nowNs - lastHeardNs >= silenceNs;
    }

    boolean isAtRest() {
        return session == null || session.isAtRest();
    }

    boolean mayWait(long nowNs) {
        return session == null || session.mayWait(nowNs);
    }

    void onHeartbeat(Heartbeat heartbeat, long nowNs) {
        wish.onArming(heartbeat.isArmed(), nowNs);
        events.onHeartbeat(heartbeat, nowNs);
    }

    /** Any frame of this vehicle, its heartbeats included. */
    void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs) {
        follow(from, nowNs);
        lastHeardNs = nowNs;
        if (from == peer) {
            peerHeardNs = nowNs;
            headerSequence.onFrame(frame.sequence());
        }
        if (session == null) {
            return;
        }
        session.onHeard(nowNs);
        switch (frame.messageId()) {
            case MessageIds.LOGGING_DATA, MessageIds.LOGGING_DATA_ACKED -> {
                replyTo = from;
                session.onChunk(chunk, headerSequence.missing(), nowNs);
            }
            case MessageIds.COMMAND_ACK -> onCommandAck(session, CommandAck.decode(frame), nowNs);
            case MessageIds.SYSTEM_TIME -> {
                session.onBootTime(frame.uint32(SYSTEM_TIME_BOOT_MS), nowNs);
                events.onUnixTime(frame.int64(SYSTEM_TIME_UNIX_US), nowNs);
            }
            default -> {}
        }
    }

    private void follow(Peer from, long nowNs) {
        if (from != peer && (peerGone || nowNs - peerHeardNs >= PEER_SILENCE_NS)) {
            LOG.info("{}: vehicle {} is now at {}", link, systemId, from.address());
            peer = from;
            peerGone = false;
        }
    }

    private void onCommandAck(Px4LogSession conversation, CommandAck ack, long nowNs) {
        // Both are 0 when the vehicle's MAVLink is older than the target fields.
        boolean forUs = (ack.targetSystem() == 0 && ack.targetComponent() == 0)
                || (ack.targetSystem() == systemId && ack.targetComponent() == ownComponentId);
        if (forUs) {
            conversation.onCommandAck(ack.command(), ack.result(), nowNs);
        }
    }

    /** The far end is gone; its vehicle may come back at another. */
    void onPeerDown(Peer gone, Peer nobody) {
        if (peer == gone) {
            peer = nobody;
            peerGone = true;
        }
        if (replyTo == gone) {
            replyTo = nobody;
        }
    }

    void onTick(long nowNs) {
        if (session == null) {
            return;
        }
        events.onTick(nowNs);
        session.want(wish.isWanted(nowNs) && hasClaim(session, nowNs));
        session.onTick(nowNs);
        tell(session);
    }

    private boolean hasClaim(Px4LogSession conversation, long nowNs) {
        if (isSilent(nowNs, claimSilenceNs)) {
            claims.release(systemId, link);
            return false;
        }
        if (conversation.isRefused()) {
            everRefused = true;
            refusedNs = nowNs;
            claims.offer(systemId, link);
        } else if (conversation.state() == Px4LogSession.State.RECORDING) {
            claims.keep(systemId, link);
        }
        boolean owned = claims.owner(systemId).equals(link);
        boolean mayAsk = !everRefused
                || nowNs - refusedNs >= REFUSAL_NS
                || claims.owner(systemId).isEmpty();
        return owned || (mayAsk && claims.claim(systemId, link));
    }

    private void tell(Px4LogSession conversation) {
        if (conversation.state() != toldState) {
            toldState = conversation.state();
            LOG.debug("{}: vehicle {}: {}", link, systemId, toldState.text());
        }
        if (!conversation.detail().equals(toldDetail)) {
            toldDetail = conversation.detail();
            if (!toldDetail.isEmpty()) {
                LOG.warn("{}: vehicle {}: {}", link, systemId, toldDetail);
            }
        }
    }

    void shutDown(long nowNs) {
        if (session != null) {
            session.shutDown(nowNs);
        }
    }

    VehicleStatus status(long nowNs) {
        return new VehicleStatus(
                link,
                peer.address(),
                systemId,
                componentId,
                autopilotName(),
                wish.isArmed(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - lastHeardNs),
                state(),
                detail());
    }

    private String state() {
        if (session == null) {
            return "not recorded";
        }
        return isLeftToAnotherLink(session)
                ? "left to link " + claims.owner(systemId)
                : session.state().text();
    }

    private String detail() {
        if (session == null) {
            return "log streaming of this autopilot is not supported";
        }
        // What went wrong here is of no account while another link has the vehicle.
        return isLeftToAnotherLink(session) ? "" : session.detail();
    }

    private boolean isLeftToAnotherLink(Px4LogSession conversation) {
        String owner = claims.owner(systemId);
        return conversation.isAtRest() && !owner.isEmpty() && !owner.equals(link);
    }

    private String autopilotName() {
        return switch (autopilot) {
            case Heartbeat.AUTOPILOT_PX4 -> "PX4";
            case Heartbeat.AUTOPILOT_ARDUPILOT -> "ArduPilot";
            default -> "autopilot type " + autopilot;
        };
    }

    @Override
    public void sendStart() {
        sender.loggingStart(peer, systemId, componentId);
    }

    @Override
    public void sendStop() {
        sender.loggingStop(peer, systemId, componentId);
    }

    @Override
    public void sendAck(int sequence) {
        sender.loggingAck(replyTo, systemId, componentId, sequence);
    }
}
