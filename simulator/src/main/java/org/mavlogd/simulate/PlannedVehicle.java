package org.mavlogd.simulate;

import java.util.function.LongConsumer;
import org.mavlogd.mavlink.FrameView;

/**
 * A simulated vehicle of any make, controlled by the plan of its {@link VehicleStation}.
 *
 * @param <C> its counters
 */
public interface PlannedVehicle<C extends PlannedVehicle.Counters> {
    /** Counts the activity of a vehicle. */
    interface Counters {
        /** One line for people. */
        String summary();

        /** Whether a recorder received its stream. */
        boolean isTaken();
    }

    /**
     * The result of a simulation.
     *
     * @param vehicle counters of the vehicle
     * @param channel counters of the channel for its frames
     * @param unsent frames that the socket or the device did not accept
     */
    record Report<C extends Counters>(C vehicle, LossyChannel.Counters channel, long unsent) {
        /** One line for people. */
        public String summary() {
            return vehicle.summary() + "; channel: " + channel.summary() + "; unsent " + unsent;
        }
    }

    /** Creates a vehicle. */
    @FunctionalInterface
    interface Maker<C extends Counters> {
        /**
         * Creates a vehicle that boots now.
         *
         * @param onStream receives the time at which a stream starts
         */
        PlannedVehicle<C> make(VehicleOutput output, LongConsumer onStream, long nowNs);
    }

    void onFrame(FrameView frame, long nowNs);

    void onTick(long nowNs);

    /** Arms the vehicle; false if it refuses and must be asked again. */
    boolean arm(long nowNs);

    void disarm(long nowNs);

    void reboot(long nowNs);

    /** Stops the stream by a command on another of the vehicle's links. */
    void stopElsewhere(int senderSystem, int senderComponent, long nowNs);

    /** Whether the complete log has been streamed, and only a stop brings the final data. */
    boolean awaitsStop();

    /** Whether the complete log has been streamed, including the final data. */
    boolean isLogOver();

    /** Time for the last frames to arrive after the end of the log. */
    long farewellNs();

    C counters();
}
