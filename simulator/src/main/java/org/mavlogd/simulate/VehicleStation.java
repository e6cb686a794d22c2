package org.mavlogd.simulate;

import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;

/**
 * A simulated vehicle with both directions of its bad link, controlled by a {@link Plan}. Owned by one thread. Hot
 * path.
 *
 * @param <C> counters of the vehicle
 */
public final class VehicleStation<C extends PlannedVehicle.Counters> {
    private static final int GROUND_STATION_SYSTEM = 255;
    private static final int GROUND_STATION_COMPONENT = 190;

    private final Plan<?> plan;
    private final PlannedVehicle<C> vehicle;
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

    /** Creates a station on a link. */
    @FunctionalInterface
    public interface Maker<C extends PlannedVehicle.Counters> {
        /**
         * Creates a station that starts now.
         *
         * @param datagrams whether each call of {@link VehicleStation#onBytes} has one datagram
         */
        VehicleStation<C> make(VehicleOutput wire, boolean datagrams, long nowNs);
    }

    public VehicleStation(
            Plan<?> plan, PlannedVehicle.Maker<C> maker, VehicleOutput wire, boolean datagrams, long nowNs) {
        this.plan = plan;
        this.datagrams = datagrams;
        this.nowNs = nowNs;
        startNs = nowNs;
        toClient = new LossyChannel(plan.toClient(), wire);
        toVehicle = new LossyChannel(plan.toVehicle(), this::decode);
        vehicle = maker.make(this::sendToClient, this::onStream, nowNs);
        decoder = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
    }

    /** Bytes from the client. */
    public void onBytes(byte[] buffer, int offset, int length, long newNowNs) {
        nowNs = newNowNs;
        toVehicle.send(buffer, offset, length, nowNs);
    }

    public void onTick(long newNowNs) {
        nowNs = newNowNs;
        toVehicle.onTick(nowNs);
        vehicle.onTick(nowNs);
        toClient.onTick(nowNs);
        if (streamed) {
            followPlan(nowNs - firstStreamNs);
        }
    }

    /** The client was replaced or reconnected: an incomplete frame is discarded. */
    public void onConnection() {
        decoder.reset();
    }

    public boolean isDone() {
        return (plan.durationNs() != Plan.NEVER && nowNs - startNs >= plan.durationNs())
                || (ended && nowNs - endNs >= vehicle.farewellNs());
    }

    /**
     * The result so far.
     *
     * @param unsent frames that the socket or the device did not accept
     */
    public PlannedVehicle.Report<C> report(long unsent) {
        return new PlannedVehicle.Report<>(vehicle.counters(), toClient.counters(), unsent);
    }

    private void onStream(long timeNs) {
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
        if (!stopped && (isTime(plan.stopAtNs(), sinceNs) || (plan.endsWithLog() && vehicle.awaitsStop()))) {
            stopped = true;
            vehicle.stopElsewhere(GROUND_STATION_SYSTEM, GROUND_STATION_COMPONENT, nowNs);
        }
        if (!ended && plan.endsWithLog() && vehicle.isLogOver()) {
            ended = true;
            endNs = nowNs;
        }
    }

    private static boolean isTime(long planNs, long sinceNs) {
        return planNs != Plan.NEVER && sinceNs >= planNs;
    }

    /**
     * The events of a simulation.
     *
     * @param <V> settings of the vehicle's make
     * @param vehicle settings of the vehicle
     * @param toClient treatment of its frames
     * @param toVehicle treatment of the frames to it
     * @param armAtNs time from which it is armed as soon as it accepts; like the next three, counted from the start of
     *     the first stream; {@link #NEVER} for never
     * @param disarmAtNs see above
     * @param rebootAtNs see above
     * @param stopAtNs time at which a command on another of the vehicle's links stops the stream; see above
     * @param durationNs of the complete run, counted from its start; {@link #NEVER} for no end
     * @param endsWithLog whether the stream is stopped, and the run ends, when the log has been played
     */
    public record Plan<V>(
            V vehicle,
            LossySettings toClient,
            LossySettings toVehicle,
            long armAtNs,
            long disarmAtNs,
            long rebootAtNs,
            long stopAtNs,
            long durationNs,
            boolean endsWithLog) {
        /** A time that never comes. */
        public static final long NEVER = -1;
    }
}
