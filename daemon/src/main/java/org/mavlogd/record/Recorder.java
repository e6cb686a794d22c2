package org.mavlogd.record;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedHandler;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.store.LeftOverLog;
import org.mavlogd.store.LogStore;

/**
 * The writer agent: drains every feed and owns every open log. One thread calls {@link #doWork}; {@link #statuses} may be
 * read by any. The duty cycle is on the hot path.
 */
public final class Recorder implements Agent {
    private static final int DRAIN_LIMIT = 4096;
    private static final long STATUS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long CLOCK_DOUBT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final NanoClock nanoClock;
    private final EpochClock epochClock;
    private final LogStore store;
    private final String recorderName;
    private final List<Intake> intakes = new ArrayList<>();

    private long nowNs;
    private long lastStatusNs;
    private final Latest<List<RecordingStatus>> statuses = new Latest<>(List.of());

    /**
     * A recorder of the given feeds.
     *
     * @param recorderName name and version of this program, written into each log
     */
    public Recorder(
            NanoClock nanoClock,
            EpochClock epochClock,
            LogStore store,
            Metrics metrics,
            String recorderName,
            List<Feed> feeds) {
        this.nanoClock = nanoClock;
        this.epochClock = epochClock;
        this.store = store;
        this.recorderName = recorderName;
        this.lastStatusNs = nanoClock.nanoTime();
        for (Feed feed : feeds) {
            intakes.add(new Intake(feed, new RecordCounters(metrics, feed.name())));
        }
    }

    /** The recordings under way, a quarter of a second old at most. */
    public List<RecordingStatus> statuses() {
        return statuses.get();
    }

    @Override
    public int doWork() {
        nowNs = nanoClock.nanoTime();
        int work = 0;
        for (int i = 0; i < intakes.size(); i++) {
            work += intakes.get(i).work();
        }
        if (nowNs - lastStatusNs >= STATUS_INTERVAL_NS) {
            tellTime();
            publishStatuses();
        }
        return work;
    }

    /** Takes what is left in the feeds and finishes every open log. */
    @Override
    public void onClose() {
        while (doWork() > 0) {
            // until the feeds are empty
        }
        for (Intake intake : intakes) {
            intake.endAll();
        }
        publishStatuses();
    }

    @Override
    public String roleName() {
        return "recorder";
    }

    /** Also those that run: the clock may have been set, by hand or by the network. */
    private void tellTime() {
        long beforeNs = nanoClock.nanoTime();
        long epochMs = epochClock.time();
        if (nanoClock.nanoTime() - beforeNs >= CLOCK_DOUBT_NS) {
            return; // this thread was held up in between: the two do not belong together
        }
        for (Intake intake : intakes) {
            for (Recording recording : intake.recordings) {
                recording.onSystemTime(epochMs, beforeNs);
            }
        }
    }

    private void publishStatuses() {
        lastStatusNs = nowNs;
        List<RecordingStatus> snapshot = new ArrayList<>();
        for (Intake intake : intakes) {
            for (Recording recording : intake.recordings) {
                snapshot.add(recording.status(nowNs));
            }
        }
        statuses.set(List.copyOf(snapshot));
    }

    /** One feed and the recordings that come out of it. */
    private final class Intake implements FeedHandler {
        private final Feed feed;
        private final Feed.Consumer consumer;
        private final RecordCounters counters;
        // A handful at most: one for each vehicle on the link.
        private final List<Recording> recordings = new ArrayList<>();

        private Intake(Feed feed, RecordCounters counters) {
            this.feed = feed;
            this.counters = counters;
            this.consumer = feed.consumer(this);
        }

        private int work() {
            int work = consumer.drain(DRAIN_LIMIT);
            for (int i = 0; i < recordings.size(); i++) {
                if (recordings.get(i).tick(nowNs)) {
                    work++;
                }
            }
            return work;
        }

        @Override
        public void onSessionBegin(int session, int systemId, int componentId, long beginNs) {
            long beginEpochMs = epochClock.time() - TimeUnit.NANOSECONDS.toMillis(nanoClock.nanoTime() - beginNs);
            recordings.add(new Recording(
                    new RecordingIdentity(
                            feed.name(), session, systemId, componentId, beginNs, beginEpochMs, recorderName),
                    store,
                    counters));
        }

        @Override
        public void onSessionResume(int session, int systemId, int componentId, long beginNs) {
            LeftOverLog log = store.takeLeftOver(systemId);
            // By the log's own time, for it began in an earlier run.
            long ageNs = TimeUnit.MICROSECONDS.toNanos(
                    Math.max(0, log.facts().logUs() - log.facts().headerHigh()));
            long startedNs = log.facts().sequenceNs() - ageNs;
            long startedMs = epochClock.time() - TimeUnit.NANOSECONDS.toMillis(nowNs - startedNs);
            Recording recording = new Recording(
                    new RecordingIdentity(
                            feed.name(), session, systemId, componentId, startedNs, startedMs, recorderName),
                    store,
                    counters);
            recording.resume(log, nowNs);
            recordings.add(recording);
        }

        @Override
        public void onChunk(int session, ChunkView chunk) {
            find(session).onChunk(chunk, nowNs);
        }

        @Override
        public void onSessionEnd(int session, SessionEnd reason, long endNs) {
            Recording recording = find(session);
            recordings.remove(recording);
            recording.end(reason, nowNs);
        }

        @Override
        public void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long eventNs) {
            for (int i = 0; i < recordings.size(); i++) {
                if (recordings.get(i).isOf(systemId, componentId)) {
                    recordings.get(i).onEvent(event, value, eventNs);
                }
            }
        }

        private Recording find(int session) {
            for (int i = 0; i < recordings.size(); i++) {
                if (recordings.get(i).session() == session) {
                    return recordings.get(i);
                }
            }
            throw new IllegalStateException("feed " + feed.name() + " has no session " + session);
        }

        private void endAll() {
            for (Recording recording : recordings) {
                recording.end(SessionEnd.STOP_UNCONFIRMED, nowNs);
            }
            recordings.clear();
        }
    }
}
