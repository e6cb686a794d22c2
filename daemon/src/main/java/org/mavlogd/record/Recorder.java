package org.mavlogd.record;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.merge.LocalIntake;
import org.mavlogd.record.merge.LocalMerge;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.NextLook;

/**
 * The agent that writes logs: drains every feed and owns every open log. One thread calls {@link #doWork}; any thread
 * may read {@link #statuses}. The duty cycle is on the hot path.
 */
public final class Recorder implements Agent {
    /**
     * The input of the recorder. The order of the rings decides about equal names of topics.
     *
     * @param vehicles one for each link
     * @param local one for each thread of this computer that publishes
     * @param frames all frames, one for each link; empty without telemetry logs
     * @param resumable logs of an earlier run that may continue, whose tickets links take
     */
    public record Feeds(List<Feed> vehicles, List<LocalFeed> local, List<FrameFeed> frames, ResumableLogs resumable) {
        public Feeds {
            vehicles = List.copyOf(vehicles);
            local = List.copyOf(local);
            frames = List.copyOf(frames);
        }

        /** Without logs of an earlier run. */
        public Feeds(List<Feed> vehicles, List<LocalFeed> local) {
            this(vehicles, local, List.of(), ResumableLogs.empty());
        }
    }

    private static final long STATUS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    // PX4 sends its definitions in 1.5 s at best; on the slowest link on which it streams, 88 KiB take 18 s.
    private static final long BEGIN_PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long CLOCK_DOUBT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final NanoClock nanoClock;
    private final EpochClock epochClock;
    private final List<VehicleIntake> intakes = new ArrayList<>();
    private final LocalIntake local;
    private final StandaloneLogs standalone;
    private final @Nullable TelemetryLogs telemetry;
    private final NextLook nextLook;

    private long nowNs;
    private long lastStatusNs;
    private final Latest<List<RecordingStatus>> statuses = new Latest<>(List.of());

    /** A recorder of vehicles only. */
    public Recorder(
            NanoClock nanoClock,
            EpochClock epochClock,
            LogStore store,
            Metrics metrics,
            String recorderName,
            List<Feed> feeds) {
        this(nanoClock, epochClock, store, metrics, RecordSettings.of(recorderName), new Feeds(feeds, List.of()));
    }

    /** A recorder of all feeds. */
    public Recorder(
            NanoClock nanoClock,
            EpochClock epochClock,
            LogStore store,
            Metrics metrics,
            RecordSettings settings,
            Feeds feeds) {
        this.nanoClock = nanoClock;
        this.epochClock = epochClock;
        this.nextLook = store.nextLook();
        this.lastStatusNs = nanoClock.nanoTime();
        RecordContext context =
                new RecordContext(nanoClock, epochClock, store, settings, feeds.local(), feeds.resumable());
        this.standalone = new StandaloneLogs(context, metrics, lastStatusNs);
        for (Feed feed : feeds.vehicles()) {
            RecordCounters counters = new RecordCounters(metrics, feed.name());
            intakes.add(new VehicleIntake(context, standalone, feed, counters));
        }
        this.local = new LocalIntake(feeds.local(), settings.merge(), metrics, lastStatusNs);
        this.telemetry = feeds.frames().isEmpty()
                ? null
                : new TelemetryLogs(nanoClock, epochClock, store, settings.telemetry(), feeds.frames(), metrics);
    }

    /** The active recordings, at most a quarter of a second old. */
    public List<RecordingStatus> statuses() {
        return statuses.get();
    }

    @Override
    public void onStart() {
        for (VehicleIntake intake : intakes) {
            intake.onStart();
        }
    }

    @Override
    public int doWork() {
        nowNs = nanoClock.nanoTime();
        nextLook.begin(nowNs);
        int work = 0;
        for (int i = 0; i < intakes.size(); i++) {
            work += intakes.get(i).work(nowNs);
        }
        work += workLocal();
        if (telemetry != null) {
            work += telemetry.work(nowNs);
        }
        if (nowNs - lastStatusNs >= STATUS_INTERVAL_NS) {
            tellTime();
            publishStatuses();
        }
        return work;
    }

    /** Takes local data after the vehicles' data. They wait a little if a log is about to begin. */
    private int workLocal() {
        List<LocalMerge> logs = local.logs();
        logs.clear();
        boolean begins = addVehicleLogs(logs);
        standalone.work(!logs.isEmpty(), nowNs);
        LocalMerge own = standalone.local();
        if (own != null) {
            logs.add(own);
        }
        return logs.isEmpty() && (begins || standalone.isAboutToBegin()) ? 0 : local.work(nowNs);
    }

    /** Adds the logs that take local data; returns whether another one is about to take them. */
    private boolean addVehicleLogs(List<LocalMerge> logs) {
        boolean begins = false;
        for (int i = 0; i < intakes.size(); i++) {
            List<Px4Recording> recordings = intakes.get(i).recordings();
            for (int j = 0; j < recordings.size(); j++) {
                Px4Recording recording = recordings.get(j);
                if (recording.takesLocal()) {
                    logs.add(recording.local());
                } else {
                    begins |= nowNs - recording.startedNs() < BEGIN_PATIENCE_NS;
                }
            }
            begins |= intakes.get(i).blocks().addLocal(logs, nowNs - BEGIN_PATIENCE_NS);
        }
        return begins;
    }

    /** How long the recorder's thread may sleep after a round that found nothing to do. */
    public long sleepNs() {
        return nextLook.sleepNs(nanoClock.nanoTime());
    }

    /** Takes the rest of the feeds and finishes every open log. */
    @Override
    public void onClose() {
        standalone.hurry();
        while (doWork() > 0) {
            // until the feeds are empty
        }
        local.drainAll(nowNs);
        for (VehicleIntake intake : intakes) {
            intake.endAll(nowNs);
        }
        standalone.close(nowNs);
        if (telemetry != null) {
            telemetry.close(nowNs);
        }
        publishStatuses();
    }

    @Override
    public String roleName() {
        return "recorder";
    }

    /**
     * Passes on the time of this computer's clock, also to open logs: it may have been set, by hand or over the
     * network.
     */
    private void tellTime() {
        long beforeNs = nanoClock.nanoTime();
        long epochMs = epochClock.time();
        if (nanoClock.nanoTime() - beforeNs >= CLOCK_DOUBT_NS) {
            return; // this thread was delayed in between: the two times do not match
        }
        for (VehicleIntake intake : intakes) {
            for (Px4Recording recording : intake.recordings()) {
                recording.onSystemTime(epochMs, beforeNs);
            }
            intake.blocks().onSystemTime(epochMs, beforeNs);
        }
        standalone.onSystemTime(epochMs, beforeNs);
    }

    private void publishStatuses() {
        lastStatusNs = nowNs;
        List<RecordingStatus> snapshot = new ArrayList<>();
        for (VehicleIntake intake : intakes) {
            for (Px4Recording recording : intake.recordings()) {
                snapshot.add(recording.status(nowNs));
            }
            intake.blocks().addStatuses(snapshot, nowNs);
        }
        standalone.addStatus(snapshot, nowNs);
        if (telemetry != null) {
            telemetry.onRecordings(snapshot, nowNs);
            telemetry.addStatuses(snapshot, nowNs);
        }
        statuses.set(List.copyOf(snapshot));
    }
}
