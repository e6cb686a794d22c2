package org.mavlogd.simulate.ardupilot;

import org.mavlogd.metrics.Counter;
import org.mavlogd.simulate.PlannedVehicle;

/** Counters of a simulated ArduPilot. Written by the vehicle's thread, readable by any. */
public final class ArduPilotCounters implements PlannedVehicle.Counters {
    final Counter frames = new Counter();
    final Counter logs = new Counter();
    final Counter blocks = new Counter();
    final Counter repeats = new Counter();
    final Counter acks = new Counter();
    final Counter uselessAcks = new Counter();
    final Counter nacks = new Counter();
    final Counter uselessNacks = new Counter();
    final Counter ignoredStarts = new Counter();
    final Counter droppedMessages = new Counter();
    final Counter timeouts = new Counter();
    final Counter refusedArmings = new Counter();

    ArduPilotCounters() {}

    /** MAVLink frames of all kinds that left the vehicle. */
    public long frames() {
        return frames.get();
    }

    /** Logs started. */
    public long logs() {
        return logs.get();
    }

    /** Blocks sent, not counting repeats. */
    public long blocks() {
        return blocks.get();
    }

    /** Repeated blocks. */
    public long repeats() {
        return repeats.get();
    }

    /** Acknowledgements of waiting blocks. */
    public long acks() {
        return acks.get();
    }

    /** Acknowledgements of blocks that are no longer held: repeated or late. */
    public long uselessAcks() {
        return uselessAcks.get();
    }

    /** Requests for blocks that could be repeated. */
    public long nacks() {
        return nacks.get();
    }

    /** Requests for blocks that are not held. */
    public long uselessNacks() {
        return uselessNacks.get();
    }

    /** START requests while a stream was running. */
    public long ignoredStarts() {
        return ignoredStarts.get();
    }

    /** Messages dropped for lack of room, as counted by ArduPilot's DMS.Dp. */
    public long droppedMessages() {
        return droppedMessages.get();
    }

    /** Streams ended because nobody answered. */
    public long timeouts() {
        return timeouts.get();
    }

    /** Times that the vehicle refused to arm because its log had no receiver. */
    public long refusedArmings() {
        return refusedArmings.get();
    }

    @Override
    public String summary() {
        return String.format(
                "logs %d, blocks %d, repeated %d, acknowledged %d, asked for again %d, messages dropped by the vehicle %d, "
                        + "given up %d, arming refused %d",
                logs(), blocks(), repeats(), acks(), nacks(), droppedMessages(), timeouts(), refusedArmings());
    }

    @Override
    public boolean isTaken() {
        return logs() > 0;
    }
}
