package org.mavlogd.whole;

import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.simulate.LogImage;
import org.mavlogd.simulate.LossyChannel;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.Px4Settings;
import org.mavlogd.simulate.Px4Vehicle;

/** A simulated vehicle, a bad channel each way, and the whole recorder, all in one thread and on one virtual clock. */
public final class SimulatedFlight {
    private static final long MAX_STEP_NS = 5 * WholeRecorder.MILLISECOND_NS;

    private final StreamTruth truth = new StreamTruth();
    private final WholeRecorder.Setup setup;
    private WholeRecorder recorder;
    private boolean killed;
    private final Px4Vehicle vehicle;
    private final LossyChannel down;
    private final LossyChannel up;
    private final FrameDecoder tap = new FrameDecoder(this::onArrival, FrameCounters.unregistered());
    private final FrameDecoder vehicleDecoder = new FrameDecoder(this::onCommand, FrameCounters.unregistered());
    private long nowNs;

    public SimulatedFlight(
            WholeRecorder.Setup setup,
            LogImage log,
            Px4Settings vehicleSettings,
            LossySettings down,
            LossySettings up) {
        this.setup = setup;
        this.recorder = new WholeRecorder(setup, (frame, offset, length) -> toVehicle(frame, offset, length));
        this.nowNs = recorder.nowNs();
        this.down = new LossyChannel(down, this::toRecorder);
        this.up = new LossyChannel(up, this::intoVehicle);
        this.vehicle = new Px4Vehicle(
                vehicleSettings,
                log,
                (frame, offset, length) -> this.down.send(frame, offset, length, nowNs),
                truth,
                nowNs);
    }

    public StreamTruth truth() {
        return truth;
    }

    public WholeRecorder recorder() {
        return recorder;
    }

    public Px4Vehicle vehicle() {
        return vehicle;
    }

    public long nowNs() {
        return nowNs;
    }

    /** As with kill -9: only what is on the disk stays. */
    void kill() {
        killed = true;
    }

    /** A new run, on the disk as the killed one left it. */
    void restart() {
        killed = false;
        recorder = new WholeRecorder(setup.on(recorder.disk().afterCrash()), this::toVehicle, nowNs);
    }

    /** While cut, nothing passes in either direction. */
    public void cut(boolean isCut) {
        down.cut(isCut);
        up.cut(isCut);
    }

    /** Lets everything happen that is due until then. */
    public void runUntil(long timeNs) {
        while (timeNs - nowNs > 0) {
            long next = earliest(timeNs, vehicle.dueNs(nowNs), down.dueNs(timeNs), up.dueNs(timeNs));
            nowNs = Math.max(nowNs + 1, next);
            if (!killed) {
                recorder.advanceTo(nowNs);
            }
            vehicle.onTick(nowNs);
            down.onTick(nowNs);
            up.onTick(nowNs);
        }
    }

    /** As after SIGTERM: what the vehicle still has is taken, then everything is finished. */
    public void finish(long patienceNs) {
        recorder.shutDown();
        long deadlineNs = nowNs + patienceNs;
        while (!recorder.isAtRest() && deadlineNs - nowNs > 0) {
            runUntil(nowNs + MAX_STEP_NS);
        }
        recorder.close();
    }

    private long earliest(long... timesNs) {
        long earliest = nowNs + MAX_STEP_NS;
        for (long timeNs : timesNs) {
            earliest = timeNs - earliest < 0 ? timeNs : earliest;
        }
        return earliest;
    }

    private void toRecorder(byte[] frame, int offset, int length) {
        if (killed) {
            return;
        }
        tap.decodeDatagram(frame, offset, length, nowNs);
        recorder.receive(frame, offset, length);
    }

    private void onArrival(FrameView frame, long now) {
        if (frame.messageId() == LogChunkLayout.LOGGING_DATA
                || frame.messageId() == LogChunkLayout.LOGGING_DATA_ACKED) {
            byte[] data = new byte[frame.uint8(LogChunkLayout.LENGTH_OFFSET)];
            frame.copyPayload(LogChunkLayout.DATA_OFFSET, data, 0, data.length);
            truth.onArrival(frame.uint16(LogChunkLayout.SEQUENCE_OFFSET), data);
        }
    }

    private void toVehicle(byte[] frame, int offset, int length) {
        up.send(frame, offset, length, nowNs);
    }

    private void intoVehicle(byte[] frame, int offset, int length) {
        vehicleDecoder.decodeDatagram(frame, offset, length, nowNs);
    }

    private void onCommand(FrameView frame, long now) {
        vehicle.onFrame(frame, now);
    }
}
