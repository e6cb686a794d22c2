package org.mavlogd.simulate.px4;

import org.mavlogd.metrics.Counter;
import org.mavlogd.simulate.PlannedVehicle;

/** Counters of a simulated vehicle. Written by the vehicle's thread, readable by any. */
public final class VehicleCounters implements PlannedVehicle.Counters {
    final Counter frames = new Counter();
    final Counter sessions = new Counter();
    final Counter chunks = new Counter();
    final Counter chunkBytes = new Counter();
    final Counter repeats = new Counter();
    final Counter dropped = new Counter();
    final Counter acks = new Counter();
    final Counter uselessAcks = new Counter();
    final Counter skippedMessages = new Counter();
    final Counter givenUp = new Counter();
    final Counter ignoredCommands = new Counter();

    VehicleCounters() {}

    /** MAVLink frames of all kinds sent by the vehicle. */
    public long frames() {
        return frames.get();
    }

    /** Streams started. */
    public long sessions() {
        return sessions.get();
    }

    /** Chunks sent, not counting repeats. */
    public long chunks() {
        return chunks.get();
    }

    /** Log bytes in those chunks. */
    public long chunkBytes() {
        return chunkBytes.get();
    }

    /** Repeated acked chunks. */
    public long repeats() {
        return repeats.get();
    }

    /** Chunks dropped by the vehicle's own queue. */
    public long dropped() {
        return dropped.get();
    }

    /** Acknowledgements of waiting chunks. */
    public long acks() {
        return acks.get();
    }

    /** Unexpected acknowledgements: repeated or late. */
    public long uselessAcks() {
        return uselessAcks.get();
    }

    /** Messages omitted because their time passed while the logger waited. */
    public long skippedMessages() {
        return skippedMessages.get();
    }

    /** Streams ended because no acknowledgement arrived. */
    public long givenUp() {
        return givenUp.get();
    }

    /** Commands lost because too many arrived while the logger waited. */
    public long ignoredCommands() {
        return ignoredCommands.get();
    }

    @Override
    public String summary() {
        return String.format(
                "sessions %d, chunks %d (%d bytes), repeated %d, acknowledged %d, given up %d, dropped by the vehicle's queue %d, "
                        + "messages skipped %d",
                sessions(), chunks(), chunkBytes(), repeats(), acks(), givenUp(), dropped(), skippedMessages());
    }

    @Override
    public boolean isTaken() {
        return sessions() > 0;
    }
}
