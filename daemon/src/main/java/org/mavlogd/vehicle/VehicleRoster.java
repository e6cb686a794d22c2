package org.mavlogd.vehicle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/**
 * The vehicles of one link. Every sender of heartbeats can forge vehicles, so their number is bounded, and one peer
 * cannot fill all places. If all places are taken, a new vehicle may replace one that never answered, or that has been
 * silent for a minute. Owned by the link's thread.
 */
final class VehicleRoster {
    static final int MAX_VEHICLES = 48;
    static final int MAX_VEHICLES_PER_PEER = 24;

    private static final int SYSTEM_IDS = 256;
    // By then a real vehicle has answered START.
    private static final long PROBATION_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LONG_SILENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final @Nullable Vehicle[] bySystemId = new Vehicle[SYSTEM_IDS];
    private final List<Vehicle> vehicles = new ArrayList<>();

    @Nullable
    Vehicle find(int systemId) {
        return bySystemId[systemId];
    }

    int count() {
        return vehicles.size();
    }

    Vehicle get(int index) {
        return vehicles.get(index);
    }

    List<VehicleStatus> statuses(long nowNs) {
        return vehicles.stream().map(vehicle -> vehicle.status(nowNs)).toList();
    }

    /** Runs the tick of each vehicle. */
    void onTick(long nowNs) {
        for (int i = 0; i < vehicles.size(); i++) {
            Vehicle vehicle = vehicles.get(i);
            vehicle.onTick(nowNs);
            // At each tick, because removing another vehicle at the same peer resets the peer's rank.
            vehicle.peer().rank(Peer.Rank.VEHICLE);
        }
    }

    boolean hasVehicleAt(Peer peer) {
        return countAt(peer) > 0;
    }

    /** Whether a new vehicle at that peer can be added; removes another one if necessary. */
    boolean makeRoom(Peer from, long nowNs) {
        boolean peerIsFull = countAt(from) >= MAX_VEHICLES_PER_PEER;
        if (!peerIsFull && vehicles.size() < MAX_VEHICLES) {
            return true;
        }
        // A peer with too many vehicles can only replace its own.
        for (int i = 0; i < vehicles.size(); i++) {
            Vehicle vehicle = vehicles.get(i);
            if ((!peerIsFull || vehicle.peer() == from) && isDispensable(vehicle, nowNs)) {
                remove(vehicle);
                return true;
            }
        }
        return false;
    }

    private static boolean isDispensable(Vehicle vehicle, long nowNs) {
        return vehicle.isMadeUp(nowNs, PROBATION_NS)
                || (vehicle.isAtRest() && vehicle.isSilent(nowNs, LONG_SILENCE_NS));
    }

    void add(Vehicle vehicle) {
        vehicles.add(vehicle);
        bySystemId[vehicle.systemId()] = vehicle;
    }

    void remove(Vehicle vehicle) {
        vehicles.remove(vehicle);
        bySystemId[vehicle.systemId()] = null;
        vehicle.leave();
    }

    private int countAt(Peer peer) {
        int count = 0;
        for (int i = 0; i < vehicles.size(); i++) {
            count += vehicles.get(i).peer() == peer ? 1 : 0;
        }
        return count;
    }
}
