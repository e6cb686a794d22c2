package org.mavlogd.fleet;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Formats figures of uploads as Prometheus text for the textfile collector of node_exporter: the uploader opens no
 * port.
 */
final class MetricsText {
    private static final String PREFIX = "mavlogd_upload_";

    private final StringBuilder text = new StringBuilder();

    /**
     * The state of one target.
     *
     * @param isFailing whether its last attempt failed
     */
    record Target(String name, long backlogFiles, long backlogBytes, boolean isFailing) {}

    static String of(long bytesPerS, long sentBytes, boolean isWaiting, List<Target> targets) {
        MetricsText metrics = new MetricsText();
        metrics.head("sent_bytes_total", "counter", "Bytes sent since the start")
                .line("sent_bytes_total", "", sentBytes);
        metrics.head("speed_bytes_per_second", "gauge", "Bytes sent per second")
                .line("speed_bytes_per_second", "", bytesPerS);
        metrics.head("waiting", "gauge", "1 while nothing may be sent, such as while a vehicle is armed")
                .line("waiting", "", isWaiting ? 1 : 0);
        metrics.perTarget("backlog_files", "Files that are not at the target yet", targets, Target::backlogFiles);
        metrics.perTarget(
                "backlog_bytes", "Bytes of the files that are not at the target yet", targets, Target::backlogBytes);
        metrics.perTarget(
                "failing", "1 while the last attempt failed", targets, target -> target.isFailing() ? 1L : 0L);
        return metrics.text.toString();
    }

    private void perTarget(String name, String help, List<Target> targets, Function<Target, Long> value) {
        head(name, "gauge", help);
        for (Target target : targets) {
            // Target names need no escaping.
            line(name, "{target=\"" + target.name() + "\"}", value.apply(target));
        }
    }

    private MetricsText head(String name, String type, String help) {
        text.append(String.format(Locale.ROOT, "# HELP %s%s %s%n", PREFIX, name, help))
                .append(String.format(Locale.ROOT, "# TYPE %s%s %s%n", PREFIX, name, type));
        return this;
    }

    private void line(String name, String labels, long value) {
        text.append(PREFIX)
                .append(name)
                .append(labels)
                .append(' ')
                .append(value)
                .append('\n');
    }
}
