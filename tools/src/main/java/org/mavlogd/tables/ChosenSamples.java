package org.mavlogd.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogFollower;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogHandler;

/**
 * Reads the samples of a log selected by topic and time. A topic without timestamps gets the time of the newest sample
 * before.
 */
abstract class ChosenSamples extends LogDamage.Tally {
    private static final int IDS = 65_536;

    private final TopicChoice topics;
    private final TimeRange time;
    private UtcReference utc = new UtcReference();
    private long firstUs = Long.MIN_VALUE;
    private long lastUs = Long.MAX_VALUE;
    private long latestUs;

    ChosenSamples(TopicChoice topics, TimeRange time) {
        this.topics = topics;
        this.time = time;
    }

    /** Takes a selected sample. */
    abstract void onChosen(SampleView sample, long timeUs) throws IOException;

    /** Takes the time of each sample, selected or not; 0 if it has none. Hot path. */
    void onTime(long timeUs) {}

    /** Takes the topic instances that have samples, if the log is read once before: {@link #readTwice}. */
    void onPreview(Set<String> instances) throws IOException {}

    /**
     * Reads a log; twice only if the time range needs UTC.
     *
     * @throws org.mavlogd.ulog.ULogException if it is not a log, is refused, or lacks a requested topic or UTC
     */
    final void read(Path log, Progress progress) throws IOException {
        if (time.needsUtc()) {
            readTwice(log, progress);
            return;
        }
        LogSource.read(log, this, progress);
        topics.requireMatches();
    }

    /**
     * Reads a log an additional time before, for its UTC, which may be only at its end, and for the topics with
     * samples.
     */
    final void readTwice(Path log, Progress progress) throws IOException {
        LogSource.readAgain(log, file -> {
            preview(file, (done, total) -> progress.onProgress(done, 2 * total));
            topics.requireMatches();
            return LogSource.read(file, this, (done, total) -> progress.onProgress(total + done, 2 * total));
        });
    }

    /** Reads a log while it is being written, until it is finished. */
    final void follow(Path log, LogFollower.CaughtUp caughtUp) throws IOException {
        if (time.needsUtc()) {
            preview(log, Progress.NONE);
        }
        LogFollower.read(log, this, caughtUp);
        topics.requireMatches();
    }

    private void preview(Path log, Progress progress) throws IOException {
        Preview preview = new Preview();
        LogSource.read(log, preview, progress);
        utc = preview.utc;
        if (time.needsUtc()) {
            utc.require();
        }
        onPreview(preview.instances);
    }

    final TopicChoice topics() {
        return topics;
    }

    /** The UTC found by the first reading. */
    final UtcReference utc() {
        return utc;
    }

    /** Whether contents without a time are in the range: they get the time of the newest sample before. */
    final boolean isInRange() {
        return isInRange(latestUs);
    }

    final boolean isInRange(long timeUs) {
        return timeUs >= firstUs && timeUs <= lastUs;
    }

    @Override
    public void onStart(int version, long startUs) throws IOException {
        firstUs = time.firstUs(startUs, utc);
        lastUs = time.lastUs(startUs, utc);
        latestUs = startUs;
    }

    @Override
    public final void onTopic(Topic topic) throws IOException {
        topics.onTopic(topic);
    }

    @Override
    public final void onSample(SampleView sample) throws IOException {
        latestUs = Math.max(latestUs, sample.timestampUs());
        onTime(sample.timestampUs());
        if (!topics.accepts(sample.topic())) {
            return;
        }
        long timeUs = isTimed(sample) ? sample.timestampUs() : latestUs;
        if (isInRange(timeUs)) {
            onChosen(sample, timeUs);
        }
    }

    static boolean isTimed(SampleView sample) {
        return sample.timestampUs() != 0 || hasTimestamp(sample.topic());
    }

    static boolean hasTimestamp(Topic topic) {
        return topic.layout().flatMap(TopicLayout::timestamp).isPresent();
    }

    /** Collects the facts that must be known before the samples. */
    private final class Preview implements ULogHandler {
        private final UtcReference utc = new UtcReference();
        private final Set<String> instances = new TreeSet<>();
        private final @Nullable Topic[] known = new Topic[IDS];

        @Override
        public void onStart(int version, long startUs) {
            utc.onStart(version, startUs);
        }

        @Override
        public void onInfo(KeyedValue info) {
            utc.onInfo(info);
        }

        @Override
        public void onTopic(Topic topic) {
            utc.onTopic(topic);
            topics.onTopic(topic);
        }

        @Override
        public void onSample(SampleView sample) {
            utc.onSample(sample);
            Topic topic = sample.topic();
            if (known[topic.messageId()] != topic && topics.accepts(topic) && instances.size() < IDS) {
                known[topic.messageId()] = topic;
                instances.add(topic.toString());
            }
        }
    }
}
