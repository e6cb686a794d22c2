package org.mavlogd.vehicle;

/** Our heartbeats on one link. Owned by the link's thread. */
final class OwnHeartbeats {
    // Spoken under this id until a vehicle is known.
    private static final int DEFAULT_SYSTEM_ID = 1;

    private final FrameSender sender;
    private final VehicleRoster vehicles;
    private final boolean forwards;

    /**
     * Heartbeats to the vehicles of a link.
     *
     * @param forwards whether ground stations may be behind it
     */
    OwnHeartbeats(FrameSender sender, VehicleRoster vehicles, boolean forwards) {
        this.sender = sender;
        this.vehicles = vehicles;
        this.forwards = forwards;
    }

    /**
     * One under the id of each vehicle there. A peer without any is told all ids of the link: it may be a router that
     * forgot us when it started again, and passes nothing on to ids it did not hear. Some vehicles stay silent until they
     * hear a heartbeat, so one goes out also when no vehicle is known. A ground station behind a link that forwards needs none.
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
                    // Of the two it takes what it understands.
                    sender.heartbeat(to.peer(), FrameSender.Version.V1, vehicle.systemId());
                }
            }
        }
        if (vehicles.count() == 0 && to.maySpeak()) {
            sender.heartbeat(to.peer(), FrameSender.Version.V2, DEFAULT_SYSTEM_ID);
        }
    }
}
