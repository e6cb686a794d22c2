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
 * Takes one log of blocks in order: every block once, and every gap that is given up. Called by the recorder's thread;
 * {@link #onBlock} is on the hot path.
 */
interface BlockSink {
    /** The next block; the data is valid during the call only. */
    void onBlock(DirectBuffer data, int offset, long number, long arrivalNs);

    /** Takes a gap: {@code count} blocks from that number on never came. */
    void onHole(long firstNumber, long count, long nowNs);

    /** A block of an earlier gap came. A sink that cannot insert it leaves the gap. */
    default void onLateBlock(DirectBuffer data, int offset, long number, long nowNs) {}

    /** The log of an earlier run continues; called before any block. A sink that has no data of it begins again. */
    default void onResume(UnfinishedLog log, long nowNs) {}

    /** Takes an event of the vehicle. */
    default void onEvent(VehicleEvent event, long value, long eventNs) {}

    /** Takes the time of this computer's clock. */
    default void onSystemTime(long epochMs, long nowNs) {}

    /** Takes a new fit of the vehicle's clock. */
    default void onClockFit(ClockFit fit) {}

    /** Does work that is due; returns whether it did anything. */
    boolean tick(long nowNs);

    /** Ends the log. */
    void onEnd(SessionEnd reason, long nowNs);

    /** Whether its output has all data so far, so that the blocks need not be kept. */
    default boolean hasAll() {
        return true;
    }

    /** Whether the vehicle sent only the usual start of a log. */
    default boolean hasOnlyStart() {
        return false;
    }

    /** Ends the log, and deletes its output because it is not wanted. */
    default void onUnused(long nowNs) {}

    /** Releases open files after an error in this sink; nothing more is called. */
    default void abandon(long nowNs) {}

    /** Whether it takes this computer's data now. */
    default boolean takesLocal() {
        return false;
    }

    /** Whether it will take this computer's data soon. */
    default boolean isBeginning() {
        return false;
    }

    /** Merges this computer's data; null if it never takes them. */
    default @Nullable LocalMerge local() {
        return null;
    }

    /** Adds its status, if it has one. */
    default void addStatus(List<RecordingStatus> statuses, long nowNs) {}
}
