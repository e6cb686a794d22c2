package org.mavlogd.wiring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.local.events.EventAgent;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.figures.RecordingStatus.Figures;
import org.mavlogd.tags.TagMap;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.vehicle.VehicleStatus;

/**
 * Logs gaps, silent vehicles and refused frames, at most once a second. There may be thousands of them in a second, so
 * this class compares counters once a second and reports the differences with their totals. Owned by one thread.
 */
final class FlightWatch implements EventAgent.Watch {
    private final Supplier<List<RecordingStatus>> recordings;
    private final Supplier<List<VehicleStatus>> vehicles;
    private final LongSupplier droppedFrames;
    private final long silenceMs;
    private Map<String, Figures> before = new HashMap<>();
    private Map<String, Boolean> silent = new HashMap<>();
    private long droppedBefore;

    /**
     * @param droppedFrames frames dropped for their signature since the start
     * @param silenceMs after which a vehicle counts as silent
     */
    FlightWatch(
            Supplier<List<RecordingStatus>> recordings,
            Supplier<List<VehicleStatus>> vehicles,
            LongSupplier droppedFrames,
            long silenceMs) {
        this.recordings = recordings;
        this.vehicles = vehicles;
        this.droppedFrames = droppedFrames;
        this.silenceMs = silenceMs;
    }

    @Override
    public void look(long nowNs, Listener listener) {
        lookAtRecordings(listener);
        lookAtVehicles(listener);
        long dropped = droppedFrames.getAsLong();
        if (dropped > droppedBefore) {
            listener.onEvent(
                    LogLevel.WARNING,
                    TagMap.MAVLINK_HANDLER,
                    "signing: " + (dropped - droppedBefore) + " frames dropped for their signature, " + dropped
                            + " since the start");
        }
        droppedBefore = dropped;
    }

    private void lookAtRecordings(Listener listener) {
        Map<String, Figures> now = new HashMap<>();
        for (RecordingStatus recording : recordings.get()) {
            String name = "vehicle " + recording.systemId() + " on " + recording.feed();
            String key = name + ' ' + recording.componentId() + ' ' + recording.kind();
            Figures last = before.get(key);
            now.put(key, recording.figures());
            // Fewer than before: it is another recording of the same vehicle.
            boolean same = last != null && last.chunks() <= recording.figures().chunks();
            tellLosses(name, same ? last : null, recording.figures(), listener);
        }
        before = now;
    }

    private static void tellLosses(String name, @Nullable Figures last, Figures now, Listener listener) {
        long ring = now.ringLostChunks() - (last == null ? 0 : last.ringLostChunks());
        if (ring > 0) {
            listener.onEvent(
                    LogLevel.ERROR,
                    TagMap.CBUF,
                    name + ": the ring was full, " + Words.count(ring, "chunk") + " lost, "
                            + Words.number(now.ringLostChunks()) + " in this log");
        }
        long link = now.linkLostChunks() - (last == null ? 0 : last.linkLostChunks());
        long vehicle = now.vehicleLostChunks() - (last == null ? 0 : last.vehicleLostChunks());
        long restart = now.restartLostChunks() - (last == null ? 0 : last.restartLostChunks());
        if (link + vehicle + restart > 0) {
            listener.onEvent(
                    LogLevel.WARNING,
                    TagMap.ULG,
                    name + ": gap, " + Words.count(link + vehicle + restart, "chunk") + " lost"
                            + part(link, " on the link")
                            + part(vehicle, " by the vehicle")
                            + part(restart, " while the recorder restarted")
                            + "; " + Words.number(now.lostChunks()) + " in this log, "
                            + Words.count(now.dropouts(), "dropout")
                            + " of "
                            + now.dropoutMs() + " ms");
        }
    }

    private static String part(long count, String where) {
        return count == 0 ? "" : ", " + Words.number(count) + where;
    }

    private void lookAtVehicles(Listener listener) {
        Map<String, Boolean> now = new HashMap<>();
        for (VehicleStatus vehicle : vehicles.get()) {
            String key = vehicle.link() + ' ' + vehicle.systemId() + ' ' + vehicle.componentId();
            boolean isSilent = vehicle.heardMs() >= silenceMs;
            boolean wasSilent = silent.getOrDefault(key, false);
            now.put(key, isSilent);
            if (isSilent != wasSilent) {
                listener.onEvent(
                        isSilent ? LogLevel.WARNING : LogLevel.INFO,
                        TagMap.MAVLINK_HANDLER,
                        vehicle.link() + ": vehicle " + vehicle.systemId()
                                + (isSilent
                                        ? " has been silent for " + vehicle.heardMs() / 1000 + " s"
                                        : " is heard again"));
            }
        }
        silent = now;
    }
}
