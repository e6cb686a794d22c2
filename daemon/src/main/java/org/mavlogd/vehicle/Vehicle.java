package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatustextLayout;
import org.mavlogd.mavlink.SystemTimeLayout;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.metrics.Counter;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Proof;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One vehicle as it is heard on one link, and the conversation about its log. Owned by the link's thread; {@link #onFrame}
 * is on the hot path.
 */
final class Vehicle {
    private static final Logger LOG = LoggerFactory.getLogger(Vehicle.class);

    // Heartbeats come once a second: a vehicle that is silent for longer is not asked for the time.
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(3);

    private static final String UNHEARD = "no longer heard: check its power and the link";

    private static final String SIGNS = "; it signs its frames and may refuse unsigned ones: set [signing] key_file";

    private final String link;
    private final int systemId;
    private final int componentId;
    private final long silenceNs;
    private final boolean isKeyless;
    private final LogClaim claim;
    private final RecordingWish wish;
    private final VehicleEvents events;
    private final ContainedClock clock;
    private final Autopilot autopilot;
    private final LogConversation session;
    private final MakeChange make;
    private final FlightListener flights;

    private final SourceLock source;
    private final VehicleOutbox outbox;
    private final ForeignFrames foreign;
    private final long firstHeardNs;

    private long lastHeardNs;
    private String toldState = "";
    private String toldDetail = "";
    // The vehicle signs its frames and mavlogd has no key: it may refuse mavlogd's frames.
    private boolean signsUnasked;

    Vehicle(LinkContext context, FrameView heartbeatFrame, Heartbeat heartbeat, Peer peer, Proof proof, long nowNs) {
        ConversationSettings settings = context.settings();
        this.link = context.link();
        this.systemId = heartbeatFrame.systemId();
        this.componentId = heartbeatFrame.componentId();
        this.silenceNs = settings.silenceNs();
        this.isKeyless = proof == Proof.NOT_ASKED;
        this.claim = new LogClaim(context, systemId, nowNs);
        this.source = new SourceLock(peer, proof, nowNs);
        this.outbox = new VehicleOutbox(context.sender(), source, systemId, componentId);
        this.foreign = new ForeignFrames(
                link + ": vehicle " + systemId, context.counters().foreign());
        this.firstHeardNs = nowNs;
        this.lastHeardNs = nowNs;
        this.autopilot = Autopilot.of(context, heartbeatFrame, heartbeat, source, outbox, claim);
        this.session = autopilot.conversation();
        this.make = new MakeChange(heartbeat.autopilot(), nowNs);
        this.wish = new RecordingWish(settings.mode(), autopilot.leadOutNs(settings));
        this.events = new VehicleEvents(systemId, componentId, context.feeds().logs(), heartbeat);
        this.clock = new ContainedClock(
                () -> new VehicleClock(context, outbox, systemId, componentId),
                context.clocks().errors());
        this.flights = autopilot.isSupported() ? flights(context, heartbeat) : FlightListener.NONE;
        wish.onArming(heartbeat.isArmed(), nowNs);
        LOG.info("{}: {} vehicle {} at {}", link, autopilot.name(), systemId, peer.address());
    }

    private FlightListener flights(LinkContext context, Heartbeat heartbeat) {
        FlightListener.Subject subject =
                new FlightListener.Subject(systemId, componentId, heartbeat.autopilot(), heartbeat.isArmed());
        return context.logs().flights().of(subject, outbox::sendMessage);
    }

    int systemId() {
        return systemId;
    }

    /** Whether its log is being recorded, on this link or another. */
    boolean isRecorded() {
        return autopilot.isSupported() && claim.isRecorded();
    }

    int componentId() {
        return componentId;
    }

    /** Whether the vehicle sent this frame: its autopilot, or the component that sends ArduPilot's log blocks. */
    boolean isSenderOf(FrameView frame) {
        return frame.componentId() == componentId || autopilot.isLogOfOtherComponent(frame);
    }

    /** The peer at which the vehicle is reached; {@link SourceLock#GONE} if that is closed. */
    Peer peer() {
        return source.holder();
    }

    /**
     * Whether a frame with the vehicle's id comes from its peer or has a valid signature. Other frames are counted, and
     * must be dropped.
     */
    boolean admits(Peer from, Proof proof, long nowNs) {
        switch (source.judge(from, proof, nowNs)) {
            case OWN, PROVEN -> {
                return true;
            }
            case MOVED -> {
                LOG.info("{}: vehicle {} is now at {}", link, systemId, from.address());
                autopilot.onNewLink();
                return true;
            }
            case FOREIGN -> foreign.add(from, source.holder(), nowNs);
        }
        return false;
    }

    /** Whether another component may take its place with frames of this proof. */
    boolean isReplaceable(Proof proof, long nowNs) {
        boolean proven = proof == Proof.SIGNED || (!source.signs() && proof != Proof.SUSPECT);
        return proven && isAtRest() && isSilent(nowNs, SourceLock.HOLD_NS);
    }

    /** Whether only its frames indicate that it exists, although it had time to answer. */
    boolean isMadeUp(long nowNs, long probationNs) {
        return !session.isAnswered() && nowNs - firstHeardNs >= probationNs;
    }

    boolean isSilent(long nowNs, long silenceNs) {
        return nowNs - lastHeardNs >= silenceNs;
    }

    /** The MAVLink version of messages to the vehicle. */
    FrameSender.Version version() {
        return outbox.version();
    }

    boolean isAtRest() {
        return session.isAtRest();
    }

    /**
     * Whether this heartbeat shows that its autopilot is of another make and its conversation is at rest, so that it
     * must start over.
     */
    boolean isOutdatedBy(Heartbeat heartbeat, long nowNs) {
        return make.isDue(nowNs)
                && make.isOther(heartbeat.autopilot())
                && Autopilot.isAutopilot(systemId, componentId, heartbeat)
                && isAtRest();
    }

    /** Whether only occasional messages are sent or expected. */
    boolean isUnhurried(long nowNs) {
        return session.isUnhurried(nowNs) && !flights.isBusy() && !events.isWaiting();
    }

    boolean mayWait(long nowNs) {
        return session.mayWait(nowNs);
    }

    /** Takes any frame that this vehicle {@link #admits}, its heartbeats included. */
    void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs) {
        lastHeardNs = nowNs;
        signsUnasked = isKeyless && frame.isSigned();
        autopilot.onFrame(from, frame, chunk, nowNs);
        if (frame.messageId() == MessageIds.HEARTBEAT) {
            onHeartbeat(Heartbeat.decode(frame), nowNs);
        }
        if (!autopilot.isSupported()) {
            return;
        }
        flights.onFrame(frame, nowNs);
        switch (frame.messageId()) {
            case MessageIds.SYSTEM_TIME -> {
                session.onBootTime(SystemTimeLayout.timeBootMs(frame), nowNs);
                clock.onBootTime(SystemTimeLayout.timeBootMs(frame), nowNs);
                events.onUnixTime(SystemTimeLayout.timeUnixUsec(frame), nowNs);
            }
            case MessageIds.STATUSTEXT -> events.onText(StatustextLayout.severity(frame), nowNs);
            case MessageIds.TIMESYNC -> clock.onTimesync(Timesync.decode(frame), from, nowNs);
            default -> {}
        }
    }

    private void onHeartbeat(Heartbeat heartbeat, long nowNs) {
        // Other heartbeats under this component id, such as a gimbal's, do not show whether the vehicle is armed.
        if (Autopilot.isAutopilot(systemId, componentId, heartbeat)) {
            make.onHeartbeat(heartbeat.autopilot(), nowNs);
            wish.onArming(heartbeat.isArmed(), nowNs);
            flights.onArming(heartbeat.isArmed(), nowNs);
            events.onHeartbeat(heartbeat, nowNs);
        }
    }

    /** The peer is closed; the vehicle may come back at another one. */
    void onPeerDown(Peer gone) {
        source.onPeerDown(gone);
        outbox.onPeerDown(gone);
    }

    /** Removes the vehicle, to free its place for another one. */
    void leave() {
        flights.shutDown(lastHeardNs);
        claim.leave();
        source.holder().rank(Peer.Rank.SPEAKER);
    }

    void onTick(long nowNs) {
        events.onTick(nowNs);
        if (!autopilot.isSupported()) {
            return;
        }
        boolean isWished = wish.isWanted(nowNs);
        if (autopilot.onTick(wish.isArmed(), isWished, nowNs)) {
            claim.seize();
        }
        boolean isAskedFor = autopilot.isAskedFor(isWished) && !make.isDue(nowNs);
        boolean isHeld = claim.hold(session, isAskedFor, lastHeardNs, nowNs);
        if (!isHeld && claim.isLogElsewhere()) {
            session.leaveAwaited();
        }
        session.want(isHeld);
        session.onTick(nowNs);
        claim.follow(session);
        clock.onTick(isRecordedHere(nowNs), !isSilent(nowNs, HEARD_NS), source.holder(), nowNs);
        flights.onTick(!claim.isElsewhere(), nowNs);
        tell(nowNs);
    }

    /** Whether its log is or will be recorded through this link, and the vehicle is known to be real. */
    private boolean isRecordedHere(long nowNs) {
        return claim.isHeld() && session.isAnswered() && (wish.isWanted(nowNs) || !session.isAtRest());
    }

    private void tell(long nowNs) {
        if (!session.stateText().equals(toldState)) {
            toldState = session.stateText();
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
        flights.shutDown(nowNs);
        session.shutDown(nowNs);
    }

    VehicleStatus status(long nowNs) {
        return new VehicleStatus(
                link,
                source.holder().address(),
                systemId,
                componentId,
                autopilot.name(),
                wish.isArmed(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - lastHeardNs),
                phase(nowNs),
                state(nowNs),
                detail(nowNs),
                source.signs(),
                foreign.count(),
                clock.state(nowNs));
    }

    private VehicleState phase(long nowNs) {
        if (!autopilot.isSupported()) {
            return VehicleState.NOT_SUPPORTED;
        }
        if (isLeftToAnotherLink()) {
            return VehicleState.ON_OTHER_LINK;
        }
        return isSilent(nowNs, silenceNs) ? VehicleState.SILENT : VehicleState.of(session.state());
    }

    private String state(long nowNs) {
        return switch (phase(nowNs)) {
            case ON_OTHER_LINK -> "left to link " + claim.owner();
            case SILENT -> "silent";
            default -> session.stateText();
        };
    }

    private String detail(long nowNs) {
        if (!autopilot.isSupported()) {
            return session.detail();
        }
        // Problems on this link do not matter while another link has the vehicle.
        if (isLeftToAnotherLink()) {
            return "";
        }
        boolean isMissed = isSilent(nowNs, silenceNs) && (wish.isArmed() || session.isRecording());
        String detail = isMissed ? UNHEARD : session.detail();
        return signsUnasked && !session.isAnswered() && !detail.isEmpty() && !isMissed ? detail + SIGNS : detail;
    }

    private boolean isLeftToAnotherLink() {
        return session.isAtRest() && claim.isElsewhere();
    }

    /**
     * Counts frames with a vehicle's id that came from another peer, and reports them at most once a minute. Owned by
     * the link's thread.
     */
    private static final class ForeignFrames {
        private static final Logger LOG = LoggerFactory.getLogger(Vehicle.class);
        private static final long TELL_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

        private final String vehicle;
        private final Counter all;
        private long count;
        private long toldNs;

        /** @param vehicle its name in messages */
        ForeignFrames(String vehicle, Counter all) {
            this.vehicle = vehicle;
            this.all = all;
        }

        long count() {
            return count;
        }

        void add(Peer from, Peer holder, long nowNs) {
            all.increment();
            count++;
            if (count == 1 || nowNs - toldNs >= TELL_INTERVAL_NS) {
                toldNs = nowNs;
                LOG.warn(
                        "{}: dropped {} frames with its id that did not come from {}; the last came from {}",
                        vehicle,
                        count,
                        holder.address(),
                        from.address());
            }
        }
    }

    /** Decides from mode and arming whether a vehicle's log is wanted. Pure; time is an argument. */
    static final class RecordingWish {
        private final ConversationSettings.Mode mode;
        private final long leadOutNs;
        private boolean armed;
        private boolean everArmed;
        private long disarmedNs;

        RecordingWish(ConversationSettings.Mode mode, long leadOutNs) {
            this.mode = mode;
            this.leadOutNs = leadOutNs;
        }

        void onArming(boolean isArmed, long nowNs) {
            if (armed && !isArmed) {
                disarmedNs = nowNs;
            }
            armed = isArmed;
            everArmed |= isArmed;
        }

        boolean isArmed() {
            return armed;
        }

        boolean isWanted(long nowNs) {
            return switch (mode) {
                case ALWAYS -> true;
                case ARMED -> armed || (everArmed && nowNs - disarmedNs < leadOutNs);
            };
        }
    }
}
