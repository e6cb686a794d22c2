package org.mavlogd.simulate.px4;

import java.util.function.LongConsumer;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.simulate.LogCard;
import org.mavlogd.simulate.LogDownloads;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.VehicleOutput;

/** A PX4 controlled by a plan. Owned by its station. Hot path. */
public final class PlannedPx4 implements PlannedVehicle<VehicleCounters>, StreamObserver {
    private static final long FAREWELL_NS = 500_000_000;

    private final Px4Vehicle vehicle;
    private final LogDownloads downloads;
    private final LongConsumer onStream;
    private final long rebootNs;
    private boolean stopped;

    public PlannedPx4(Px4Settings settings, LogImage log, VehicleOutput output, LongConsumer onStream, long nowNs) {
        this.onStream = onStream;
        this.vehicle = new Px4Vehicle(settings, log, output, this, nowNs);
        this.downloads = new LogDownloads(
                LogCard.ofOne(Heartbeat.AUTOPILOT_PX4, log.bytes()),
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
    }

    @Override
    public void onTick(long nowNs) {
        vehicle.onTick(nowNs);
        downloads.onTick(nowNs);
    }

    @Override
    public void onSessionStart(byte[] header, long nowNs) {
        onStream.accept(nowNs);
    }

    @Override
    public boolean arm(long nowNs) {
        vehicle.arm(nowNs);
        return true;
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
        stopped = true;
        vehicle.commandElsewhere(CommandLong.LOGGING_STOP, senderSystem, senderComponent, nowNs);
    }

    @Override
    public boolean awaitsStop() {
        return vehicle.isAtLogEnd();
    }

    @Override
    public boolean isLogOver() {
        return stopped && !vehicle.isStreaming();
    }

    @Override
    public long farewellNs() {
        return FAREWELL_NS;
    }

    @Override
    public VehicleCounters counters() {
        return vehicle.counters();
    }
}
