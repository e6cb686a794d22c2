package org.mavlogd.vehicle;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.peer.Peer;
import org.mavlogd.time.ClockState;

/**
 * Contains errors of the conversation about a vehicle's clock: after an error a new conversation starts when the part's
 * delay has passed. Until then the log keeps the last fit of the clock. Owned by the link's thread.
 */
final class ContainedClock implements ClockConversation {
    private final Supplier<? extends ClockConversation> maker;
    private final ContainedPart part;
    private @Nullable ClockConversation clock;

    ContainedClock(Supplier<? extends ClockConversation> maker, ContainedPart part) {
        this.maker = maker;
        this.part = part;
    }

    /** Null while the part pauses. */
    private @Nullable ClockConversation clock() {
        if (clock == null && part.mayRun()) {
            clock = maker.get();
        }
        return clock;
    }

    private void failed(Throwable error) {
        clock = null;
        part.contain(error);
    }

    @Override
    public void onTimesync(Timesync message, Peer from, long nowNs) {
        try {
            ClockConversation its = clock();
            if (its != null) {
                its.onTimesync(message, from, nowNs);
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    @Override
    public void onBootTime(long bootMs, long nowNs) {
        try {
            ClockConversation its = clock();
            if (its != null) {
                its.onBootTime(bootMs, nowNs);
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    @Override
    public void onTick(boolean recorded, boolean heard, Peer to, long nowNs) {
        try {
            ClockConversation its = clock();
            if (its != null) {
                its.onTick(recorded, heard, to, nowNs);
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    @Override
    public ClockState state(long nowNs) {
        try {
            ClockConversation its = clock();
            return its == null ? ClockState.UNKNOWN : its.state(nowNs);
        } catch (Throwable e) {
            failed(e);
            return ClockState.UNKNOWN;
        }
    }
}
