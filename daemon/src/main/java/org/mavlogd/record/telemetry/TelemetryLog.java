package org.mavlogd.record.telemetry;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.RetryDelay;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.Reason;
import org.mavlogd.tlog.TlogLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The telemetry log of one vehicle's log: its files have the same log number. Owned by the recorder's thread. Hot path:
 * allocates only for a new file.
 */
final class TelemetryLog {
    private static final Logger LOG = LoggerFactory.getLogger(TelemetryLog.class);
    private static final long FIRST_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(30);

    private final LogStore store;
    private final TelemetryLogs.Limits limits;
    private final TelemetryCounters counters;
    private final RecordingStatus.Source source;
    private final LogName.LogNumber number = new LogName.LogNumber();
    private final String identity;
    private final RetryDelay delay = new RetryDelay(FIRST_RETRY_NS, MAX_RETRY_NS);
    private final ProblemLog problems = new ProblemLog(LOG);
    private final byte[] time = new byte[TlogLayout.TIME_LENGTH];
    private final UnsafeBuffer timeBuffer = new UnsafeBuffer(time);

    // A bit for each component of its system that was heard on the link of the vehicle's log.
    private final long[] components = new long[4];

    private @Nullable LogFile file;
    private long openedNs;
    private long beganNs;
    private int part;
    private long earlierBytes;
    private long frames;
    // Frames of the open file of which some bytes are not written yet.
    private long unwrittenFrames;
    private boolean isFull;
    private LogStore.Obstacle obstacle = LogStore.Obstacle.NONE;
    private String problem = "";

    /** @param beside the vehicle's log, which has a file */
    TelemetryLog(LogStore store, TelemetryLogs.Limits limits, TelemetryCounters counters, RecordingStatus beside) {
        this.store = store;
        this.limits = limits;
        this.counters = counters;
        this.source = beside.source();
        this.identity = LogName.logOf(beside.file());
        number.resume(beside.file());
    }

    int systemId() {
        return source.systemId();
    }

    /** Whether its vehicle's log comes from that link. */
    boolean isOf(String link) {
        return source.feed().equals(link);
    }

    /** Notes that a component of its system was heard on its link. Hot path. */
    void heard(int componentId) {
        components[componentId >>> 6] |= 1L << componentId;
    }

    /** Whether that component is heard on its link. Hot path. */
    boolean hears(int componentId) {
        return (components[componentId >>> 6] & 1L << componentId) != 0;
    }

    /** Whether that is a recording of its vehicle's log. */
    boolean isBeside(RecordingStatus recording) {
        // A recording has no file while the disk fails.
        return recording.source().equals(source)
                && (recording.file().isEmpty()
                        || LogName.logOf(recording.file()).equals(identity));
    }

    /** Appends one frame. Hot path. */
    void append(long utcUs, long sinceNs, DirectBuffer buffer, int offset, int length, long nowNs) {
        int bytes = TlogLayout.TIME_LENGTH + length;
        LogFile current = file;
        if (current != null && current.appendedBytes() + bytes > limits.fileBytes()) {
            finish(current);
            current = null;
        }
        if (isFull || (limits.logBytes() > 0 && storedBytes() + bytes > limits.logBytes())) {
            if (current != null) {
                finish(current);
            }
            onFull();
            return;
        }
        current = current == null ? open(nowNs) : current;
        if (current == null) {
            lost();
            return;
        }
        TlogLayout.time(time, 0, utcUs);
        current.append(timeBuffer, 0, TlogLayout.TIME_LENGTH, sinceNs);
        current.append(buffer, offset, length, sinceNs);
        frames++;
        if (current.unwrittenBytes() <= bytes) {
            countWritten(); // all before this one
        }
        unwrittenFrames++;
    }

    private void onFull() {
        counters.limitLost().increment();
        if (!isFull) {
            isFull = true; // also for shorter frames, which may still fit
            refuse("the telemetry log beside it has the " + (limits.logBytes() >> 20)
                    + " MiB that [tlog] max_mib allows; no more is written to it");
        }
    }

    private void countWritten() {
        counters.stored().add(unwrittenFrames);
        unwrittenFrames = 0;
    }

    private void lost() {
        switch (obstacle) {
            case NONE -> counters.diskLost().increment();
            case NO_SPACE -> counters.spaceLost().increment();
            case TOO_MANY_FILES -> counters.limitLost().increment();
        }
    }

    private @Nullable LogFile open(long nowNs) {
        if (!delay.isOver(nowNs)) {
            return null;
        }
        obstacle = store.obstacle(source.systemId(), LogKind.TLOG);
        if (obstacle != LogStore.Obstacle.NONE) {
            refuse(store.describe(obstacle));
            return null;
        }
        try {
            LogFile made = store.create(source.systemId(), LogKind.TLOG, number);
            file = made;
            openedNs = nowNs;
            beganNs = part == 0 ? nowNs : beganNs;
            part++;
            problem = "";
            problems.resolved(made.name() + ": telemetry is written again");
            if (part == 1) {
                LOG.info("vehicle {}: telemetry goes to {}", source.systemId(), made.name());
            }
            return made;
        } catch (IOException e) {
            delay.failed(nowNs);
            refuse("no telemetry log in " + store.location() + ": " + Reason.of(e) + "; tried again");
            return null;
        }
    }

    private void refuse(String why) {
        problem = why;
        problems.report("vehicle " + source.systemId() + ": " + why);
    }

    /** Writes data that is due; returns whether there was any. */
    boolean tick(long nowNs) {
        LogFile current = file;
        if (current == null) {
            return false;
        }
        boolean wrote = current.flushIfDue(nowNs);
        if (current.unwrittenBytes() == 0) {
            countWritten();
        }
        if (current.isFailed()) {
            delay.failedAfter(nowNs - openedNs, nowNs);
            finish(current);
        } else if (!store.hasRoom(source.systemId())) {
            finish(current);
        }
        return wrote;
    }

    private void finish(LogFile current) {
        file = null;
        boolean isFailed = store.finish(current);
        earlierBytes += current.appendedBytes() - current.unwrittenBytes();
        if (current.unwrittenBytes() == 0) {
            countWritten();
        }
        counters.diskLost().add(unwrittenFrames);
        unwrittenFrames = 0;
        if (isFailed) {
            refuse(current.name() + ": " + current.failure() + "; its end is missing");
        } else {
            delay.reset();
        }
    }

    /** Ends it: the vehicle's log has ended, or continues under another number. */
    void end() {
        LogFile current = file;
        if (current != null) {
            finish(current);
        }
    }

    /** Names the file by its start if the clock has been set since then. */
    void nameBy(long epochMs, long nowNs) {
        LogFile current = file;
        if (current != null && LogName.lacksTime(current.name()) && LogName.isBelievable(epochMs)) {
            current.beganAt(epochMs - TimeUnit.NANOSECONDS.toMillis(nowNs - openedNs));
        }
    }

    private long storedBytes() {
        LogFile current = file;
        return earlierBytes + (current == null ? 0 : current.appendedBytes());
    }

    /** A snapshot that follows the one of its vehicle's log. */
    RecordingStatus status(RecordingStatus beside, long nowNs) {
        return new RecordingStatus(
                source,
                RecordingStatus.Written.of(LogKind.TLOG, file, part, problem, nowNs),
                beside.startedEpochMs(),
                part == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNs - beganNs),
                RecordingStatus.Figures.ofFrames(storedBytes(), frames),
                false);
    }
}
