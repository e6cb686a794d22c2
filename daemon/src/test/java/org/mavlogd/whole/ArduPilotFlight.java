package org.mavlogd.whole;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.simulate.ArduPilotSettings;
import org.mavlogd.simulate.ArduPilotVehicle;
import org.mavlogd.simulate.DataFlashImage;
import org.mavlogd.simulate.LossyChannel;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.store.FakeDisk;

/** A simulated ArduPilot, a bad channel each way, and the whole recorder, all in one thread and on one virtual clock. */
public final class ArduPilotFlight {
    private static final long MAX_STEP_NS = 5 * WholeRecorder.MILLISECOND_NS;
    private static final long NOTHING = -1;

    private final BlockTruth truth;
    private final WholeRecorder.Setup setup;
    private final ArduPilotVehicle vehicle;
    private final LossyChannel down;
    private final LossyChannel up;
    private final FrameDecoder tap = new FrameDecoder(this::onArrival, FrameCounters.unregistered());
    private final FrameDecoder vehicleDecoder = new FrameDecoder(this::onAnswer, FrameCounters.unregistered());
    private final FrameDecoder sieve = new FrameDecoder(this::onSent, FrameCounters.unregistered());
    private WholeRecorder recorder;
    private long withheldNumber = NOTHING;
    private long withheldUntilNs;
    private boolean isWithheld;
    private double lostBefore;
    private double lateBefore;
    private boolean killed;
    private long nowNs;

    public ArduPilotFlight(
            WholeRecorder.Setup setup,
            DataFlashImage log,
            ArduPilotSettings settings,
            LossySettings down,
            LossySettings up) {
        this.setup = setup;
        this.truth = new BlockTruth(down.corruptPercent() > 0);
        this.recorder = new WholeRecorder(setup, this::toVehicle);
        this.nowNs = recorder.nowNs();
        this.down = new LossyChannel(down, this::toRecorder);
        this.up = new LossyChannel(up, this::intoVehicle);
        this.vehicle = new ArduPilotVehicle(settings, log, this::fromVehicle, truth, nowNs);
    }

    /** Until then the block of that number is lost each time it is sent. */
    public void withhold(long number, long untilNs) {
        withheldNumber = number;
        withheldUntilNs = untilNs;
    }

    private void fromVehicle(byte[] frame, int offset, int length) {
        isWithheld = false;
        if (withheldNumber != NOTHING && nowNs - withheldUntilNs < 0) {
            sieve.decodeDatagram(frame, offset, length, nowNs);
        }
        if (!isWithheld) {
            down.send(frame, offset, length, nowNs);
        }
    }

    private void onSent(FrameView frame, long now) {
        isWithheld = frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK
                && frame.uint32(LogBlockLayout.NUMBER_OFFSET) == withheldNumber;
    }

    public BlockTruth truth() {
        return truth;
    }

    public WholeRecorder recorder() {
        return recorder;
    }

    public ArduPilotVehicle vehicle() {
        return vehicle;
    }

    public long nowNs() {
        return nowNs;
    }

    /** As with kill -9: only what is on the disk stays. */
    void kill() {
        killed = true;
        count();
    }

    private void count() {
        lostBefore += recorder.metric("record_lost_chunks") - recorder.metric("record_placed_chunks");
        lateBefore += recorder.metric("record_late_chunks");
    }

    /** Blocks given up, in all runs. */
    double lost() {
        return lostBefore;
    }

    double late() {
        return lateBefore;
    }

    /** A new run, on the disk as the one before left it. */
    void restart() {
        restart(recorder.disk().afterCrash());
    }

    void restart(FakeDisk disk) {
        killed = false;
        recorder = new WholeRecorder(setup.on(disk), this::toVehicle, nowNs);
    }

    /** While cut, nothing passes. */
    void cut(boolean isDownCut, boolean isUpCut) {
        down.cut(isDownCut);
        up.cut(isUpCut);
    }

    public void runFor(long ns) {
        runUntil(nowNs + ns);
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

    /** As after SIGTERM. */
    public void finish(long patienceNs) {
        recorder.shutDown();
        long deadlineNs = nowNs + patienceNs;
        while (!recorder.isAtRest() && deadlineNs - nowNs > 0) {
            runUntil(nowNs + MAX_STEP_NS);
        }
        recorder.close();
        count();
        killed = true;
    }

    /** The verbatim logs in the order of their beginning. */
    List<byte[]> files() {
        return files(".bin", ".bin");
    }

    /** The ULogs in the order of their beginning: none is ever left. */
    List<byte[]> ulogs() {
        return files(".ulg", ".ulg");
    }

    private List<byte[]> files(String finished, String unfinished) {
        List<byte[]> files = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : recorder.disk().contents().entrySet()) {
            String name = file.getKey();
            if (name.endsWith(finished) || name.endsWith(unfinished)) {
                files.add(file.getValue());
            } else if (!name.startsWith(".") && !name.matches(".*\\.(bin|bin\\.part|ulg)")) {
                throw new AssertionError("no log: " + name);
            }
        }
        return files;
    }

    private long earliest(long... timesNs) {
        long earliest = nowNs + MAX_STEP_NS;
        for (long timeNs : timesNs) {
            earliest = timeNs - earliest < 0 ? timeNs : earliest;
        }
        return earliest;
    }

    private void toRecorder(byte[] frame, int offset, int length) {
        if (!killed) {
            tap.decodeDatagram(frame, offset, length, nowNs);
            recorder.receive(frame, offset, length);
        }
    }

    private void onArrival(FrameView frame, long now) {
        if (frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK) {
            byte[] data = new byte[LogBlockLayout.DATA_LENGTH];
            frame.copyPayload(LogBlockLayout.DATA_OFFSET, data, 0, data.length);
            truth.onArrival(frame.uint32(LogBlockLayout.NUMBER_OFFSET), data);
        }
    }

    private void toVehicle(byte[] frame, int offset, int length) {
        up.send(frame, offset, length, nowNs);
    }

    private void intoVehicle(byte[] frame, int offset, int length) {
        vehicleDecoder.decodeDatagram(frame, offset, length, nowNs);
    }

    private void onAnswer(FrameView frame, long now) {
        vehicle.onFrame(frame, now);
    }
}
