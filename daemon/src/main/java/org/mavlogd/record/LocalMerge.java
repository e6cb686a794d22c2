package org.mavlogd.record;

import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.ulog.LogLevel;

/**
 * Puts this computer's samples and texts into one log, beside what the vehicle sends: whole messages between whole messages,
 * with the vehicle's time. Owned by the recorder's thread; on the hot path.
 */
final class LocalMerge {
    /** The tag of what is said about buffers, of those that the ULog specification has as its example: cbuf. */
    static final int BUFFER_TAG = 8;

    // Ten topics that appear at start are one new file.
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long NEW_FILE_DISTANCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_CRITICAL = LogLevel.CRITICAL.code() - '0';
    private static final int WARNING = LogLevel.WARNING.code() - '0';

    private final LocalPart part;
    private final LogOutput output;
    private final LongUnaryOperator timeline;
    private final boolean wantsNewFile;
    private final LocalEncoder encoder = new LocalEncoder();
    private boolean newFileWanted;
    private long newFileDueNs;
    private long lastNewFileNs;
    private boolean newFileBefore;
    private boolean wrote;

    /**
     * A merge into the files of {@code output}.
     *
     * @param timeline from monotonic nanoseconds to the log's microseconds
     */
    LocalMerge(LocalPart part, LogOutput output, LongUnaryOperator timeline, MergeSettings.NewTopics newTopics) {
        this.part = part;
        this.output = output;
        this.timeline = timeline;
        this.wantsNewFile = newTopics == MergeSettings.NewTopics.NEW_FILE;
    }

    /** Writes a sample, if the log has a file and the file has the topic. */
    LocalOutcome onSample(LocalRecordView record, long nowNs) {
        int length = LocalEncoder.SAMPLE_OVERHEAD + record.length();
        output.rotateIfDue(length, nowNs);
        if (!output.isOpen()) {
            return output.lossCause();
        }
        LocalPlace place = part.place(record.feed(), record.topic());
        LocalSeries series = place.series(record.instance());
        if (series == null || !isSubscribed(series, place.format(), nowNs)) {
            tellMissing(place, record.topic(), nowNs);
            return LocalOutcome.NOT_IN_FILE;
        }
        encoder.sample(series.messageId(), series.next(timeUs(record.takenNs(), nowNs)), record);
        append(nowNs);
        return LocalOutcome.STORED;
    }

    /** Writes a text, if the log has a file. */
    LocalOutcome onText(LocalRecordView record, long nowNs) {
        output.rotateIfDue(LocalEncoder.TEXT_OVERHEAD + record.length(), nowNs);
        if (!output.isOpen()) {
            return output.lossCause();
        }
        encoder.text(timeUs(record.takenNs(), nowNs), record);
        append(nowNs);
        if (record.level() <= MAX_CRITICAL) {
            output.makeUrgent();
        }
        return LocalOutcome.STORED;
    }

    /** Says something about local data in the log itself, now. */
    void warn(String text, long nowNs) {
        if (output.isOpen()) {
            encoder.text(WARNING, BUFFER_TAG, timeline.applyAsLong(nowNs), text);
            append(nowNs);
        }
    }

    /** Begins a new file when topics wait for one, and may. */
    void tick(long nowNs) {
        if (!output.isOpen() || !part.isDefined()) {
            return;
        }
        if (part.hasNewTopics() && wantsNewFile && !newFileWanted) {
            newFileWanted = true;
            long earliestNs = lastNewFileNs + NEW_FILE_DISTANCE_NS;
            boolean mayBeSoon = !newFileBefore || nowNs + SETTLE_NS - earliestNs >= 0;
            newFileDueNs = mayBeSoon ? nowNs + SETTLE_NS : earliestNs;
        }
        if (newFileWanted && nowNs - newFileDueNs >= 0) {
            beginNextFile(nowNs);
        }
    }

    private void beginNextFile(long nowNs) {
        if (output.beginNextFile(nowNs)) {
            newFileWanted = false;
            newFileBefore = true;
            lastNewFileNs = nowNs;
        } else {
            newFileDueNs = nowNs + SETTLE_NS;
        }
    }

    private boolean isSubscribed(LocalSeries series, @Nullable LocalFormat format, long nowNs) {
        if (series.messageId() != LocalSeries.NO_ID) {
            return true;
        }
        if (format == null || !part.subscribe(series)) {
            return false;
        }
        encoder.subscription(series.multiId(), series.messageId(), format.name());
        append(nowNs);
        return true;
    }

    private void tellMissing(LocalPlace place, LocalTopic topic, long nowNs) {
        if (place.isToBeTold()) {
            warn("topic " + topic.name() + " is not in this file: it is recorded from the next file on", nowNs);
        }
    }

    /** Nothing was measured later than now. */
    private long timeUs(long takenNs, long nowNs) {
        return timeline.applyAsLong(takenNs - nowNs > 0 ? nowNs : takenNs);
    }

    /** Whether anything was written since the last call. */
    boolean takeWritten() {
        boolean written = wrote;
        wrote = false;
        return written;
    }

    private void append(long nowNs) {
        wrote = true;
        output.appendLocal(encoder.buffer(), encoder.length(), nowNs);
    }
}
