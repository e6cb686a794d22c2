package org.mavlogd.simulate;

import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.MavCommand;

/**
 * A vehicle with both directions of its bad link, living through a {@link SimulationPlan}. Owned by one thread. Hot path.
 */
final class VehicleStation implements Station<SimulationReport>, StreamObserver {
    private static final int GROUND_STATION_SYSTEM = 255;
    private static final int GROUND_STATION_COMPONENT = 190;
    /** Time for the last frames to get through, when the log has ended. */
    private static final long FAREWELL_NS = 500_000_000;

    private final SimulationPlan plan;
    private final Px4Vehicle vehicle;
    private final LossyChannel toClient;
    private final LossyChannel toVehicle;
    private final FrameDecoder decoder;
    private final boolean datagrams;
    private final long startNs;
    private long nowNs;
    private boolean streamed;
    private long firstStreamNs;
    private boolean armed;
    private boolean disarmed;
    private boolean rebooted;
    private boolean stopped;
    private boolean ended;
    private long endNs;

    /** @param datagrams whether each call of {@link #onBytes} carries one datagram */
    VehicleStation(SimulationPlan plan, LogImage log, VehicleOutput wire, boolean datagrams, long nowNs) {
        this.plan = plan;
        this.datagrams = datagrams;
        this.nowNs = nowNs;
        startNs = nowNs;
        toClient = new LossyChannel(plan.toClient(), wire);
        toVehicle = new LossyChannel(plan.toVehicle(), this::decode);
        vehicle = new Px4Vehicle(plan.vehicle(), log, this::sendToClient, this, nowNs);
        decoder = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
    }

    @Override
    public void onBytes(byte[] buffer, int offset, int length, long newNowNs) {
        nowNs = newNowNs;
        toVehicle.send(buffer, offset, length, nowNs);
    }

    @Override
    public void onTick(long newNowNs) {
        nowNs = newNowNs;
        toVehicle.onTick(nowNs);
        vehicle.onTick(nowNs);
        toClient.onTick(nowNs);
        if (streamed) {
            followPlan(nowNs - firstStreamNs);
        }
    }

    @Override
    public void onConnection() {
        decoder.reset();
    }

    @Override
    public boolean isDone() {
        return (plan.durationNs() != SimulationPlan.NEVER && nowNs - startNs >= plan.durationNs())
                || (ended && nowNs - endNs >= FAREWELL_NS);
    }

    @Override
    public SimulationReport report(long unsent) {
        return new SimulationReport(vehicle.counters(), toClient.counters(), unsent);
    }

    @Override
    public void onSessionStart(byte[] header, long timeNs) {
        if (!streamed) {
            streamed = true;
            firstStreamNs = timeNs;
        }
    }

    private void decode(byte[] buffer, int offset, int length) {
        if (datagrams) {
            decoder.decodeDatagram(buffer, offset, length, nowNs);
        } else {
            decoder.decode(buffer, offset, length, nowNs);
        }
    }

    private void sendToClient(byte[] frame, int offset, int length) {
        toClient.send(frame, offset, length, nowNs);
    }

    private void followPlan(long sinceNs) {
        if (!armed && isTime(plan.armAtNs(), sinceNs)) {
            armed = true;
            vehicle.arm(nowNs);
        }
        if (!disarmed && isTime(plan.disarmAtNs(), sinceNs)) {
            disarmed = true;
            vehicle.disarm(nowNs);
        }
        if (!rebooted && isTime(plan.rebootAtNs(), sinceNs)) {
            rebooted = true;
            vehicle.reboot(nowNs);
        }
        if (!stopped && (isTime(plan.stopAtNs(), sinceNs) || (plan.endsWithLog() && vehicle.isAtLogEnd()))) {
            stopped = true;
            vehicle.commandElsewhere(MavCommand.LOGGING_STOP, GROUND_STATION_SYSTEM, GROUND_STATION_COMPONENT, nowNs);
        }
        if (!ended && stopped && plan.endsWithLog() && !vehicle.isStreaming()) {
            ended = true;
            endNs = nowNs;
        }
    }

    private static boolean isTime(long planNs, long sinceNs) {
        return planNs != SimulationPlan.NEVER && sinceNs >= planNs;
    }
}
