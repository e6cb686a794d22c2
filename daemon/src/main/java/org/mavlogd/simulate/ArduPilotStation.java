package org.mavlogd.simulate;

import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.LogBlockStatus;

/** A simulated ArduPilot with both directions of its bad link, living through a plan. Owned by one thread. */
final class ArduPilotStation implements Station<ArduPilotReport>, BlockObserver {
    private static final int GROUND_STATION_SYSTEM = 255;
    private static final int GROUND_STATION_COMPONENT = 190;
    /** Time for the last blocks to get through, and to be repeated, when the log has ended. */
    private static final long FAREWELL_NS = 1_000_000_000;

    private static final long ARM_AGAIN_NS = 1_000_000_000;

    private final ArduPilotPlan plan;
    private final ArduPilotVehicle vehicle;
    private final LossyChannel toClient;
    private final LossyChannel toVehicle;
    private final FrameDecoder decoder;
    private final boolean datagrams;
    private final long startNs;
    private long nowNs;
    private boolean streamed;
    private long firstStreamNs;
    private boolean armed;
    private long armTriedNs;
    private boolean disarmed;
    private boolean rebooted;
    private boolean stopped;
    private boolean ended;
    private long endNs;

    ArduPilotStation(ArduPilotPlan plan, DataFlashImage log, VehicleOutput wire, boolean datagrams, long nowNs) {
        this.plan = plan;
        this.datagrams = datagrams;
        this.nowNs = nowNs;
        this.startNs = nowNs;
        this.armTriedNs = nowNs;
        this.toClient = new LossyChannel(plan.toClient(), wire);
        this.toVehicle = new LossyChannel(plan.toVehicle(), this::decode);
        this.vehicle = new ArduPilotVehicle(plan.vehicle(), log, this::sendToClient, this, nowNs);
        this.decoder = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
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
    public ArduPilotReport report(long unsent) {
        return new ArduPilotReport(vehicle.counters(), toClient.counters(), unsent);
    }

    @Override
    public void onLogStart(long timeNs) {
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
        if (!armed && isTime(plan.armAtNs(), sinceNs) && nowNs - armTriedNs >= ARM_AGAIN_NS) {
            armTriedNs = nowNs;
            armed = vehicle.arm(nowNs);
        }
        if (!disarmed && isTime(plan.disarmAtNs(), sinceNs)) {
            disarmed = true;
            vehicle.disarm(nowNs);
        }
        if (!rebooted && isTime(plan.rebootAtNs(), sinceNs)) {
            rebooted = true;
            vehicle.reboot(nowNs);
        }
        if (!stopped && isTime(plan.stopAtNs(), sinceNs)) {
            stopped = true;
            vehicle.statusElsewhere(LogBlockStatus.STOP, GROUND_STATION_SYSTEM, GROUND_STATION_COMPONENT, nowNs);
        }
        if (!ended && plan.endsWithLog() && vehicle.isAtLogEnd()) {
            ended = true;
            endNs = nowNs;
        }
    }

    private static boolean isTime(long planNs, long sinceNs) {
        return planNs != SimulationPlan.NEVER && sinceNs >= planNs;
    }
}
