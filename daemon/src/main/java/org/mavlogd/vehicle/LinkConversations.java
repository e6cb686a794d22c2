package org.mavlogd.vehicle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.link.LinkListener;
import org.mavlogd.link.Peer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.px4.Px4Counters;

/**
 * All that is said on one link: finds vehicles by their heartbeats, sends ours, and leads each vehicle's log conversation.
 *
 * <p>Owned by the link's thread; {@link #statuses} and {@link #isAtRest} may be read by any. Taking bytes is on the hot
 * path.
 */
public final class LinkConversations implements LinkListener {
    private static final int SYSTEM_IDS = 256;
    // Spoken under this id until a vehicle is known.
    private static final int DEFAULT_SYSTEM_ID = 1;
    private static final long HEARTBEAT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STATUS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    // Another component may take a vehicle's place when the autopilot was silent for so long.
    private static final long REPLACE_SILENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /** Stands for a far end that is gone: what is sent to it is lost, as on any dead link. */
    private enum Nobody implements Peer {
        NOBODY;

        @Override
        public String address() {
            return "nowhere";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {}
    }

    private final String link;
    private final ConversationSettings settings;
    private final FrameSender sender;
    private final LinkContext context;
    private final FrameCounters frameCounters;
    private final Counter unknownVehicleChunks;

    private final List<PeerConversation> peers = new ArrayList<>();
    private final @Nullable Vehicle[] bySystemId = new Vehicle[SYSTEM_IDS];
    private final List<Vehicle> vehicles = new ArrayList<>();
    private final Latest<List<VehicleStatus>> statuses = new Latest<>(List.of());
    private final Latest<Boolean> atRest = new Latest<>(true);

    private int lastSession;
    private boolean shuttingDown;
    private boolean ticked;
    private long lastHeartbeatNs;
    private long lastStatusNs;
    private long nowNs;

    public LinkConversations(
            String link,
            ConversationSettings settings,
            VehicleClaims claims,
            FeedPublisher publisher,
            Metrics metrics) {
        this.link = link;
        this.settings = settings;
        this.sender = new FrameSender(settings.ownComponentId());
        this.context = new LinkContext(
                link, settings, claims, sender, publisher, () -> ++lastSession, new Px4Counters(metrics, link));
        this.frameCounters = FrameCounters.register(metrics, link);
        this.unknownVehicleChunks = metrics.counter(
                "px4.unknown.vehicle.chunks", "Log chunks of senders that no heartbeat made known", "link", link);
    }

    /** The vehicles heard so far, a quarter of a second old at most. Any thread. */
    public List<VehicleStatus> statuses() {
        return statuses.get();
    }

    /** Whether no conversation is under way. Any thread. */
    public boolean isAtRest() {
        return atRest.get();
    }

    /** The program is going to end: logs that we asked for are stopped. Link's thread. */
    public void shutDown() {
        shuttingDown = true;
        for (Vehicle vehicle : vehicles) {
            vehicle.shutDown(nowNs);
        }
        publishRest();
    }

    @Override
    public void onPeerUp(Peer peer, long now) {
        nowNs = now;
        peers.add(new PeerConversation(peer, this, frameCounters));
        sendHeartbeats(peer);
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
    public void onPeerDown(Peer peer, long now) {
        nowNs = now;
        peers.removeIf(conversation -> conversation.peer() == peer);
        for (Vehicle vehicle : vehicles) {
            vehicle.onPeerDown(peer, Nobody.NOBODY);
        }
    }

    void onFrame(PeerConversation from, FrameView frame, long now) {
        int messageId = frame.messageId();
        Vehicle vehicle = bySystemId[frame.systemId()];
        if (messageId == MessageIds.HEARTBEAT) {
            vehicle = onHeartbeat(from.peer(), frame, vehicle, now);
        }
        if (vehicle != null && frame.componentId() == vehicle.componentId()) {
            vehicle.onFrame(from.peer(), frame, from.chunk(frame), now);
        } else if (messageId == MessageIds.LOGGING_DATA || messageId == MessageIds.LOGGING_DATA_ACKED) {
            unknownVehicleChunks.increment();
        }
    }

    private @Nullable Vehicle onHeartbeat(Peer from, FrameView frame, @Nullable Vehicle known, long now) {
        Heartbeat heartbeat = Heartbeat.decode(frame);
        if (!Autopilots.isAutopilot(frame.systemId(), frame.componentId(), heartbeat)) {
            return known;
        }
        if (known != null && known.componentId() == frame.componentId()) {
            known.onHeartbeat(heartbeat, now);
            return known;
        }
        boolean replaceable = known == null || (known.isAtRest() && known.isSilent(now, REPLACE_SILENCE_NS));
        if (shuttingDown || !replaceable || !settings.admits(frame.systemId())) {
            return known;
        }
        Vehicle vehicle = new Vehicle(context, frame, heartbeat, from, now);
        if (known != null) {
            vehicles.remove(known);
        }
        vehicles.add(vehicle);
        bySystemId[vehicle.systemId()] = vehicle;
        return vehicle;
    }

    @Override
    public void onTick(long now) {
        nowNs = now;
        for (int i = 0; i < vehicles.size(); i++) {
            vehicles.get(i).onTick(now);
        }
        if (!ticked || now - lastHeartbeatNs >= HEARTBEAT_INTERVAL_NS) {
            lastHeartbeatNs = now;
            for (int i = 0; i < peers.size(); i++) {
                sendHeartbeats(peers.get(i).peer());
            }
        }
        if (!ticked || now - lastStatusNs >= STATUS_INTERVAL_NS) {
            lastStatusNs = now;
            statuses.set(vehicles.stream().map(vehicle -> vehicle.status(now)).toList());
        }
        ticked = true;
        publishRest();
    }

    private void publishRest() {
        boolean rest = true;
        for (int i = 0; i < vehicles.size(); i++) {
            rest &= vehicles.get(i).isAtRest();
        }
        atRest.set(rest);
    }

    /**
     * One under the id of each vehicle there. A far end without any is told all ids of the link: it may be a router that
     * forgot us when it started anew, and passes nothing on to ids it did not hear. Some vehicles stay silent until they
     * hear a heartbeat, so one goes out also when no vehicle is known.
     */
    private void sendHeartbeats(Peer to) {
        boolean hasVehicle = false;
        for (int i = 0; i < vehicles.size(); i++) {
            hasVehicle |= vehicles.get(i).peer() == to;
        }
        for (int i = 0; i < vehicles.size(); i++) {
            if (!hasVehicle || vehicles.get(i).peer() == to) {
                sender.heartbeat(to, vehicles.get(i).systemId());
            }
        }
        if (vehicles.isEmpty()) {
            sender.heartbeat(to, DEFAULT_SYSTEM_ID);
        }
    }

    @Override
    public boolean mayWait() {
        for (int i = 0; i < vehicles.size(); i++) {
            if (!vehicles.get(i).mayWait(nowNs)) {
                return false;
            }
        }
        return true;
    }
}
