package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.link.Peer;
import org.mavlogd.link.Standing;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatustextLayout;
import org.mavlogd.mavlink.SystemTimeLayout;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.signing.Proof;
import org.mavlogd.vehicle.ardupilot.ArduPilotLogSession;
import org.mavlogd.vehicle.ardupilot.ArduPilotSessionSettings;
import org.mavlogd.vehicle.ardupilot.BlockComponent;
import org.mavlogd.vehicle.ardupilot.LogBlock;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;
import org.mavlogd.vehicle.px4.Px4LogSession;
import org.mavlogd.vehicle.px4.Px4SessionSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One vehicle as it is heard on one link, and the conversation about its log. Owned by the link's thread; {@link #onFrame}
 * is on the hot path.
 */
final class Vehicle {
    private static final Logger LOG = LoggerFactory.getLogger(Vehicle.class);

    // Heartbeats come once a second: who was not heard for so long is not asked for the time.
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(3);
    // It logs on for 15 s after it is disarmed, whatever LOG_DISARMED says.
    private static final long ARDUPILOT_LOGS_ON_NS = TimeUnit.SECONDS.toNanos(16);

    private static final String UNHEARD = "nothing is heard of it any more: is it switched on, and the link connected?";

    private static final String SIGNS =
            "; it signs its frames and may refuse ours, which are not signed: set [signing] key_file";

    private final String link;
    private final int systemId;
    private final int componentId;
    private final int autopilot;
    private final int ownComponentId;
    private final long silenceNs;
    private final boolean isKeyless;
    private final LogClaim claim;
    private final RecordingWish wish;
    private final VehicleEvents events;
    private final ContainedClock clock;
    private final HeaderSequence headerSequence = new HeaderSequence();
    // One of the two, or neither: other autopilots are shown, with the reason why they are not recorded.
    private final @Nullable Px4LogSession px4;
    private final @Nullable ArduPilotLogSession ardupilot;
    private final @Nullable LogConversation session;
    private final @Nullable AfterFlight afterFlight;

    private final LogBlock block;
    private final SourceLock source;
    private final VehicleOutbox outbox;
    private final ForeignFrames foreign;
    private final long firstHeardNs;

    private long lastHeardNs;
    private boolean wasWished;
    private String toldState = "";
    private String toldDetail = "";
    // It signs frames and we have no key: it may refuse ours.
    private boolean signsUnasked;

    Vehicle(LinkContext context, FrameView heartbeatFrame, Heartbeat heartbeat, Peer peer, Proof proof, long nowNs) {
        ConversationSettings settings = context.settings();
        this.link = context.link();
        this.systemId = heartbeatFrame.systemId();
        this.componentId = heartbeatFrame.componentId();
        this.autopilot = heartbeat.autopilot();
        this.ownComponentId = settings.ownComponentId();
        this.silenceNs = settings.silenceNs();
        this.isKeyless = proof == Proof.NOT_ASKED;
        this.claim = new LogClaim(context, systemId, nowNs);
        this.block = new LogBlock(heartbeatFrame);
        this.wish = new RecordingWish(settings.mode(), leadOutNs(settings, heartbeat.autopilot()));
        this.source = new SourceLock(peer, proof, nowNs);
        this.outbox = new VehicleOutbox(context.sender(), source, systemId, componentId);
        this.foreign = new ForeignFrames(
                link + ": vehicle " + systemId, context.counters().foreign());
        this.firstHeardNs = nowNs;
        this.lastHeardNs = nowNs;
        this.px4 = autopilot == Heartbeat.AUTOPILOT_PX4 ? px4(context) : null;
        this.ardupilot = autopilot == Heartbeat.AUTOPILOT_ARDUPILOT ? ardupilot(context, peer) : null;
        this.session = px4 != null ? px4 : ardupilot;
        this.events = new VehicleEvents(systemId, componentId, context.publisher(), heartbeat);
        this.clock = new ContainedClock(
                () -> new VehicleClock(context, outbox, systemId, componentId),
                context.clocks().errors());
        this.afterFlight = session != null && context.ownLogs().areWanted() ? afterFlight(context, heartbeat) : null;
        wish.onArming(heartbeat.isArmed(), nowNs);
        LOG.info("{}: {} vehicle {} at {}", link, Autopilots.name(autopilot), systemId, peer.address());
    }

    /** What an ArduPilot logs after it is disarmed is of the same drive. */
    private static long leadOutNs(ConversationSettings settings, int autopilot) {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT
                ? Math.max(settings.leadOutNs(), ARDUPILOT_LOGS_ON_NS)
                : settings.leadOutNs();
    }

    private Px4LogSession px4(LinkContext context) {
        return new Px4LogSession(
                new Px4SessionSettings(
                        systemId,
                        componentId,
                        ownComponentId,
                        context.settings().silenceNs()),
                context.publisher(),
                context.sessionNumbers(),
                outbox,
                context.px4Counters(),
                context.resumable());
    }

    private ArduPilotLogSession ardupilot(LinkContext context, Peer peer) {
        return new ArduPilotLogSession(
                new ArduPilotSessionSettings(systemId, ownComponentId, peer.isDatagram()),
                context.publisher(),
                context.sessionNumbers(),
                outbox,
                context.arduPilotCounters(),
                context.resumable());
    }

    private AfterFlight afterFlight(LinkContext context, Heartbeat heartbeat) {
        return new AfterFlight(
                context.ownLogs(),
                new FetchTarget(systemId, componentId, autopilot, ownComponentId),
                heartbeat.isArmed(),
                outbox::sendMessage,
                context.fetchErrors());
    }

    int systemId() {
        return systemId;
    }

    /** Whether its log is being recorded, on this link or another. */
    boolean isRecorded() {
        return session != null && claim.isRecorded();
    }

    int componentId() {
        return componentId;
    }

    /** Whether this is the vehicle's: the autopilot's own, or log blocks, which ArduPilot sends as another component. */
    boolean isSenderOf(FrameView frame) {
        boolean isBlock = ardupilot != null
                && frame.componentId() == BlockComponent.ID
                && frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK;
        return isBlock || frame.componentId() == componentId;
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
                if (px4 != null) {
                    px4.onNewLink();
                }
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

    /** What it is spoken to in. */
    FrameVersion version() {
        return outbox.version();
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
        signsUnasked = isKeyless && frame.isSigned();
        if (ardupilot != null) {
            // Who speaks MAVLink 1 may know nothing else. A PX4 speaks it until it hears MAVLink 2, and streams no log
            // in it.
            outbox.speak(frame.isV2() ? FrameVersion.V2 : FrameVersion.V1);
        }
        if (ardupilot != null && frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK) {
            outbox.replyTo(from);
            ardupilot.onHeard(nowNs);
            ardupilot.onBlock(block.wrap(frame), nowNs);
            return;
        }
        if (from == source.holder()) {
            headerSequence.onFrame(frame.sequence(), nowNs);
        }
        if (frame.messageId() == MessageIds.HEARTBEAT) {
            onHeartbeat(Heartbeat.decode(frame), nowNs);
        }
        if (session == null) {
            return;
        }
        if (afterFlight != null && AfterFlight.isOfInterest(frame.messageId())) {
            afterFlight.onFrame(frame, nowNs);
        }
        session.onHeard(nowNs);
        switch (frame.messageId()) {
            case MessageIds.LOGGING_DATA, MessageIds.LOGGING_DATA_ACKED -> {
                if (px4 != null) {
                    outbox.replyTo(from);
                    px4.onChunk(chunk, headerSequence.trail(), nowNs);
                }
            }
            case MessageIds.COMMAND_ACK -> {
                if (px4 != null) {
                    onCommandAck(px4, CommandAck.decode(frame), nowNs);
                }
            }
            case MessageIds.SYSTEM_TIME -> {
                session.onBootTime(SystemTimeLayout.timeBootMs(frame), nowNs);
                clock.onBootTime(SystemTimeLayout.timeBootMs(frame), nowNs);
                events.onUnixTime(SystemTimeLayout.timeUnixUsec(frame), nowNs);
            }
            case MessageIds.STATUSTEXT -> events.onText(StatustextLayout.severity(frame));
            case MessageIds.TIMESYNC -> clock.onTimesync(Timesync.decode(frame), from, nowNs);
            default -> {}
        }
    }

    private void onHeartbeat(Heartbeat heartbeat, long nowNs) {
        // What else an autopilot's component sends under this name, like a gimbal's heartbeat, says nothing of arming.
        if (Autopilots.isAutopilot(systemId, componentId, heartbeat)) {
            wish.onArming(heartbeat.isArmed(), nowNs);
            if (afterFlight != null) {
                afterFlight.onArming(heartbeat.isArmed(), nowNs);
            }
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
        outbox.onPeerDown(gone);
    }

    /** Somebody else gets its place. */
    void leave() {
        if (afterFlight != null) {
            afterFlight.shutDown(lastHeardNs);
        }
        claim.leave();
        source.holder().standing(Standing.SPEAKER);
    }

    void onTick(long nowNs) {
        if (session == null) {
            return;
        }
        events.onTick(nowNs);
        if (px4 != null) {
            tickPx4(px4);
        }
        boolean isWished = wish.isWanted(nowNs);
        if (ardupilot != null) {
            tickArduPilot(ardupilot, isWished, nowNs);
        }
        // An ArduPilot without a stream refuses to arm: there the mode only divides the log.
        session.want((isWished || ardupilot != null) && claim.hold(session, lastHeardNs, nowNs));
        session.onTick(nowNs);
        claim.recorded(session.isRecording());
        clock.onTick(isRecorded(session, nowNs), !isSilent(nowNs, HEARD_NS), source.holder(), nowNs);
        if (afterFlight != null) {
            afterFlight.onTick(!claim.isElsewhere(), nowNs);
        }
        tell(session, nowNs);
    }

    /** Whether its log is or will be recorded through this link, and it is surely a vehicle. */
    private boolean isRecorded(LogConversation conversation, long nowNs) {
        return claim.isHeld() && conversation.isAnswered() && (wish.isWanted(nowNs) || !conversation.isAtRest());
    }

    private void tickPx4(Px4LogSession conversation) {
        conversation.armed(wish.isArmed());
        if (conversation.pollResumed()) {
            claim.seize();
            LOG.info("{}: vehicle {}: its log of the run before goes on", link, systemId);
        }
    }

    private void tickArduPilot(ArduPilotLogSession conversation, boolean isWished, long nowNs) {
        if (conversation.pollBegan()) {
            claim.seize();
        }
        conversation.armed(wish.isArmed());
        if (wasWished && !isWished) {
            conversation.endDrive(nowNs);
        }
        wasWished = isWished;
    }

    private void tell(LogConversation conversation, long nowNs) {
        if (!conversation.stateText().equals(toldState)) {
            toldState = conversation.stateText();
            LOG.debug("{}: vehicle {}: {}", link, systemId, toldState);
        }
        String detail = detail(nowNs);
        if (!detail.equals(toldDetail)) {
            if (toldDetail.equals(UNHEARD) && !isSilent(nowNs, silenceNs)) {
                LOG.info("{}: vehicle {} is heard again", link, systemId);
            }
            toldDetail = detail;
            if (!detail.isEmpty()) {
                LOG.warn("{}: vehicle {}: {}", link, systemId, detail);
            }
        }
    }

    void shutDown(long nowNs) {
        if (afterFlight != null) {
            afterFlight.shutDown(nowNs);
        }
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
                Autopilots.name(autopilot),
                wish.isArmed(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - lastHeardNs),
                state(nowNs),
                detail(nowNs),
                source.signs(),
                foreign.count(),
                clock.state(nowNs));
    }

    private String state(long nowNs) {
        if (session == null) {
            return "not recorded";
        }
        if (isLeftToAnotherLink(session)) {
            return "left to link " + claim.owner();
        }
        return isSilent(nowNs, silenceNs) ? "silent" : session.stateText();
    }

    private String detail(long nowNs) {
        if (session == null) {
            return "log streaming of this autopilot is not supported";
        }
        // What went wrong here is of no account while another link has the vehicle.
        if (isLeftToAnotherLink(session)) {
            return "";
        }
        boolean isMissed = isSilent(nowNs, silenceNs) && (wish.isArmed() || session.isRecording());
        String detail = isMissed ? UNHEARD : session.detail();
        return signsUnasked && !session.isAnswered() && !detail.isEmpty() && !isMissed ? detail + SIGNS : detail;
    }

    private boolean isLeftToAnotherLink(LogConversation conversation) {
        return conversation.isAtRest() && claim.isElsewhere();
    }
}
