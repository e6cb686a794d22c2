package org.mavlogd.simulate;

import java.util.function.LongConsumer;
import org.mavlogd.mavlink.FrameView;

/**
 * A simulated vehicle as the plan of its {@link VehicleStation} moves it, whatever its make.
 *
 * @param <C> what it counts
 */
public interface PlannedVehicle<C extends PlannedVehicle.Counters> {
    /** Counts what a vehicle did. */
    interface Counters {
        /** One line for people. */
        String summary();

        /** Whether a recorder took its stream. */
        boolean isTaken();
    }

    /**
     * What came of a simulation.
     *
     * @param vehicle what the vehicle did
     * @param channel what happened to its frames on their way
     * @param unsent frames that the socket or the device did not take
     */
    record Report<C extends Counters>(C vehicle, LossyChannel.Counters channel, long unsent) {
        /** One line for people. */
        public String summary() {
            return vehicle.summary() + "; channel: " + channel.summary() + "; unsent " + unsent;
        }
    }

    /** Makes a vehicle. */
    @FunctionalInterface
    interface Maker<C extends Counters> {
        /**
         * A vehicle that boots now.
         *
         * @param onStream to be told the time at which a stream begins
         */
        PlannedVehicle<C> make(VehicleOutput output, LongConsumer onStream, long nowNs);
    }

    void onFrame(FrameView frame, long nowNs);

    void onTick(long nowNs);

    /** False when it is not armed yet, and must be asked again. */
    boolean arm(long nowNs);

    void disarm(long nowNs);

    void reboot(long nowNs);

    /** Somebody on another of the vehicle's links stops the stream. */
    void stopElsewhere(int senderSystem, int senderComponent, long nowNs);

    /** Whether all of the log has been streamed, and only a stop brings the rest. */
    boolean awaitsStop();

    /** Whether all of the log has been streamed, the rest included. */
    boolean isLogOver();

    /** Time for the last frames to get through when the log is over. */
    long farewellNs();

    C counters();
}
