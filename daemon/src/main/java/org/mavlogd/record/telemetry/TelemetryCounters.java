package org.mavlogd.record.telemetry;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of frames for telemetry logs. Written by the recorder's thread.
 *
 * @param stored frames that were written
 * @param diskLost frames lost because the disk failed
 * @param spaceLost frames lost while recording paused for lack of space
 * @param limitLost frames lost because a telemetry log reached its maximum length, or there were too many files
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
