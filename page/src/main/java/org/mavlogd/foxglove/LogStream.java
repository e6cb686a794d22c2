package org.mavlogd.foxglove;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.mavlogd.exports.McapExport;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogHandler;

/** Converts a log to channels and messages at some pace, and finds its UTC on the way. Ignores damage. */
final class LogStream implements ULogHandler {
    private final McapExport export;
    private final UtcReference utc = new UtcReference();
    private final Pace pace;
    private long firstUs;
    private long lastUs;

    /** @param bootUtcUs start of the vehicle's clock; 0 if unknown */
    LogStream(Channels channels, LongSupplier bootUtcUs, Pace pace) {
        export = new McapExport(channels, bootUtcUs, new ULogHandler() {});
        this.pace = pace;
    }

    /** Start of the vehicle's clock as found so far; 0 if unknown. */
    long bootUtcUs() {
        return utc.bootUtcUs();
    }

    /** Time of the first sample; 0 if there is none. */
    long firstUs() {
        return firstUs;
    }

    /** Time of the last sample; 0 if there is none. */
    long lastUs() {
        return lastUs;
    }

    @Override
    public void onStart(int version, long startUs) {
        utc.onStart(version, startUs);
        export.onStart(version, startUs);
    }

    @Override
    public void onFormat(TopicFormat format) {
        export.onFormat(format);
    }

    @Override
    public void onInfo(KeyedValue info) {
        utc.onInfo(info);
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) throws IOException {
        export.onParameter(parameter, change);
    }

    @Override
    public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
        export.onDefaultParameter(parameter, defaultTypes);
    }

    @Override
    public void onTopic(Topic topic) {
        utc.onTopic(topic);
    }

    /** Hot path. */
    @Override
    public void onSample(SampleView sample) throws IOException {
        long timeUs = sample.timestampUs();
        pace.await(timeUs);
        if (timeUs > 0 && timeUs <= FlightPace.LATEST_US) {
            firstUs = firstUs == 0 ? timeUs : firstUs;
            lastUs = timeUs;
        }
        utc.onSample(sample);
        export.onSample(sample);
    }

    /** Messages are among samples of their time, or late: they do not affect the pace. */
    @Override
    public void onLoggedText(LoggedText text) throws IOException {
        export.onLoggedText(text);
    }

    @Override
    public void onDropout(int durationMs) throws IOException {
        export.onDropout(durationMs);
    }
}
