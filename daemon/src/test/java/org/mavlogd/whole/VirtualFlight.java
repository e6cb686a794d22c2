package org.mavlogd.whole;

import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.simulate.LossyChannel;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.store.FakeDisk;

/**
 * A simulated vehicle, a bad channel in each direction, and the whole recorder, in one thread and on one virtual clock.
 */
public abstract sealed class VirtualFlight permits SimulatedFlight, ArduPilotFlight {
    private static final long MAX_STEP_NS = 5 * WholeRecorder.MILLISECOND_NS;

    private final WholeRecorder.Setup setup;
    private final LossyChannel down;
    private final LossyChannel up;
    private final FrameDecoder tap = new FrameDecoder((frame, now) -> onArrival(frame), FrameCounters.unregistered());
    private final FrameDecoder vehicleDecoder = new FrameDecoder(this::intoVehicle, FrameCounters.unregistered());
    private WholeRecorder recorder;
    private boolean killed;
    private long nowNs;

    VirtualFlight(WholeRecorder.Setup setup, LossySettings down, LossySettings up) {
        this.setup = setup;
        this.recorder = new WholeRecorder(setup, this::toVehicle);
        this.nowNs = recorder.nowNs();
        this.down = new LossyChannel(down, this::toRecorder);
        this.up = new LossyChannel(
                up, (frame, offset, length) -> vehicleDecoder.decodeDatagram(frame, offset, length, nowNs));
    }

    /** The time of the vehicle's next action. */
    abstract long vehicleDueNs(long timeNs);

    abstract void tickVehicle(long timeNs);

    /** A frame of the recorder reaches the vehicle. */
    abstract void intoVehicle(FrameView frame, long timeNs);

    /** A frame of the vehicle reaches a running recorder. */
    abstract void onArrival(FrameView frame);

    public final WholeRecorder recorder() {
        return recorder;
    }

    public final long nowNs() {
        return nowNs;
    }

    /** As with kill -9: only data on the disk stays. */
    void kill() {
        killed = true;
    }

    /** Starts a new run, on the disk as the previous run left it. */
    final void restart() {
        restart(recorder.disk().afterCrash());
    }

    final void restart(FakeDisk disk) {
        killed = false;
        recorder = new WholeRecorder(setup.on(disk), this::toVehicle, nowNs);
    }

    /** While cut, nothing passes in either direction. */
    public final void cut(boolean isCut) {
        cut(isCut, isCut);
    }

    final void cut(boolean isDownCut, boolean isUpCut) {
        down.cut(isDownCut);
        up.cut(isUpCut);
    }

    public final void runFor(long ns) {
        runUntil(nowNs + ns);
    }

    /** Carries out everything that is due until then. */
    public final void runUntil(long timeNs) {
        while (timeNs - nowNs > 0) {
            long next = earliest(timeNs, vehicleDueNs(nowNs), down.dueNs(timeNs), up.dueNs(timeNs));
            nowNs = Math.max(nowNs + 1, next);
            if (!killed) {
                recorder.advanceTo(nowNs);
            }
            tickVehicle(nowNs);
            down.onTick(nowNs);
            up.onTick(nowNs);
        }
    }

    /** As after SIGTERM: stores the vehicle's remaining data, then finishes everything. */
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

    /** Sends a frame of the vehicle. */
    final void fromVehicle(byte[] frame, int offset, int length) {
        down.send(frame, offset, length, nowNs);
    }

    private void toRecorder(byte[] frame, int offset, int length) {
        if (!killed) {
            tap.decodeDatagram(frame, offset, length, nowNs);
            recorder.receive(frame, offset, length);
        }
    }

    private void toVehicle(byte[] frame, int offset, int length) {
        up.send(frame, offset, length, nowNs);
    }
}
