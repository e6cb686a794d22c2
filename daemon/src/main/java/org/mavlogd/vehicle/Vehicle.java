package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.Peer;
import org.mavlogd.link.Standing;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.signing.Proof;
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
    // By then the conversation has given up hope for the link to come back.
    private static final long CLAIM_MARGIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long UNANSWERED_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long REFUSAL_NS = TimeUnit.SECONDS.toNanos(20);
    // Heartbeats come once a second: who was not heard for so long is not asked for the time.
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(3);

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
    private final VehicleClock clock;
    private final HeaderSequence headerSequence = new HeaderSequence();
    // Only PX4's log stream is spoken; other autopilots are shown, with the reason why they are not recorded.
    private final @Nullable Px4LogSession session;

    private final SourceLock source;
    private final ForeignFrames foreign;
    private final long firstHeardNs;

    // Where the last chunk came from: of several proven far ends, the one that the vehicle streams to.
    private Peer replyTo;
    private long lastHeardNs;
    private long askingNs;
    private boolean everRefused;
    private long refusedNs;
    private Px4LogSession.State toldState = Px4LogSession.State.IDLE;
    private String toldDetail = "";

    Vehicle(LinkContext context, FrameView heartbeatFrame, Heartbeat heartbeat, Peer peer, Proof proof, long nowNs) {
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
        this.source = new SourceLock(peer, proof, nowNs);
        this.foreign = new ForeignFrames(
                link + ": vehicle " + systemId, context.counters().foreign());
        this.replyTo = peer;
        this.firstHeardNs = nowNs;
        this.lastHeardNs = nowNs;
        this.askingNs = nowNs;
        this.session = autopilot == Heartbeat.AUTOPILOT_PX4
                ? new Px4LogSession(
                        new Px4SessionSettings(systemId, componentId, ownComponentId, settings.silenceNs()),
                        context.publisher(),
                        context.sessionNumbers(),
                        this,
                        context.px4Counters(),
                        context.resumable())
                : null;
        this.events = new VehicleEvents(systemId, componentId, context.publisher(), heartbeat);
        this.clock = new VehicleClock(context, systemId, componentId);
        wish.onArming(heartbeat.isArmed(), nowNs);
        LOG.info("{}: {} vehicle {} at {}", link, autopilotName(), systemId, peer.address());
    }

    int systemId() {
        return systemId;
    }

    /** Whether its log is being recorded, on this link or another. */
    boolean isRecorded() {
        return session != null && claims.isRecorded(systemId);
    }

    int componentId() {
        return componentId;
    }

    /** Where it is; nobody when that end is gone. */
    Peer peer() {
        return source.holder();
    }

    /** Whether a frame in its name came from where it is, or proves itself; else it is counted and must be dropped. */
    boolean admits(Peer from, Proof proof, long nowNs) {
        switch (source.judge(from, proof, nowNs)) {
            case OWN, PROVEN -> {
                return true;
            }
            case MOVED -> {
                LOG.info("{}: vehicle {} is now at {}", link, systemId, from.address());
                return true;
            }
            case FOREIGN -> foreign.add(from, source.holder(), nowNs);
        }
        return false;
    }

    /** Whether another component may take its place by frames that prove so much. */
    boolean isReplaceable(Proof proof, long nowNs) {
        boolean proven = proof == Proof.SIGNED || (!source.signs() && proof != Proof.SUSPECT);
        return proven && isAtRest() && isSilent(nowNs, SourceLock.HOLD_NS);
    }

    /** Whether nothing but its frames speaks for its being there, and it had the time to answer us. */
    boolean isMadeUp(long nowNs, long probationNs) {
        boolean answered = session != null && session.isAnswered();
        return !answered && nowNs - firstHeardNs >= probationNs;
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

    /** Any frame of this vehicle that it {@link #admits}, its heartbeats included. */
    void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs) {
        lastHeardNs = nowNs;
        if (from == source.holder()) {
            headerSequence.onFrame(frame.sequence());
        }
        if (frame.messageId() == MessageIds.HEARTBEAT) {
            onHeartbeat(Heartbeat.decode(frame), nowNs);
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
                clock.onBootTime(frame.uint32(SYSTEM_TIME_BOOT_MS), nowNs);
                events.onUnixTime(frame.int64(SYSTEM_TIME_UNIX_US), nowNs);
            }
            case MessageIds.TIMESYNC -> clock.onTimesync(Timesync.decode(frame), from, nowNs);
            default -> {}
        }
    }

    private void onHeartbeat(Heartbeat heartbeat, long nowNs) {
        // What else an autopilot's component sends under this name, like a gimbal's heartbeat, says nothing of arming.
        if (Autopilots.isAutopilot(systemId, componentId, heartbeat)) {
            wish.onArming(heartbeat.isArmed(), nowNs);
            events.onHeartbeat(heartbeat, nowNs);
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
    void onPeerDown(Peer gone) {
        source.onPeerDown(gone);
        if (replyTo == gone) {
            replyTo = Nobody.NOBODY;
        }
    }

    /** Somebody else gets its place. */
    void leave() {
        claims.recorded(systemId, link, false);
        claims.release(systemId, link);
        source.holder().standing(Standing.SPEAKER);
    }

    void onTick(long nowNs) {
        if (session == null) {
            return;
        }
        events.onTick(nowNs);
        if (session.pollResumed()) {
            claims.seize(systemId, link);
            LOG.info("{}: vehicle {}: its log of the run before goes on", link, systemId);
        }
        session.want(wish.isWanted(nowNs) && hasClaim(session, nowNs));
        session.onTick(nowNs);
        claims.recorded(systemId, link, session.state() == Px4LogSession.State.RECORDING);
        clock.onTick(isRecorded(session, nowNs), !isSilent(nowNs, HEARD_NS), source.holder(), nowNs);
        tell(session);
    }

    /** Whether its log is or will be recorded through this link, and it is surely a vehicle. */
    private boolean isRecorded(Px4LogSession conversation, long nowNs) {
        boolean owned = claims.owner(systemId).equals(link);
        return owned && conversation.isAnswered() && (wish.isWanted(nowNs) || !conversation.isAtRest());
    }

    private boolean hasClaim(Px4LogSession conversation, long nowNs) {
        if (isSilent(nowNs, claimSilenceNs)) {
            claims.release(systemId, link);
            return false;
        }
        if (conversation.isRefused() || isUnanswered(conversation, nowNs)) {
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

    /** Whether it may be made up: then it must not keep another link from the real one. */
    private boolean isUnanswered(Px4LogSession conversation, long nowNs) {
        if (conversation.isAnswered() || conversation.state() != Px4LogSession.State.ASKING) {
            askingNs = nowNs;
        }
        return nowNs - askingNs >= UNANSWERED_NS;
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
                source.holder().address(),
                systemId,
                componentId,
                autopilotName(),
                wish.isArmed(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - lastHeardNs),
                state(),
                detail(),
                source.signs(),
                foreign.count(),
                clock.state(nowNs));
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
}
