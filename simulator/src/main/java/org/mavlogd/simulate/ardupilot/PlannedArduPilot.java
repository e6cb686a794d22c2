package org.mavlogd.simulate.ardupilot;

import java.util.function.LongConsumer;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.simulate.LogCard;
import org.mavlogd.simulate.LogDownloads;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.VehicleOutput;

/** An ArduPilot controlled by a plan: retries refused arming once a second. Owned by its station. */
public final class PlannedArduPilot implements PlannedVehicle<ArduPilotCounters>, ArduPilotVehicle.Observer {
    /** The last blocks may have to be repeated. */
    private static final long FAREWELL_NS = 1_000_000_000;

    private static final long ARM_AGAIN_NS = 1_000_000_000;

    private final ArduPilotVehicle vehicle;
    private final LogDownloads downloads;
    private final LongConsumer onStream;
    private final long rebootNs;
    private long armTriedNs;

    public PlannedArduPilot(
            ArduPilotSettings settings, DataFlashImage log, VehicleOutput output, LongConsumer onStream, long nowNs) {
        this.onStream = onStream;
        this.armTriedNs = nowNs;
        this.vehicle = new ArduPilotVehicle(settings, log, output, this, nowNs);
        this.downloads = new LogDownloads(
                LogCard.ofOne(Heartbeat.AUTOPILOT_ARDUPILOT, log.bytes()),
                settings.systemId(),
                settings.rateBytesPerSecond(),
                vehicle::send,
                vehicle::isArmed,
                nowNs);
        this.rebootNs = settings.rebootNs();
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        vehicle.onFrame(frame, nowNs);
        downloads.onFrame(frame, nowNs);
        vehicle.downloading(downloads.isSending());
    }

    @Override
    public void onTick(long nowNs) {
        downloads.onTick(nowNs);
        vehicle.downloading(downloads.isSending());
        vehicle.onTick(nowNs);
    }

    @Override
    public void onLogStart(long nowNs) {
        onStream.accept(nowNs);
    }

    @Override
    public boolean arm(long nowNs) {
        if (nowNs - armTriedNs < ARM_AGAIN_NS) {
            return false;
        }
        armTriedNs = nowNs;
        return vehicle.arm(nowNs);
    }

    @Override
    public void disarm(long nowNs) {
        vehicle.disarm(nowNs);
    }

    @Override
    public void reboot(long nowNs) {
        vehicle.reboot(nowNs);
        downloads.reboot(nowNs + rebootNs);
    }

    @Override
    public void stopElsewhere(int senderSystem, int senderComponent, long nowNs) {
        vehicle.statusElsewhere(LogBlockStatus.STOP, senderSystem, senderComponent, nowNs);
    }

    /** Never: it streams everything at once. */
    @Override
    public boolean awaitsStop() {
        return false;
    }

    @Override
    public boolean isLogOver() {
        return vehicle.isAtLogEnd();
    }

    @Override
    public long farewellNs() {
        return FAREWELL_NS;
    }

    @Override
    public ArduPilotCounters counters() {
        return vehicle.counters();
    }
}
