package org.mavlogd.record.blocks;

import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.merge.LocalMerge;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.time.ClockFit;

/**
 * Takes one log of blocks in order: every block once, and every hole that will never be filled. Called by the recorder's
 * thread; {@link #onBlock} is on the hot path.
 */
interface BlockSink {
    /** The next block; the data is valid during the call only. */
    void onBlock(DirectBuffer data, int offset, long number, long arrivalNs);

    /** So many blocks from that number on never came. */
    void onHole(long firstNumber, long count, long nowNs);

    /** A block came for which there was a hole before. Who cannot put it there leaves the hole. */
    default void onLateBlock(DirectBuffer data, int offset, long number, long nowNs) {}

    /** The log of an earlier run continues; comes before any block. Who has nothing of it begins again. */
    default void onResume(UnfinishedLog log, long nowNs) {}

    /** Something happened to the vehicle. */
    default void onEvent(VehicleEvent event, long value, long eventNs) {}

    /** What this computer's clock says now. */
    default void onSystemTime(long epochMs, long nowNs) {}

    /** The vehicle's clock was compared with ours. */
    default void onClockFit(ClockFit fit) {}

    /** Does what is due; returns whether it did anything. */
    boolean tick(long nowNs);

    /** Nothing more will come. */
    void onEnd(SessionEnd reason, long nowNs);

    /** Whether what it makes of the blocks has everything so far, so that these need not be kept for its sake. */
    default boolean hasAll() {
        return true;
    }

    /** Whether the vehicle sent only what is at the start of every log. */
    default boolean hasOnlyStart() {
        return false;
    }

    /** Nothing more will come, and nobody wants what it made of the blocks. */
    default void onUnused(long nowNs) {}

    /** Something went wrong in here: nothing more is called. What is open is to be released. */
    default void abandon(long nowNs) {}

    /** Whether this computer's data go in now. */
    default boolean takesLocal() {
        return false;
    }

    /** Whether this computer's data will go in soon. */
    default boolean isBeginning() {
        return false;
    }

    /** What puts this computer's data in; null where they never go in. */
    default @Nullable LocalMerge local() {
        return null;
    }

    /** Adds what is to be reported about it, if anything. */
    default void addStatus(List<RecordingStatus> statuses, long nowNs) {}
}
