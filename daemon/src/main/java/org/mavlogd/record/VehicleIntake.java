package org.mavlogd.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.record.blocks.BlockIntake;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.time.ClockFit;

/** One link's feed and the recordings that come out of it. Owned by the recorder's thread; on the hot path. */
final class VehicleIntake implements Feed.Handler {
    private static final int DRAIN_LIMIT = 4096;
    // A record that begins a log makes a file. Data of open logs that is due to be written waits meanwhile.
    private static final int DRAIN_STEP = 32;
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final NanoClock nanoClock;
    private final EpochClock epochClock;
    private final RecordContext context;
    private final StandaloneLogs standalone;
    private final Feed feed;
    private final Feed.Consumer consumer;
    private final RecordCounters counters;
    // A few at most: one for each vehicle on the link.
    private final List<Px4Recording> recordings = new ArrayList<>();
    // Fits of the clocks of the link's vehicles: a fit may be known before the log begins.
    private final Map<Integer, ClockFit> clocks = new HashMap<>();
    private final BlockIntake blocks;
    private long nowNs;

    VehicleIntake(RecordContext context, StandaloneLogs standalone, Feed feed, RecordCounters counters) {
        this.context = context;
        this.nanoClock = context.nanoClock();
        this.epochClock = context.epochClock();
        this.standalone = standalone;
        this.feed = feed;
        this.counters = counters;
        this.consumer = feed.consumer(this);
        this.blocks = new BlockIntake(feed.name(), context, counters);
    }

    /** The recorder's thread has started. */
    void onStart() {
        consumer.drainHere();
    }

    int work(long now) {
        nowNs = now;
        consumer.tellLag(context.store().nextLook().isLagging());
        int work = drain();
        for (int i = 0; i < recordings.size(); i++) {
            if (recordings.get(i).tick(nowNs)) {
                work++;
            }
        }
        return work + blocks.tick(nowNs);
    }

    /** Takes records for a limited time; the next round takes the rest. */
    private int drain() {
        int taken = 0;
        int step = DRAIN_STEP;
        while (step == DRAIN_STEP && taken < DRAIN_LIMIT && (taken == 0 || nanoClock.nanoTime() - nowNs < DRAIN_NS)) {
            step = consumer.drain(DRAIN_STEP);
            taken += step;
        }
        if (step == DRAIN_STEP) {
            context.store().nextLook().onLag();
        }
        return taken;
    }

    @Override
    public void onSessionBegin(int session, int systemId, int componentId, long beginNs) {
        long beginEpochMs = epochClock.time() - TimeUnit.NANOSECONDS.toMillis(nanoClock.nanoTime() - beginNs);
        add(
                new Px4Recording(
                        new RecordingIdentity(feed.name(), session, systemId, componentId, beginNs, beginEpochMs),
                        context,
                        counters),
                systemId,
                componentId);
    }

    private void add(Px4Recording recording, int systemId, int componentId) {
        ClockFit fit = clocks.get(vehicle(systemId, componentId));
        if (fit != null) {
            take(fit, recording);
        }
        recordings.add(recording);
    }

    /** If this fit cannot be used, local data keep the times of the previous one. */
    private void take(ClockFit fit, Px4Recording recording) {
        try {
            recording.onClockFit(fit);
        } catch (Throwable e) {
            counters.clocks.contain(e);
        }
    }

    private static int vehicle(int systemId, int componentId) {
        return systemId << Byte.SIZE | componentId;
    }

    @Override
    public void onSessionResume(int session, int systemId, int componentId, long beginNs) {
        UnfinishedLog log = context.resumable().take(systemId);
        context.settings().memory().known(systemId);
        // The start by the log's own time, because it began in an earlier run.
        long ageNs = TimeUnit.MICROSECONDS.toNanos(
                Math.max(0, log.facts().logUs() - log.facts().headerHigh()));
        long startedNs = log.facts().sequenceNs() - ageNs;
        long startedMs = epochClock.time() - TimeUnit.NANOSECONDS.toMillis(nowNs - startedNs);
        Px4Recording recording = new Px4Recording(
                new RecordingIdentity(feed.name(), session, systemId, componentId, startedNs, startedMs),
                context,
                counters);
        recording.resume(log, nowNs);
        add(recording, systemId, componentId);
    }

    @Override
    public void onChunk(int session, ChunkView chunk) {
        find(session).onChunk(chunk, nowNs);
    }

    @Override
    public void onSessionEnd(int session, SessionEnd reason, int ringDropped, long endNs) {
        if (blocks.onEnd(session, reason, nowNs)) {
            return;
        }
        Px4Recording recording = find(session);
        recordings.remove(recording);
        recording.end(reason, ringDropped, endNs, nowNs);
    }

    @Override
    public void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long eventNs) {
        if (event == VehicleEvent.TIME) {
            standalone.onVehicleTime(value, eventNs);
        }
        for (int i = 0; i < recordings.size(); i++) {
            if (recordings.get(i).isOf(systemId, componentId)) {
                recordings.get(i).onEvent(event, value, eventNs);
            }
        }
        blocks.onEvent(systemId, event, value, eventNs);
    }

    @Override
    public void onBlocksBegin(int session, int systemId, int componentId, long beginNs) {
        blocks.onBegin(session, systemId, componentId, beginNs);
    }

    @Override
    public void onBlocksResume(int session, int systemId, int componentId, long beginNs) {
        blocks.onResume(session, systemId, componentId, beginNs);
    }

    @Override
    public void onBlock(int session, BlockView block) {
        blocks.onBlock(session, block, nowNs);
    }

    @Override
    public void onClockFit(int systemId, int componentId, ClockFit fit, long fitNs) {
        clocks.put(vehicle(systemId, componentId), fit);
        for (int i = 0; i < recordings.size(); i++) {
            if (recordings.get(i).isOf(systemId, componentId)) {
                take(fit, recordings.get(i));
            }
        }
        blocks.onClockFit(systemId, fit);
    }

    private Px4Recording find(int session) {
        for (int i = 0; i < recordings.size(); i++) {
            if (recordings.get(i).session() == session) {
                return recordings.get(i);
            }
        }
        throw new IllegalStateException("feed " + feed.name() + " has no session " + session);
    }

    /** The active recordings, with or without a file. */
    List<Px4Recording> recordings() {
        return recordings;
    }

    /** The active logs of ArduPilots. */
    BlockIntake blocks() {
        return blocks;
    }

    void endAll(long now) {
        nowNs = now;
        for (Px4Recording recording : recordings) {
            recording.end(SessionEnd.STOP_UNCONFIRMED, 0, nowNs, nowNs);
        }
        recordings.clear();
        blocks.endAll(nowNs);
    }
}
