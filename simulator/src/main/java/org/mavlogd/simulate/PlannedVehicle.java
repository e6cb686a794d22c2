package org.mavlogd.simulate;

import java.util.function.LongConsumer;
import org.mavlogd.mavlink.FrameView;

/** A simulated vehicle as the plan of its {@link VehicleStation} moves it, whatever its make; {@code R} tells what came of it. */
public interface PlannedVehicle<R> {
    /** Makes a vehicle. */
    @FunctionalInterface
    interface Maker<R> {
        /**
         * A vehicle that boots now.
         *
         * @param onStream to be told the time at which a stream begins
         */
        PlannedVehicle<R> make(VehicleOutput output, LongConsumer onStream, long nowNs);
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

    R report(LossCounters channel, long unsent);
}
