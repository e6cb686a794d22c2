package org.mavlogd.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.mavlogd.cli.Version;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogName;
import org.mavlogd.vehicle.VehicleState;
import org.mavlogd.vehicle.VehicleStatus;

/**
 * The status as metrics, taken from existing snapshots when the metrics are read: between two scrapes it costs nothing.
 * Any thread.
 */
final class StatusMetrics {
    private static final List<String> VEHICLE = List.of("link", "system_id", "component_id");
    private static final List<String> RECORDING = List.of("link", "system_id", "component_id", "kind");
    private static final double US_PER_S = 1e6;
    private static final double MS_PER_S = 1000;
    private static final double PARTS_PER_MILLION = 1e6;

    private final DaemonStatus status;
    private final Metrics metrics;

    StatusMetrics(DaemonStatus status, Metrics metrics) {
        this.status = status;
        this.metrics = metrics;
    }

    void register() {
        metrics.addProcess();
        build();
        counts();
        vehicles();
        clocks();
        recordings();
    }

    private void build() {
        metrics.gauge(
                "build.info",
                "1; the labels name the version of mavlogd and the Java that it runs on",
                () -> 1,
                "version",
                Version.text(),
                "java",
                System.getProperty("java.version", ""),
                "arch",
                System.getProperty("os.arch", ""));
        metrics.gauge("uptime.seconds", "Time since start", () -> (double) status.uptimeS());
    }

    private void counts() {
        metrics.gauge(
                "vehicles", "Vehicles heard so far", () -> status.vehicles().size());
        metrics.gauge(
                "recordings",
                "Logs that are being written",
                () -> status.growingLogs().size());
        metrics.gauge("disk.usable.bytes", "Bytes that may still be written; NaN while not known", this::usableBytes);
        metrics.gauge(
                "disk.paused",
                "1 while recording pauses for lack of space",
                () -> status.space().state() == Keeper.SpaceStatus.State.PAUSED ? 1 : 0);
        metrics.gauge(
                "problems",
                "Problems that /healthz reports; 0 if there are none",
                () -> status.problems().size());
    }

    private double usableBytes() {
        long bytes = status.usableBytes();
        return bytes == Long.MAX_VALUE ? Double.NaN : (double) bytes;
    }

    private void vehicles() {
        // An age, not a time of day: the clock of a companion computer may be wrong, and differ from that of
        // Prometheus.
        vehicle("last.heard.age.seconds", "Time since the vehicle was heard", v -> v.heardMs() / MS_PER_S);
        vehicle("armed", "1 while the vehicle is armed", v -> v.armed() ? 1 : 0);
        vehicle(
                "recording",
                "1 while the vehicle's log is being received on this link",
                v -> v.phase() == VehicleState.RECORDING ? 1 : 0);
        vehicle(
                "silent",
                "1 while nothing is heard of the vehicle, for longer than silence_timeout_s",
                v -> v.phase() == VehicleState.SILENT ? 1 : 0);
        vehicle(
                "on.other.link",
                "1 while another link records the vehicle",
                v -> v.phase() == VehicleState.ON_OTHER_LINK ? 1 : 0);
    }

    private void clocks() {
        vehicle(
                "clock.offset.seconds",
                "Vehicle's time since boot minus this computer's monotonic time",
                v -> v.clock().samples() == 0 ? Double.NaN : v.clock().offsetUs() / US_PER_S);
        vehicle(
                "clock.error.bound.seconds",
                "Largest possible error of the clock offset; NaN while not known",
                v -> v.clock().errorBoundS());
        vehicle(
                "clock.drift.ratio",
                "Drift of the vehicle's clock against this computer's, in seconds per second",
                v -> v.clock().driftPpm() / PARTS_PER_MILLION);
    }

    private void vehicle(String name, String help, ToDoubleFunction<VehicleStatus> value) {
        metrics.gauges("vehicle." + name, help, VEHICLE, () -> {
            List<Metrics.Sample> samples = new ArrayList<>();
            for (VehicleStatus vehicle : status.vehicles()) {
                samples.add(new Metrics.Sample(
                        value.applyAsDouble(vehicle),
                        vehicle.link(),
                        id(vehicle.systemId()),
                        id(vehicle.componentId())));
            }
            return samples;
        });
    }

    private void recordings() {
        recording(
                "unforced.age.seconds",
                "Age of the oldest data that a power cut would cost",
                r -> r.unforcedMs() / MS_PER_S);
        recording("duration.seconds", "Time since the recording started", r -> r.durationMs() / MS_PER_S);
        recording(
                "problem",
                "1 while the recording has a problem",
                r -> r.problem().isEmpty() ? 0 : 1);
    }

    /** This computer's own recordings have system id 0. */
    private void recording(String name, String help, ToDoubleFunction<RecordingStatus> value) {
        metrics.gauges("recording." + name, help, RECORDING, () -> {
            List<Metrics.Sample> samples = new ArrayList<>();
            for (RecordingStatus recording : status.recordings()) {
                samples.add(new Metrics.Sample(
                        value.applyAsDouble(recording),
                        recording.feed(),
                        id(recording.systemId()),
                        id(recording.componentId()),
                        recording.kind().name().toLowerCase(Locale.ROOT)));
            }
            return samples;
        });
    }

    private static String id(int number) {
        return number == LogName.NO_SYSTEM ? "0" : Integer.toString(number);
    }
}
