package org.mavlogd.edit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogSink;

/**
 * Copies a time range of a log. The new log starts at the start of the range with the parameter values of that time;
 * infos are kept from the complete log. A message without time gets that of the previous sample.
 */
public final class LogCut extends LogCopy {
    private static final int MAX_PARAMETERS = 16_384;

    private final TimeRange range;
    private final UtcReference utc;

    // The definitions that apply before the range starts.
    private final Map<String, byte[]> parameters = new LinkedHashMap<>();
    private final Map<Integer, byte[]> subscriptions = new LinkedHashMap<>();
    private boolean inData;
    private boolean begun;
    private long movedUs;
    private long firstUs;
    private long lastUs;
    private long nowUs;
    private long earliestUs = Long.MAX_VALUE;
    private long latestUs = Long.MIN_VALUE;

    private LogCut(ULogSink sink, TimeRange range, UtcReference utc) {
        super(sink);
        this.range = range;
        this.utc = utc;
    }

    /**
     * Cuts a log.
     *
     * @throws ULogException if it is not a log, is refused, has nothing in the range, or lacks the UTC that the range
     *     needs
     */
    public static Result cut(Path log, Path out, OutputFile.Existing existing, TimeRange range, Progress progress)
            throws IOException {
        if (!range.needsUtc()) {
            return write(out, existing, sink -> cut(log, sink, range, new UtcReference(), progress));
        }
        return LogSource.readAgain(log, file -> {
            UtcReference utc = new UtcReference();
            LogSource.read(file, utc, (done, total) -> progress.onProgress(done, 2 * total));
            utc.require();
            Progress second = (done, total) -> progress.onProgress(total + done, 2 * total);
            return write(out, existing, sink -> cut(file, sink, range, utc, second));
        });
    }

    private static Result cut(Path log, ULogSink sink, TimeRange range, UtcReference utc, Progress progress)
            throws IOException {
        LogCut cut = new LogCut(sink, range, utc);
        LogDamage damage = LogSource.readSound(log, cut, progress);
        cut.requireContents();
        return cut.result("", damage, 0, "");
    }

    private void requireContents() throws ULogException {
        if (!begun) {
            throw new ULogException(
                    latestUs < earliestUs
                            ? "no samples, so there is nothing to cut"
                            : String.format(
                                    Locale.ROOT,
                                    "it has nothing of this time; its samples are from %.6f to %.6f s after boot",
                                    earliestUs / 1e6,
                                    latestUs / 1e6));
        }
    }

    @Override
    public void onStart(int version, long startUs) throws IOException {
        firstUs = range.firstUs(startUs, utc);
        lastUs = range.lastUs(startUs, utc);
        movedUs = Math.max(startUs, firstUs) - startUs;
        nowUs = startUs;
        header(version, startUs + movedUs);
    }

    @Override
    public void onFormat(TopicFormat format) throws IOException {
        copy();
    }

    /** The start of the recorder is the time of the log's start, which changes. */
    @Override
    public void onInfo(KeyedValue info) throws IOException {
        if (movedUs > 0 && info.name().equals(UtcReference.RECORDER_START) && info.isInteger()) {
            info(UtcReference.RECORDER_START, info.integer() + movedUs);
        } else {
            copy();
        }
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
        copy();
    }

    @Override
    public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
        copy();
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) throws IOException {
        if (change && isWanted(nowUs)) {
            begin();
            copy();
        } else if (!begun) {
            parameters.put(parameter.name(), message());
            if (parameters.size() > MAX_PARAMETERS) {
                throw new ULogException("more than " + MAX_PARAMETERS + " parameters");
            }
        } else if (nowUs < firstUs) {
            copy(); // its sample is late; the value applies to what follows
        }
    }

    @Override
    public void onTopic(Topic topic) throws IOException {
        inData = true;
        if (begun) {
            copy();
        } else {
            subscriptions.put(topic.messageId(), message());
        }
    }

    @Override
    public void onTopicEnd(Topic topic) throws IOException {
        if (begun) {
            copy();
        } else {
            subscriptions.remove(topic.messageId());
        }
    }

    @Override
    public void onSample(SampleView sample) throws IOException {
        nowUs = isTimed(sample) ? sample.timestampUs() : nowUs;
        earliestUs = Math.min(earliestUs, nowUs);
        latestUs = Math.max(latestUs, nowUs);
        if (isWanted(nowUs)) {
            begin();
            copySample();
        }
    }

    @Override
    public void onLoggedText(LoggedText text) throws IOException {
        inData = true;
        if (isWanted(text.timestampUs())) {
            begin();
            copy();
        }
    }

    @Override
    public void onDropout(int durationMs) throws IOException {
        onUntimed();
    }

    @Override
    public void onSync() throws IOException {
        onUntimed();
    }

    @Override
    public void onUnknown(int type, byte[] buffer, int offset, int length) throws IOException {
        onMessage(type, buffer, offset, length);
        onUntimed();
    }

    private void onUntimed() throws IOException {
        if (!inData) {
            copy();
        } else if (isWanted(nowUs)) {
            begin();
            copy();
        }
    }

    private boolean isWanted(long timestampUs) {
        return timestampUs >= firstUs && timestampUs <= lastUs;
    }

    private void begin() throws IOException {
        if (begun) {
            return;
        }
        begun = true;
        for (byte[] parameter : parameters.values()) {
            write(parameter);
        }
        for (byte[] subscription : subscriptions.values()) {
            write(subscription);
        }
        parameters.clear();
        subscriptions.clear();
    }
}
