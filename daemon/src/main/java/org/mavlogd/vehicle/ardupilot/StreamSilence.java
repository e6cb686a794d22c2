package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.vehicle.conversation.VehicleHearing;

/** What it means that no block of the open log comes. Owned by the session. */
final class StreamSilence {
    // A stream that runs repeats what is unacknowledged ten times a second: a silent one is asked for again, which does
    // no harm if it lives.
    private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(2);

    private final BlockJudge judge;
    private final BlockStream stream;
    private final VehicleHearing hearing;

    StreamSilence(BlockJudge judge, BlockStream stream, VehicleHearing hearing) {
        this.judge = judge;
        this.stream = stream;
        this.hearing = hearing;
    }

    /** Whether a block is due. */
    boolean isSilent(long nowNs) {
        return nowNs - judge.lastTakenNs() >= SILENT_NS;
    }

    /** Whether the vehicle no longer keeps what it had sent. */
    boolean isGivenUp(long nowNs) {
        return nowNs - judge.lastTakenNs() >= BlockJudge.GIVEN_UP_NS;
    }

    /** Whether the vehicle is gone, or has given up what it had sent; one that is only silent may have nothing to log. */
    boolean isEnd(long nowNs) {
        return isGivenUp(nowNs) && !(hearing.isHeard(nowNs) && stream.isSettled());
    }

    /** Why a log ends by it. */
    SessionEnd reason(long nowNs) {
        return hearing.isHeard(nowNs) ? SessionEnd.STREAM_SILENT : SessionEnd.VEHICLE_SILENT;
    }
}
