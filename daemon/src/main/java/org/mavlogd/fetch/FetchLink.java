package org.mavlogd.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.Links;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Proof;
import org.mavlogd.signing.Signing;

/**
 * A separate link for one conversation about logs: finds the vehicle, sends heartbeats, and runs the session. The
 * caller's thread only waits; everything else happens on the link's thread.
 */
public final class FetchLink implements LinkListener {
    private static final Heartbeat HEARTBEAT =
            new Heartbeat(Heartbeat.TYPE_ONBOARD_CONTROLLER, Heartbeat.AUTOPILOT_INVALID, 0, 0, Heartbeat.STATE_ACTIVE);
    private static final long HEARTBEAT_NS = 1_000_000_000;
    /** Heartbeats come once a second: after this time every vehicle has been heard. */
    private static final long SETTLE_NS = 1_300_000_000;

    private static final long HOLD_NS = 3_000_000_000L;
    private static final long POLL_NS = 20_000_000;
    private static final long STUCK_NS = 2_000_000_000;
    private static final long STOP_MS = 3000;
    private static final int FIRST_SYSTEM_ID = 1;
    private static final int MAX_PAYLOAD_LENGTH = 255;

    /**
     * Settings of the conversation.
     *
     * @param systemId the vehicle's, or 0 if only one is heard
     * @param ownComponentId mavlogd's component id
     * @param searchNs how long to wait for a vehicle
     * @param isBesideRecorder whether another program may be recording the vehicle's stream
     */
    public record Settings(
            int systemId, int ownComponentId, long searchNs, boolean isBesideRecorder, FetchSession.Wish wish) {
        /** While a PX4 computes a checksum it does not handle acks of its stream. */
        FetchSession.Wish wishFor(FetchTarget vehicle) {
            return isBesideRecorder && !vehicle.isArduPilot() ? wish.withoutChecksums() : wish;
        }
    }

    /** A peer with its decoder. */
    private static final class Speaker {
        private final Peer peer;
        private final FrameDecoder decoder;
        private boolean isHeard;

        Speaker(Peer peer, FetchLink link) {
            this.peer = peer;
            this.decoder =
                    new FrameDecoder((frame, nowNs) -> link.onFrame(this, frame, nowNs), FrameCounters.unregistered());
        }
    }

    /** A peer whose heartbeats are those of a vehicle. */
    private record Candidate(Speaker at, FetchTarget target, boolean isArmed) {}

    private final Settings settings;
    private final Signing.LinkParts signing;
    private final Function<FetchTarget, FetchClient> clients;
    private final Link link;
    private final FrameEncoder encoder;
    private final byte[] payload = new byte[MAX_PAYLOAD_LENGTH];
    private final byte[] bytes = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final List<Speaker> speakers = new ArrayList<>();
    private final TreeMap<Integer, Candidate> candidates = new TreeMap<>();
    private final long startNs = System.nanoTime();
    private final boolean waitsForOthers;
    private final boolean isSerial;
    private @Nullable Candidate vehicle;
    private @Nullable FetchSession session;
    private long refusedFrames;
    private boolean vehicleSigns;
    private long firstHeardNs;
    private long heardNs;
    private long heartbeatNs = startNs - HEARTBEAT_NS;
    private String refusal = "";
    private boolean stopping;
    private volatile boolean done;
    // Owned by the caller's thread.
    private boolean wasUp;
    private long lastFineNs = startNs;

    /** @param clients makes the client when the vehicle is found; on the link's thread */
    public FetchLink(
            LinkSettings settings,
            Settings wish,
            Signing.LinkParts signing,
            Function<FetchTarget, FetchClient> clients) {
        this(
                settings,
                wish,
                signing,
                clients,
                listener -> Links.create(settings, listener, LinkCounters.register(new Metrics(), settings.name())));
    }

    FetchLink(
            LinkSettings settings,
            Settings wish,
            Signing.LinkParts signing,
            Function<FetchTarget, FetchClient> clients,
            Function<LinkListener, Link> links) {
        this.settings = wish;
        this.signing = signing;
        this.clients = clients;
        this.encoder = new FrameEncoder(wish.ownComponentId(), signing.seal());
        this.waitsForOthers = settings instanceof LinkSettings.UdpListen || settings instanceof LinkSettings.TcpListen;
        this.isSerial = settings instanceof LinkSettings.SerialPort;
        this.link = links.apply(this);
    }

    /**
     * Runs until all logs are fetched or cannot be, or until the link closes after an internal error.
     *
     * @param stop called repeatedly; true ends the conversation early
     * @return why there was no conversation; empty if there was one, whose result the client has
     */
    public String run(BooleanSupplier stop) {
        try (link) {
            link.start();
            while (!done && !stop.getAsBoolean() && !isStuck() && !isClosed()) {
                LockSupport.parkNanos(POLL_NS);
            }
            return isClosed() ? broken() : stopOnLink();
        }
    }

    /** Before it starts, a link is closed without a reason. */
    private boolean isClosed() {
        Link.Status status = link.status();
        return status.state() == Link.Status.State.CLOSED && !status.detail().isEmpty();
    }

    private String broken() {
        return "link \"" + link.name() + "\": " + link.status().detail()
                + "; logs are fetched only in part, run the command again to continue";
    }

    private String stopOnLink() {
        CompletableFuture<String> result = new CompletableFuture<>();
        link.execute(() -> {
            stop(System.nanoTime());
            result.complete(refusal);
        });
        String answer =
                result.completeOnTimeout("", STOP_MS, TimeUnit.MILLISECONDS).join();
        return isClosed() ? broken() : answer;
    }

    /** A port that another program has, or that may not be opened, does not become available by waiting. */
    private boolean isStuck() {
        Link.Status status = link.status();
        wasUp |= status.state() == Link.Status.State.UP;
        if (wasUp || !isInTrouble(status.detail())) {
            lastFineNs = System.nanoTime();
            return false;
        }
        return System.nanoTime() - lastFineNs >= STUCK_NS;
    }

    private boolean isInTrouble(String detail) {
        // On a busy computer a link needs seconds to start.
        if (detail.isEmpty() || detail.equals("starting")) {
            return false;
        }
        return (waitsForOthers && !detail.startsWith("listening")) || (isSerial && !detail.endsWith("waiting"));
    }

    private void stop(long nowNs) {
        stopping = true;
        FetchSession running = session;
        if (running != null) {
            running.stop("stopped", nowNs);
        } else if (refusal.isEmpty()) {
            refusal = notFound();
        }
    }

    private String notFound() {
        if (refusedFrames > 0) {
            return "no vehicle was heard on link \"" + link.name() + "\": " + refusedFrames
                    + " frames are not signed with the key of section [signing]";
        }
        String detail = link.status().detail();
        return "no vehicle was heard on link \"" + link.name() + '"' + (detail.isEmpty() ? "" : " (" + detail + ")");
    }

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        Speaker speaker = new Speaker(peer, this);
        speakers.add(speaker);
        if (peer.isExpected()) {
            heartbeat(speaker);
        }
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
        for (Speaker speaker : speakers) {
            if (speaker.peer == peer) {
                if (peer.isDatagram()) {
                    speaker.decoder.decodeDatagram(buffer, offset, length, nowNs);
                } else {
                    speaker.decoder.decode(buffer, offset, length, nowNs);
                }
                return;
            }
        }
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        speakers.removeIf(speaker -> speaker.peer == peer);
        candidates.values().removeIf(candidate -> candidate.at().peer == peer);
    }

    private void onFrame(Speaker from, FrameView frame, long nowNs) {
        Proof proof = signing.gate().judge(frame, nowNs);
        if (proof == Proof.REFUSED) {
            refusedFrames++;
            return;
        }
        if (!from.isHeard) {
            // Also after a frame with an old signature: the signature of our heartbeat gives the time to a vehicle
            // without a clock.
            from.isHeard = true;
            heartbeat(from);
        }
        if (proof.isGood() && proof != Proof.SUSPECT) {
            take(from, frame, nowNs);
        }
    }

    private void take(Speaker from, FrameView frame, long nowNs) {
        Candidate chosen = vehicle;
        if (chosen == null) {
            if (frame.messageId() == MessageIds.HEARTBEAT) {
                onCandidate(from, frame, nowNs);
            }
        } else if (isOf(chosen.target(), frame)) {
            onVehicleFrame(chosen, from, frame, nowNs);
        }
    }

    private static boolean isOf(FetchTarget target, FrameView frame) {
        return frame.systemId() == target.systemId() && frame.componentId() == target.componentId();
    }

    private void onCandidate(Speaker from, FrameView frame, long nowNs) {
        Heartbeat heartbeat = Heartbeat.decode(frame);
        boolean isWanted = settings.systemId() == 0 || settings.systemId() == frame.systemId();
        if (!isWanted || frame.systemId() == 0 || !FetchTarget.isSupported(heartbeat.autopilot())) {
            return;
        }
        if (candidates.isEmpty()) {
            firstHeardNs = nowNs;
        }
        FetchTarget target = new FetchTarget(
                frame.systemId(), frame.componentId(), heartbeat.autopilot(), settings.ownComponentId());
        candidates.put(frame.systemId(), new Candidate(from, target, heartbeat.isArmed()));
    }

    private void onVehicleFrame(Candidate chosen, Speaker from, FrameView frame, long nowNs) {
        if (from != chosen.at()) {
            boolean isGone = !speakers.contains(chosen.at()) || nowNs - heardNs >= HOLD_NS;
            if (!isGone) {
                return; // the same vehicle at another peer, or a forged one
            }
            vehicle = new Candidate(from, chosen.target(), chosen.isArmed());
        }
        heardNs = nowNs;
        vehicleSigns |= frame.isSigned();
        FetchSession running = session;
        if (running != null) {
            running.onFrame(frame, nowNs);
        }
    }

    @Override
    public void onTick(long nowNs) {
        if (nowNs - heartbeatNs >= HEARTBEAT_NS) {
            heartbeatNs = nowNs;
            for (Speaker speaker : speakers) {
                if (speaker.peer.isExpected() || speaker.isHeard) {
                    heartbeat(speaker);
                }
            }
        }
        FetchSession running = session;
        if (running != null) {
            running.onTick(nowNs);
            done = running.isAtRest(nowNs);
        } else if (!done && !stopping) {
            search(nowNs);
        }
    }

    private void search(long nowNs) {
        if (candidates.isEmpty()) {
            if (nowNs - startNs >= settings.searchNs()) {
                refuse(notFound());
            }
        } else if (settings.systemId() != 0 || nowNs - firstHeardNs >= SETTLE_NS) {
            choose(nowNs);
        }
    }

    private void choose(long nowNs) {
        if (candidates.size() > 1) {
            String ids = candidates.keySet().stream().map(Object::toString).collect(Collectors.joining(", "));
            refuse("several vehicles are there: choose one of " + ids + " by --vehicle");
            return;
        }
        Candidate only = Objects.requireNonNull(candidates.firstEntry()).getValue();
        if (only.isArmed()) {
            refuse(only.target().text() + " is armed: logs are fetched only while it is disarmed");
            return;
        }
        vehicle = only;
        heardNs = nowNs;
        FetchTarget target = only.target();
        session = new FetchSession(
                target,
                settings.wishFor(target),
                this::sendToVehicle,
                clients.apply(target),
                MemoryShare.unlimited(), // the program does nothing else
                nowNs);
    }

    private void refuse(String why) {
        refusal = why;
        done = true;
    }

    /**
     * Whether the vehicle signs its frames and this program does not, so that the vehicle may refuse them. For the
     * caller, after the run.
     */
    public boolean isSpokenToUnsigned() {
        return vehicleSigns && !signing.seal().isSigning();
    }

    private void heartbeat(Speaker to) {
        Candidate chosen = vehicle;
        int systemId = chosen == null
                ? candidates.isEmpty() ? FIRST_SYSTEM_ID : candidates.firstKey()
                : chosen.target().systemId();
        send(to.peer, systemId, MessageIds.HEARTBEAT, payload, HEARTBEAT.encodePayload(payload));
    }

    private void sendToVehicle(int messageId, byte[] content, int length) {
        Candidate chosen = Objects.requireNonNull(vehicle);
        if (speakers.contains(chosen.at())) {
            send(chosen.at().peer, chosen.target().systemId(), messageId, content, length);
        }
    }

    private void send(Peer to, int systemId, int messageId, byte[] content, int length) {
        int frameLength = encoder.encode(systemId, messageId, content, length, bytes, 0);
        to.send(bytes, 0, frameLength);
    }

    @Override
    public boolean mayWait() {
        return false;
    }
}
