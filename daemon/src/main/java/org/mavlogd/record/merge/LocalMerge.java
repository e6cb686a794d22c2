package org.mavlogd.record.merge;

import java.util.function.LongUnaryOperator;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.files.LogOutput;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.local.LocalFormat;
import org.mavlogd.record.local.LocalOutcome;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.ulog.LogLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inserts this computer's samples and log messages into one log: between complete messages of the vehicle, with times
 * on the vehicle's clock. Owned by the recorder's thread; on the hot path.
 */
public final class LocalMerge {
    private static final Logger LOG = LoggerFactory.getLogger(LocalMerge.class);

    private static final int MAX_CRITICAL = LogLevel.CRITICAL.code() - '0';
    private static final int WARNING = LogLevel.WARNING.code() - '0';

    private final LocalPart part;
    private final LogOutput output;
    private final LongUnaryOperator timeline;
    private final boolean wantsNewFile;
    private final int bufferTag;
    private final LocalEncoder encoder = new LocalEncoder();
    private final NewFileSchedule newFiles = new NewFileSchedule();
    private final LateSamples late;
    private final LateSamples.Writer lateWriter = this::writeLate;
    private int lateFiles;
    private long lateNs;
    private boolean wrote;

    /**
     * Merges into the files of {@code output}.
     *
     * @param timeline from monotonic nanoseconds to the log's microseconds
     * @param share memory for samples that wait for a file
     * @param bufferTag see {@link RecordSettings#cbufTag}
     */
    public LocalMerge(
            LocalPart part,
            LogOutput output,
            LongUnaryOperator timeline,
            RecordSettings.Merge.NewTopics newTopics,
            MemoryShare share,
            int bufferTag) {
        this.bufferTag = bufferTag;
        this.late = new LateSamples(share);
        this.part = part;
        this.output = output;
        this.timeline = timeline;
        this.wantsNewFile = newTopics == RecordSettings.Merge.NewTopics.NEW_FILE;
    }

    /**
     * Writes a sample if the current file has its topic, or keeps it for the next file.
     *
     * @param counters to be used when a kept sample is written or lost
     */
    LocalOutcome onSample(LocalRecordView record, LocalTap.Counters counters, long nowNs) {
        int length = LocalEncoder.SAMPLE_OVERHEAD + record.length();
        output.rotateIfDue(length, nowNs);
        if (!output.isOpen()) {
            return output.lossCause();
        }
        writeLateIfNewFile(nowNs);
        LocalPart.Place place = part.place(record.feed(), record.topic());
        LocalOutcome outcome = write(place, record, nowNs);
        if (outcome == LocalOutcome.NOT_IN_FILE && late.keep(record, counters)) {
            outcome = whileKept(record, nowNs);
        }
        if (outcome != LocalOutcome.STORED && part.isDefined() && place.isToBeTold()) {
            tellMissing(record, outcome, nowNs);
        }
        return outcome;
    }

    private LocalOutcome whileKept(LocalRecordView record, long nowNs) {
        boolean comesSoon = !part.isDefined()
                || (wantsNewFile && part.isLate(record.feed(), record.topic()) && newFiles.isSoon(nowNs));
        return comesSoon ? LocalOutcome.KEPT : LocalOutcome.WAITING;
    }

    private LocalOutcome write(LocalPart.Place place, LocalRecordView record, long nowNs) {
        LocalFormat format = place.format();
        if (format == null) {
            return LocalOutcome.NOT_IN_FILE;
        }
        LocalFormat.Series series = place.series(record.instance());
        if (series == null || !isSubscribed(series, format)) {
            return LocalOutcome.NO_INSTANCE;
        }
        encoder.sample(series.messageId(), series.next(timeUs(record.takenNs(), nowNs)), record);
        append();
        return LocalOutcome.STORED;
    }

    /** Writes kept samples before newer ones of the same topic, because times must not decrease. */
    private void writeLateIfNewFile(long nowNs) {
        if (!late.isEmpty() && part.isDefined() && part.files() != lateFiles) {
            lateNs = nowNs;
            late.writeTo(lateWriter);
        }
        lateFiles = part.files();
    }

    private LocalOutcome writeLate(LocalRecordView record) {
        return write(part.place(record.feed(), record.topic()), record, lateNs);
    }

    /** Ends the log: samples that wait get a new file if the settings allow one, or are lost. */
    public void end(long nowNs) {
        if (output.isOpen()) {
            writeLateIfNewFile(nowNs);
            if (wantsNewFile && !late.isEmpty() && output.beginNextFile(nowNs)) {
                writeLateIfNewFile(nowNs);
            }
        }
        late.loseAll();
    }

    /** Writes a log message, if there is a file. */
    LocalOutcome onText(LocalRecordView record, long nowNs) {
        output.rotateIfDue(LocalEncoder.TEXT_OVERHEAD + record.length(), nowNs);
        if (!output.isOpen()) {
            return output.lossCause();
        }
        encoder.text(timeUs(record.takenNs(), nowNs), record);
        append();
        if (record.level() <= MAX_CRITICAL) {
            output.makeUrgent();
        }
        return LocalOutcome.STORED;
    }

    /** Writes a warning about local data into the log itself. */
    void warn(String text, long nowNs) {
        if (output.isOpen()) {
            encoder.text(WARNING, bufferTag, timeline.applyAsLong(nowNs), text);
            append();
        }
    }

    /** Begins a new file if topics wait for one and the schedule allows it. */
    public void tick(long nowNs) {
        if (!output.isOpen() || !part.isDefined()) {
            return;
        }
        writeLateIfNewFile(nowNs);
        if (part.hasNewTopics() && wantsNewFile) {
            newFiles.want(nowNs);
        }
        if (newFiles.isDue(nowNs)) {
            beginNextFile(nowNs);
        }
    }

    private void beginNextFile(long nowNs) {
        if (output.beginNextFile(nowNs)) {
            newFiles.began(nowNs);
            writeLateIfNewFile(nowNs);
        } else {
            newFiles.failed(nowNs);
        }
    }

    private boolean isSubscribed(LocalFormat.Series series, LocalFormat format) {
        if (series.messageId() != LocalFormat.Series.NO_ID) {
            return true;
        }
        if (!part.subscribe(series)) {
            return false;
        }
        encoder.subscription(series.multiId(), series.messageId(), format.name());
        append();
        return true;
    }

    private void tellMissing(LocalRecordView record, LocalOutcome outcome, long nowNs) {
        String topic = record.topic().name();
        if (outcome == LocalOutcome.NO_INSTANCE) {
            String what = "topic " + topic + ": this file cannot take another instance, samples of instance "
                    + record.instance() + " are missing";
            warn(what, nowNs);
            LOG.warn("{}: {}", output.fileName(), what);
            return;
        }
        warn("topic " + topic + " is not in this file: it is recorded from the next file on", nowNs);
        if (outcome == LocalOutcome.KEPT) {
            LOG.info(
                    "topic {} came after the definitions of {}: a new file starts for it; [[topic]] in the configuration"
                            + " puts it into each log from the start",
                    topic,
                    output.fileName());
        } else {
            LOG.warn(
                    "topic {} came after the definitions of {}: it is recorded from the next file on; [[topic]] in the"
                            + " configuration puts it into each log from the start",
                    topic,
                    output.fileName());
        }
    }

    /** Times later than now count as now. */
    private long timeUs(long takenNs, long nowNs) {
        return timeline.applyAsLong(takenNs - nowNs > 0 ? nowNs : takenNs);
    }

    /** Whether anything was written since the last call. */
    public boolean takeWritten() {
        boolean written = wrote;
        wrote = false;
        return written;
    }

    private void append() {
        wrote = true;
        output.appendLocal(encoder.buffer(), encoder.length());
    }
}
