package org.mavlogd.record.blocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.merge.LocalMerge;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.store.LogName;
import org.mavlogd.time.ClockFit;

/** Takes the logs of blocks from one feed. Owned by the recorder's thread; taking blocks is on the hot path. */
public final class BlockIntake {
    private final String feed;
    private final RecordContext context;
    private final RecordCounters counters;
    // A few at most: one for each vehicle on the link.
    private final List<BlockRecording> recordings = new ArrayList<>();
    // By system id, because logs come from another component than clock messages.
    private final Map<Integer, ClockFit> clocks = new HashMap<>();

    public BlockIntake(String feed, RecordContext context, RecordCounters counters) {
        this.feed = feed;
        this.context = context;
        this.counters = counters;
    }

    public void onBegin(int session, int systemId, int componentId, long beginNs) {
        recordings.add(recording(identity(session, systemId, componentId, beginNs)));
    }

    public void onResume(int session, int systemId, int componentId, long nowNs) {
        UnfinishedLog log = context.resumable().take(systemId);
        context.settings().memory().known(systemId);
        RecordingIdentity identity = identity(session, systemId, componentId, nowNs);
        BlockRecording recording = recording(identity.begunEarlier(earlierNs(log, identity.startedEpochMs())));
        recording.resume(log, nowNs);
        recordings.add(recording);
    }

    /** How long ago the log began by the name of its file; 0 if a clock was not set. */
    private static long earlierNs(UnfinishedLog log, long nowMs) {
        long beganMs = LogName.beganMs(log.fileName()).orElse(nowMs);
        return TimeUnit.MILLISECONDS.toNanos(Math.max(0, nowMs - beganMs));
    }

    private RecordingIdentity identity(int session, int systemId, int componentId, long beginNs) {
        long beginEpochMs = context.epochClock().time()
                - TimeUnit.NANOSECONDS.toMillis(context.nanoClock().nanoTime() - beginNs);
        return new RecordingIdentity(feed, session, systemId, componentId, beginNs, beginEpochMs);
    }

    private BlockRecording recording(RecordingIdentity identity) {
        BlockRecording next = BlockRecording.of(identity, context, counters);
        ClockFit fit = clocks.get(identity.systemId());
        if (fit != null) {
            next.onClockFit(fit);
        }
        return next;
    }

    public void onBlock(int session, BlockView block, long nowNs) {
        BlockRecording recording = find(session);
        if (recording == null) {
            throw new IllegalStateException("feed " + feed + " has no session " + session + " of blocks");
        }
        recording.onBlock(block, nowNs);
    }

    /** Ends a session; false if it is not one of blocks. */
    public boolean onEnd(int session, SessionEnd reason, long nowNs) {
        BlockRecording recording = find(session);
        if (recording == null) {
            return false;
        }
        recordings.remove(recording);
        recording.end(reason, nowNs);
        return true;
    }

    public void onEvent(int systemId, VehicleEvent event, long value, long eventNs) {
        for (int i = 0; i < recordings.size(); i++) {
            if (recordings.get(i).isOf(systemId)) {
                recordings.get(i).onEvent(event, value, eventNs);
            }
        }
    }

    /** Takes a new fit of the vehicle's clock, also before its log begins. */
    public void onClockFit(int systemId, ClockFit fit) {
        clocks.put(systemId, fit);
        for (int i = 0; i < recordings.size(); i++) {
            if (recordings.get(i).isOf(systemId)) {
                recordings.get(i).onClockFit(fit);
            }
        }
    }

    /**
     * Adds the logs that take local data.
     *
     * @param patienceEndNs logs that began before are not waited for any more
     * @return whether another log is about to take local data
     */
    public boolean addLocal(List<LocalMerge> logs, long patienceEndNs) {
        boolean begins = false;
        for (int i = 0; i < recordings.size(); i++) {
            begins |= recordings.get(i).addLocal(logs, patienceEndNs);
        }
        return begins;
    }

    /** Takes the time of this computer's clock. */
    public void onSystemTime(long epochMs, long nowNs) {
        for (BlockRecording recording : recordings) {
            recording.onSystemTime(epochMs, nowNs);
        }
    }

    public int tick(long nowNs) {
        int work = 0;
        for (int i = 0; i < recordings.size(); i++) {
            work += recordings.get(i).tick(nowNs) ? 1 : 0;
        }
        return work;
    }

    public void addStatuses(List<RecordingStatus> statuses, long nowNs) {
        for (BlockRecording recording : recordings) {
            recording.addStatuses(statuses, nowNs);
        }
    }

    public void endAll(long nowNs) {
        for (BlockRecording recording : recordings) {
            recording.end(SessionEnd.STOP_UNCONFIRMED, nowNs);
        }
        recordings.clear();
    }

    private @Nullable BlockRecording find(int session) {
        for (int i = 0; i < recordings.size(); i++) {
            if (recordings.get(i).session() == session) {
                return recordings.get(i);
            }
        }
        return null;
    }
}
