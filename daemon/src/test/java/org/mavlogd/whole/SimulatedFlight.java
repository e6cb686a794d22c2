package org.mavlogd.whole;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Vehicle;

/** The virtual flight of a simulated PX4. */
public final class SimulatedFlight extends VirtualFlight {
    private final StreamTruth truth = new StreamTruth();
    private final Px4Vehicle vehicle;

    public SimulatedFlight(
            WholeRecorder.Setup setup,
            LogImage log,
            Px4Settings vehicleSettings,
            LossySettings down,
            LossySettings up) {
        super(setup, down, up);
        this.vehicle = new Px4Vehicle(vehicleSettings, log, this::fromVehicle, truth, nowNs());
    }

    public StreamTruth truth() {
        return truth;
    }

    public Px4Vehicle vehicle() {
        return vehicle;
    }

    @Override
    long vehicleDueNs(long timeNs) {
        return vehicle.dueNs(timeNs);
    }

    @Override
    void tickVehicle(long timeNs) {
        vehicle.onTick(timeNs);
    }

    @Override
    void intoVehicle(FrameView frame, long timeNs) {
        vehicle.onFrame(frame, timeNs);
    }

    @Override
    void onArrival(FrameView frame) {
        if (frame.messageId() == LogChunkLayout.LOGGING_DATA
                || frame.messageId() == LogChunkLayout.LOGGING_DATA_ACKED) {
            byte[] data = new byte[frame.uint8(LogChunkLayout.LENGTH_OFFSET)];
            frame.copyPayload(LogChunkLayout.DATA_OFFSET, data, 0, data.length);
            truth.onArrival(frame.uint16(LogChunkLayout.SEQUENCE_OFFSET), data);
        }
    }
}
