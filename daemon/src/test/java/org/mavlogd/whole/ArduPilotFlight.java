package org.mavlogd.whole;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.ArduPilotVehicle;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/** The virtual flight of a simulated ArduPilot. */
public final class ArduPilotFlight extends VirtualFlight {
    private static final long NOTHING = -1;

    private final BlockTruth truth;
    private final ArduPilotVehicle vehicle;
    private final FrameDecoder sieve = new FrameDecoder(this::onSent, FrameCounters.unregistered());
    private long withheldNumber = NOTHING;
    private long withheldUntilNs;
    private boolean isWithheld;
    private double lostBefore;
    private double lateBefore;

    public ArduPilotFlight(
            WholeRecorder.Setup setup,
            DataFlashImage log,
            ArduPilotSettings settings,
            LossySettings down,
            LossySettings up) {
        super(setup, down, up);
        this.truth = new BlockTruth(down.corruptPercent() > 0);
        this.vehicle = new ArduPilotVehicle(settings, log, this::send, truth, nowNs());
    }

    /** Until this time the block with this number is lost each time it is sent. */
    public void withhold(long number, long untilNs) {
        withheldNumber = number;
        withheldUntilNs = untilNs;
    }

    private void send(byte[] frame, int offset, int length) {
        isWithheld = false;
        if (withheldNumber != NOTHING && nowNs() - withheldUntilNs < 0) {
            sieve.decodeDatagram(frame, offset, length, nowNs());
        }
        if (!isWithheld) {
            fromVehicle(frame, offset, length);
        }
    }

    private void onSent(FrameView frame, long now) {
        isWithheld = frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK
                && frame.uint32(LogBlockLayout.NUMBER_OFFSET) == withheldNumber;
    }

    public BlockTruth truth() {
        return truth;
    }

    public ArduPilotVehicle vehicle() {
        return vehicle;
    }

    @Override
    void kill() {
        super.kill();
        lostBefore += recorder().metric("record_lost_chunks") - recorder().metric("record_placed_chunks");
        lateBefore += recorder().metric("record_late_chunks");
    }

    /** Ends the run as after SIGTERM, whatever the vehicle sends then. */
    @Override
    public void finish(long patienceNs) {
        super.finish(patienceNs);
        kill();
    }

    /** Blocks counted as lost, in all runs. */
    double lost() {
        return lostBefore;
    }

    double late() {
        return lateBefore;
    }

    /** The verbatim logs in the order in which they started. */
    List<byte[]> files() {
        return files(".bin");
    }

    /** The ULogs in the order in which they started; fails if one is unfinished. */
    List<byte[]> ulogs() {
        return files(".ulg");
    }

    private List<byte[]> files(String kind) {
        List<byte[]> files = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : recorder().disk().contents().entrySet()) {
            String name = file.getKey();
            if (name.endsWith(kind)) {
                files.add(file.getValue());
            } else if (!name.startsWith(".") && !name.matches(".*\\.(bin|bin\\.part|ulg)")) {
                throw new AssertionError("no log: " + name);
            }
        }
        return files;
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
        if (frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK) {
            byte[] data = new byte[LogBlockLayout.DATA_LENGTH];
            frame.copyPayload(LogBlockLayout.DATA_OFFSET, data, 0, data.length);
            truth.onArrival(frame.uint32(LogBlockLayout.NUMBER_OFFSET), data);
        }
    }
}
