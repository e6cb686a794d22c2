package org.mavlogd.vehicle;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends mavlogd's heartbeats on one link. Owned by the link's thread. */
final class OwnHeartbeats {
    // One second, with a margin because ticks come at most twice a second.
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(950);
    // System id of mavlogd's heartbeats until a vehicle is known.
    private static final int DEFAULT_SYSTEM_ID = 1;

    private final FrameSender sender;
    private final VehicleRoster vehicles;
    private final boolean forwards;
    private boolean hasSent;
    private long lastNs;

    /**
     * Sends heartbeats to the vehicles of a link.
     *
     * @param forwards whether ground stations may be behind the link
     */
    OwnHeartbeats(FrameSender sender, VehicleRoster vehicles, boolean forwards) {
        this.sender = sender;
        this.vehicles = vehicles;
        this.forwards = forwards;
    }

    /** Sends them to all peers once a second. */
    void sendIfDue(List<PeerConversation> peers, long nowNs) {
        if (hasSent && nowNs - lastNs < INTERVAL_NS) {
            return;
        }
        hasSent = true;
        lastNs = nowNs;
        for (int i = 0; i < peers.size(); i++) {
            send(peers.get(i));
        }
    }

    /**
     * Sends one heartbeat under the id of each vehicle at this peer. A peer without a vehicle gets the ids of all
     * vehicles of the link: it may be a router that restarted, and a router passes on only what is addressed to ids
     * that it has seen. Some vehicles are silent until they receive a heartbeat, so one is sent also if no vehicle is
     * known. A ground station behind a link that forwards needs none.
     */
    void send(PeerConversation to) {
        boolean hasVehicle = vehicles.hasVehicleAt(to.peer());
        if (forwards && to.hasSpoken() && !hasVehicle) {
            return;
        }
        for (int i = 0; i < vehicles.count(); i++) {
            Vehicle vehicle = vehicles.get(i);
            if (hasVehicle ? vehicle.peer() == to.peer() : to.maySpeak()) {
                sender.heartbeat(to.peer(), FrameSender.Version.V2, vehicle.systemId());
                if (vehicle.version() == FrameSender.Version.V1) {
                    // Sent in both versions; the vehicle takes the one that it understands.
                    sender.heartbeat(to.peer(), FrameSender.Version.V1, vehicle.systemId());
                }
            }
        }
        if (vehicles.count() == 0 && to.maySpeak()) {
            sender.heartbeat(to.peer(), FrameSender.Version.V2, DEFAULT_SYSTEM_ID);
        }
    }
}
