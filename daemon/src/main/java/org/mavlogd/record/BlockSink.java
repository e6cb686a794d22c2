package org.mavlogd.record;

import org.agrona.DirectBuffer;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.store.LeftOverLog;

/**
 * Takes one log of blocks in order: every block once, and every hole that will never be filled. Called by the recorder's
 * thread; {@link #onBlock} is on the hot path.
 */
public interface BlockSink {
    /** The next block; the data is valid during the call only. */
    void onBlock(DirectBuffer data, int offset, long number, long arrivalNs);

    /** So many blocks from that number on never came. */
    void onHole(long firstNumber, long count, long nowNs);

    /** The log of an earlier run goes on; comes before any block. Who has nothing of it begins anew. */
    default void onResume(LeftOverLog log, long nowNs) {}

    /** Something happened to the vehicle. */
    default void onEvent(VehicleEvent event, long value, long eventNs) {}

    /** What this computer's clock says now. */
    default void onSystemTime(long epochMs, long nowNs) {}

    /** Does what is due; returns whether it did anything. */
    boolean tick(long nowNs);

    /** Nothing more will come. */
    void onEnd(SessionEnd reason, long nowNs);
}
