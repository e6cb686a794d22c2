package org.mavlogd.record.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.LogName;
import org.mavlogd.store.LogStore;
import org.mavlogd.tlog.TlogLayout;

/**
 * Gives each vehicle's log that is being recorded a telemetry log, and distributes the frames: those of a recorded
 * vehicle's system go to that vehicle's telemetry log, all others to those of the vehicles on the same link, or on any
 * link if both links forward. If a component of a vehicle is heard on two links, it is taken from the link of the
 * vehicle's log.
 *
 * <p>Owned by the recorder's thread. Hot path: nothing is allocated for a frame.
 */
public final class TelemetryLogs {
    private static final int DRAIN_LIMIT = 1024;
    // After a stall the frames of all links are taken in steps of this time, so that they stay in order.
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    // If the wall clock differs from the monotonic clock by more than this, it was set.
    private static final long CLOCK_STEP_US = 20_000;
    private static final long CLOCK_DOUBT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final NanoClock nanoClock;
    private final EpochClock epochClock;
    private final LogStore store;
    private final Limits limits;
    private final TelemetryCounters counters;
    private final ContainedPart part;
    private final List<Source> sources = new ArrayList<>();
    private final List<TelemetryLog> logs = new ArrayList<>();
    // UTC minus monotonic time, in microseconds.
    private long utcOffsetUs;
    private boolean isTimeKnown;
    private long nowNs;
    // The frames that arrived before were taken.
    private long drainedNs;

    /**
     * Maximum lengths of telemetry logs.
     *
     * @param fileBytes maximum length of a file; then a next one begins
     * @param logBytes maximum length of all files for one vehicle's log; 0 for no limit
     */
    public record Limits(long fileBytes, long logBytes) {
        /** The default. */
        public static final Limits DEFAULT = new Limits(256L << 20, 1024L << 20);
    }

    /** @param feeds one for each link on which vehicles are recorded or frames are forwarded */
    public TelemetryLogs(
            NanoClock nanoClock,
            EpochClock epochClock,
            LogStore store,
            Limits limits,
            List<FrameFeed> feeds,
            Metrics metrics) {
        this.nanoClock = nanoClock;
        this.epochClock = epochClock;
        this.store = store;
        this.limits = limits;
        this.counters = TelemetryCounters.register(metrics);
        this.part = metrics.part("tlog", Recovery.PAUSES);
        this.drainedNs = nanoClock.nanoTime();
        feeds.forEach(feed -> sources.add(new Source(feed)));
    }

    /**
     * Takes the frames of all links and writes data that is due; returns the number of frames. Throws only errors that
     * end the program.
     */
    public int work(long now) {
        if (!part.mayRun()) {
            return 0;
        }
        nowNs = now;
        try {
            int work = drain(now);
            for (int i = 0; i < logs.size(); i++) {
                work += logs.get(i).tick(now) ? 1 : 0;
            }
            return work;
        } catch (Throwable e) {
            part.contain(e);
            return 0;
        }
    }

    /** Takes frames that arrived up to this time, the oldest first; returns how many. Their number is limited. */
    private int drain(long untilNs) {
        int most = DRAIN_LIMIT * sources.size();
        int frames = 0;
        do {
            long stepEndNs = drainedNs + Math.min(STEP_NS, untilNs - drainedNs);
            int before = frames;
            for (int i = 0; i < sources.size(); i++) {
                frames += sources.get(i).consumer.drain(DRAIN_LIMIT, stepEndNs);
            }
            drainedNs = frames == before ? stepEndNs : drainedNs;
        } while (frames < most && untilNs - drainedNs > 0);
        return frames;
    }

    /** Takes all frames that arrived so far. Those that arrive meanwhile do not keep the recorder here. */
    private void drainAll() {
        long untilNs = nanoClock.nanoTime();
        while (drain(untilNs) > 0) {
            // until no ring has any
        }
    }

    /** Takes the active recordings, some times a second: new ones get a telemetry log, those that ended end theirs. */
    public void onRecordings(List<RecordingStatus> recordings, long now) {
        nowNs = now;
        part.run(() -> {
            tellTime();
            List<TelemetryLog> ended = logs.stream()
                    .filter(log -> recordings.stream().noneMatch(log::isBeside))
                    .toList();
            if (!ended.isEmpty()) {
                drainAll(); // it came before the end
                logs.removeAll(ended);
                ended.forEach(TelemetryLog::end);
            }
            for (RecordingStatus recording : recordings) {
                if (isVehiclesLog(recording) && logs.stream().noneMatch(log -> log.isBeside(recording))) {
                    logs.add(new TelemetryLog(store, limits, counters, recording));
                }
            }
            logs.forEach(log -> log.nameBy(epochClock.time(), now));
        });
    }

    private boolean isVehiclesLog(RecordingStatus recording) {
        return recording.systemId() != LogName.NO_SYSTEM
                && !recording.file().isEmpty()
                && sources.stream().anyMatch(source -> source.feed.link().equals(recording.feed()));
    }

    /** Adds a snapshot of each telemetry log after those of its vehicle's log. */
    public void addStatuses(List<RecordingStatus> statuses, long now) {
        part.run(() -> {
            for (TelemetryLog log : logs) {
                int last = -1;
                for (int i = 0; i < statuses.size(); i++) {
                    last = log.isBeside(statuses.get(i)) ? i : last;
                }
                if (last >= 0) {
                    statuses.add(last + 1, log.status(statuses.get(last), now));
                }
            }
        });
    }

    /** Takes the rest of the rings and finishes all files. */
    public void close(long now) {
        nowNs = now;
        part.run(this::drainAll);
        part.runAlways(() -> logs.forEach(TelemetryLog::end));
        logs.clear();
    }

    private void tellTime() {
        long beforeNs = nanoClock.nanoTime();
        long utcUs = TimeUnit.MILLISECONDS.toMicros(epochClock.time());
        if (nanoClock.nanoTime() - beforeNs >= CLOCK_DOUBT_NS && isTimeKnown) {
            return; // this thread was delayed in between: the two times do not match
        }
        long offsetUs = utcUs - TimeUnit.NANOSECONDS.toMicros(beforeNs);
        if (!isTimeKnown || Math.abs(offsetUs - utcOffsetUs) >= CLOCK_STEP_US) {
            utcOffsetUs = offsetUs;
            isTimeKnown = true;
        }
    }

    /** The frames of one link. */
    private final class Source implements FrameFeed.Handler {
        final FrameFeed feed;
        final FrameFeed.Consumer consumer;

        Source(FrameFeed feed) {
            this.feed = feed;
            this.consumer = feed.consumer(this);
        }

        @Override
        public void onFrame(long arrivalNs, long sinceNs, DirectBuffer buffer, int offset, int length) {
            int systemOffset = offset + TlogLayout.systemOffset(buffer.getByte(offset));
            int systemId = buffer.getByte(systemOffset) & 0xFF;
            int componentId = buffer.getByte(systemOffset + 1) & 0xFF;
            long utcUs = utcOffsetUs + TimeUnit.NANOSECONDS.toMicros(arrivalNs);
            boolean isRecorded = isRecorded(systemId);
            for (int i = 0; i < logs.size(); i++) {
                TelemetryLog log = logs.get(i);
                boolean isItsLink = log.isOf(feed.link());
                boolean isItsSystem = log.systemId() == systemId;
                if (isItsLink && isItsSystem) {
                    log.heard(componentId);
                }
                boolean isHeardThere = isItsSystem && log.hears(componentId);
                boolean isReached = isItsLink || (feed.isShared() && isShared(log) && !isHeardThere);
                if (isReached && (isItsSystem || !isRecorded)) {
                    log.append(utcUs, sinceNs, buffer, offset, length, nowNs);
                }
            }
        }

        private boolean isRecorded(int systemId) {
            for (int i = 0; i < logs.size(); i++) {
                if (logs.get(i).systemId() == systemId) {
                    return true;
                }
            }
            return false;
        }

        private boolean isShared(TelemetryLog log) {
            for (int i = 0; i < sources.size(); i++) {
                FrameFeed its = sources.get(i).feed;
                if (log.isOf(its.link())) {
                    return its.isShared();
                }
            }
            return false;
        }
    }
}
