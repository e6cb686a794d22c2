package org.mavlogd.record.telemetry;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of frames for telemetry logs. Written by the recorder's thread.
 *
 * @param stored frames that were written
 * @param diskLost frames that came while the disk refused them
 * @param spaceLost frames that came while recording paused for lack of space
 * @param limitLost frames that came when a telemetry log had its length, or too many files
 */
record TelemetryCounters(Counter stored, Counter diskLost, Counter spaceLost, Counter limitLost) {
    static TelemetryCounters register(Metrics metrics) {
        return new TelemetryCounters(
                metrics.counter("tlog.frames", "Frames written to telemetry logs"),
                lost(metrics, "disk"),
                lost(metrics, "no_space"),
                lost(metrics, "limit"));
    }

    private static Counter lost(Metrics metrics, String cause) {
        return metrics.counter(
                "tlog.lost.frames", "Frames that are missing in telemetry logs", "link", "", "cause", cause);
    }
}
