package org.mavlogd.vehicle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.forward.FarEnd;
import org.mavlogd.forward.LinkPort;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.BulkRule;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Proof;
import org.mavlogd.signing.Signing;
import org.mavlogd.vehicle.ardupilot.ArduPilotCounters;
import org.mavlogd.vehicle.conversation.NewLogs;
import org.mavlogd.vehicle.px4.LogChunk;
import org.mavlogd.vehicle.px4.Px4Counters;

/**
 * All conversations on one link: finds vehicles by their heartbeats, sends heartbeats, and runs the log conversation of
 * each vehicle.
 *
 * <p>Owned by the link's thread; {@link #statuses} and {@link #isAtRest} may be read by any thread. Taking bytes is on
 * the hot path.
 */
public final class LinkConversations implements LinkListener {
    private static final long CROWDED_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String CROWDED =
            "more vehicles than are recorded, or new ones come too fast: some are not recorded";
    private static final long STATUS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final String link;
    private final ConversationSettings settings;
    private final OwnHeartbeats heartbeats;
    private final LinkContext context;
    private final FrameCounters frameCounters;
    private final LinkContext.DroppedFrames counters;
    private final Signing.FrameGate gate;
    private final HeardFrames heard;
    private final @Nullable LinkPort forward;
    private final KeptFrames kept;

    private final List<PeerConversation> peers = new ArrayList<>();
    private final VehicleRoster vehicles = new VehicleRoster();
    private final Latest<List<VehicleStatus>> statuses = new Latest<>(List.of());
    private final LinkProblem refusal;
    private final LinkProblem crowd;
    private final Latest<Boolean> atRest = new Latest<>(true);

    private boolean shuttingDown;
    private boolean ticked;
    private final PatientFrames bulk;
    private long lastStatusNs;
    private long nowNs;
    private boolean wasCrowded;
    private long crowdedNs;

    /** Without a key: signatures are ignored. Other messages of the link are dropped. */
    public LinkConversations(
            String link,
            ConversationSettings settings,
            VehicleClaims claims,
            FeedPublisher publisher,
            Metrics metrics) {
        this(
                LinkFeeds.ofLogs(link, publisher),
                settings,
                VehicleLogs.of(claims),
                Signing.LinkParts.OFF,
                HeardFrames.NONE,
                metrics);
    }

    /**
     * With all receivers of the link.
     *
     * @param heard takes the messages that are no part of a log
     */
    public LinkConversations(
            LinkFeeds feeds,
            ConversationSettings settings,
            VehicleLogs logs,
            Signing.LinkParts signing,
            HeardFrames heard,
            Metrics metrics) {
        this.link = feeds.link();
        this.refusal = new LinkProblem(link, "no frames are refused for their signature any more");
        this.crowd = new LinkProblem(link, "there is room for every vehicle again");
        this.forward = feeds.forward();
        this.kept = new KeptFrames(feeds.frames(), feeds.logs());
        this.heard = heard;
        this.settings = settings;
        this.gate = signing.gate();
        this.counters = LinkContext.DroppedFrames.register(metrics, link);
        FrameSender sender = new FrameSender(settings.ownComponentId(), signing.seal());
        this.heartbeats = new OwnHeartbeats(sender, vehicles, forward != null);
        this.context = new LinkContext(
                feeds,
                settings,
                logs,
                sender,
                new NewLogs(logs.claims()::isKnown, feeds.logs()),
                counters,
                new Px4Counters(metrics, link),
                new ArduPilotCounters(metrics, link),
                LinkContext.Clocks.of(link, settings.timesync(), feeds.clocks(), metrics));
        this.frameCounters = FrameCounters.register(metrics, link);
        // The times in signatures rise among log data and among other frames, so these must not overtake each other.
        this.bulk = forward == null && gate == Signing.FrameGate.OPEN
                ? PatientFrames.butTimed(settings.gatherNs(), heard.timedMessages())
                : PatientFrames.ofLogData(settings.gatherNs());
    }

    /** The vehicles heard so far, at most a quarter of a second old. Any thread. */
    public List<VehicleStatus> statuses() {
        return statuses.get();
    }

    /** Why no frame of this link is accepted; empty if frames are accepted, or none arrives. Any thread. */
    public String refusal() {
        return refusal.text();
    }

    /** Reports that vehicles are not recorded because there are too many; else empty. Any thread. */
    public String crowd() {
        return crowd.text();
    }

    /** Whether no conversation is active. Any thread. */
    public boolean isAtRest() {
        return atRest.get();
    }

    /** The program is about to end: stops the logs that it asked for. Link's thread. */
    public void shutDown() {
        shuttingDown = true;
        for (int i = 0; i < vehicles.count(); i++) {
            vehicles.get(i).shutDown(nowNs);
        }
        publishRest();
    }

    @Override
    public void onPeerUp(Peer peer, long now) {
        nowNs = now;
        FarEnd farEnd = forward == null ? null : forward.open(peer);
        PeerConversation conversation = new PeerConversation(peer, this, frameCounters, heard.dialect(), farEnd);
        peers.add(conversation);
        heartbeats.send(conversation);
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long now) {
        nowNs = now;
        for (int i = 0; i < peers.size(); i++) {
            PeerConversation conversation = peers.get(i);
            if (conversation.peer() == peer) {
                conversation.onBytes(buffer, offset, length, now);
                return;
            }
        }
        throw new IllegalStateException(link + ": bytes of unknown peer " + peer.address());
    }

    @Override
    public void onWaited(long sinceNs) {
        context.feeds().logs().waited(sinceNs);
    }

    @Override
    public void onWaitedEnd() {
        context.feeds().logs().waitedEnd();
    }

    @Override
    public void onPeerDown(Peer peer, long now) {
        nowNs = now;
        peers.removeIf(conversation -> conversation.peer() == peer && isClosed(conversation.farEnd()));
        for (int i = 0; i < vehicles.count(); i++) {
            vehicles.get(i).onPeerDown(peer);
        }
    }

    private boolean isClosed(@Nullable FarEnd farEnd) {
        if (forward != null && farEnd != null) {
            forward.close(farEnd);
        }
        return true;
    }

    void onFrame(PeerConversation from, FrameView frame, long now) {
        Proof proof = gate.judge(frame, now);
        if (proof == Proof.REFUSED) {
            return;
        }
        boolean isFirst = from.onGoodFrame();
        if (proof.isGood()) {
            from.onTakenFrame();
            take(from, frame, proof, now);
        }
        if (isFirst) {
            // Also after one with an old signature: our heartbeat's signature gives the time to a vehicle without a
            // clock.
            heartbeats.send(from);
        }
    }

    private void take(PeerConversation from, FrameView frame, Proof proof, long now) {
        int messageId = frame.messageId();
        Vehicle vehicle = vehicles.find(frame.systemId());
        if (messageId == MessageIds.HEARTBEAT && (vehicle == null || frame.componentId() != vehicle.componentId())) {
            vehicle = onNewHeartbeat(from, frame, vehicle, proof, now);
        } else if (vehicle == null && isUnfinishedStream(frame)) {
            vehicle = onNewVehicle(from, frame, Heartbeat.ofStreamingPx4(), null, proof, now);
        }
        if (vehicle != null && vehicle.isSenderOf(frame)) {
            if (vehicle.admits(from.peer(), proof, now)) {
                if (proof == Proof.SIGNED) {
                    context.logs().claims().signed(frame.systemId());
                }
                kept.onFrame(frame, now);
                vehicle.onFrame(from.peer(), frame, from.chunk(frame), now);
                if (messageId == MessageIds.HEARTBEAT) {
                    vehicle = current(vehicle, from, frame, proof, now);
                }
                // A vehicle with two channels to this link sends everything twice; the second is not taken.
                if (!LogChunk.isIn(frame) && vehicle.peer() == from.peer()) {
                    heard.onFrame(frame, vehicle.isRecorded(), vehicles.count() > 1, now);
                }
            }
        } else if (LogChunk.isIn(frame) || messageId == MessageIds.REMOTE_LOG_DATA_BLOCK) {
            counters.unknownVehicleChunks().increment();
        } else {
            if (forward != null || isTrusted(from.peer(), proof)) {
                kept.onFrame(frame, now);
            }
            if (isHeard(from.peer(), vehicle, proof)) {
                heard.onFrame(frame, false, true, now);
            }
        }
    }

    /** Takes a frame of an unknown message, whose checksum cannot be verified. */
    void onUnknownFrame(FrameView frame, long now) {
        if (forward != null) {
            kept.onFrame(frame, now); // kept unchecked, as it is forwarded unchecked
        }
    }

    /**
     * Whether messages of a sender other than an autopilot are recorded. Anyone can send to an open port, so the peer
     * must be one with a vehicle, one that is configured, or one with a valid signature.
     *
     * @param vehicle the vehicle with the sender's system id
     */
    private boolean isHeard(Peer from, @Nullable Vehicle vehicle, Proof proof) {
        if (heard.takesAnyones()) {
            return true;
        }
        if (vehicle == null && !heard.takesOthers()) {
            return false;
        }
        return isTrusted(from, proof);
    }

    private boolean isTrusted(Peer from, Proof proof) {
        boolean isExpected = from.isExpected() && proof != Proof.SUSPECT;
        return isExpected || proof == Proof.SIGNED || vehicles.hasVehicleAt(from);
    }

    /** Takes a heartbeat of a sender that is not a known vehicle; returns the vehicle that has its system id now. */
    private @Nullable Vehicle onNewHeartbeat(
            PeerConversation from, FrameView frame, @Nullable Vehicle known, Proof proof, long now) {
        Heartbeat heartbeat = Heartbeat.decode(frame);
        return Autopilot.isAutopilot(frame.systemId(), frame.componentId(), heartbeat)
                ? onNewVehicle(from, frame, heartbeat, known, proof, now)
                : known;
    }

    /** Whether the frame belongs to a log that an earlier run left unfinished. Waiting for a heartbeat would cost a second. */
    private boolean isUnfinishedStream(FrameView frame) {
        return LogChunk.isIn(frame) && context.logs().isUnfinished(frame.systemId(), frame.componentId());
    }

    private @Nullable Vehicle onNewVehicle(
            PeerConversation from,
            FrameView frame,
            Heartbeat heartbeat,
            @Nullable Vehicle known,
            Proof proof,
            long now) {
        boolean isWanted = !shuttingDown && settings.admits(frame.systemId());
        boolean isFree = known == null ? proof != Proof.SUSPECT : known.isReplaceable(proof, now);
        if (!isWanted || !isFree) {
            return known;
        }
        if (!from.mayAddVehicle(now) || !(known != null || vehicles.makeRoom(from.peer(), now))) {
            counters.excessVehicles().increment();
            wasCrowded = true;
            crowdedNs = now;
            return known;
        }
        if (known != null) {
            vehicles.remove(known);
        }
        return add(from, frame, heartbeat, proof, now);
    }

    /** Returns the vehicle, or a new one if its autopilot turns out to be of another make. */
    private Vehicle current(Vehicle known, PeerConversation from, FrameView frame, Proof proof, long now) {
        Heartbeat heartbeat = Heartbeat.decode(frame);
        if (shuttingDown || !known.isOutdatedBy(heartbeat, now)) {
            return known;
        }
        vehicles.remove(known);
        return add(from, frame, heartbeat, proof, now);
    }

    private Vehicle add(PeerConversation from, FrameView frame, Heartbeat heartbeat, Proof proof, long now) {
        Vehicle vehicle = new Vehicle(context, frame, heartbeat, from.peer(), proof, now);
        vehicles.add(vehicle);
        lastStatusNs = now - STATUS_INTERVAL_NS; // it is shown with the next tick
        return vehicle;
    }

    @Override
    public void onRoundEnd() {
        if (forward != null) {
            forward.wakeRouter();
        }
    }

    @Override
    public void onTick(long now) {
        nowNs = now;
        onRoundEnd();
        vehicles.onTick(now);
        heard.onTick(now);
        heartbeats.sendIfDue(peers, now);
        if (!ticked || now - lastStatusNs >= STATUS_INTERVAL_NS) {
            lastStatusNs = now;
            statuses.set(vehicles.statuses(now));
            refusal.publish(gate.problem(now));
            crowd.publish(wasCrowded && now - crowdedNs < CROWDED_NS ? CROWDED : "");
        }
        ticked = true;
        publishRest();
    }

    private void publishRest() {
        boolean rest = true;
        for (int i = 0; i < vehicles.count(); i++) {
            rest &= vehicles.get(i).isAtRest();
        }
        atRest.set(rest);
    }

    @Override
    public boolean mayWait() {
        return forward == null && nobodyIsWaitedFor();
    }

    @Override
    public boolean mayWaitBriefly() {
        return forward != null && nobodyIsWaitedFor();
    }

    private boolean nobodyIsWaitedFor() {
        for (int i = 0; i < vehicles.count(); i++) {
            if (!vehicles.get(i).mayWait(nowNs)) {
                return false;
            }
        }
        return true;
    }

    /** Without an active conversation only the first heartbeat must be answered promptly, and in a stream only chunks. */
    @Override
    public boolean isUnhurried() {
        for (int i = 0; i < vehicles.count(); i++) {
            if (!vehicles.get(i).isUnhurried(nowNs)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable BulkRule bulk() {
        boolean mayLogDataWait = forward == null || !forward.sharesLogStream();
        return mayLogDataWait && vehicles.count() > 0 ? bulk : null;
    }
}
