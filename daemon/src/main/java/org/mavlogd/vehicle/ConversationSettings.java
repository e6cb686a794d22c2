package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;

/**
 * Settings of the conversations with vehicles.
 *
 * @param systemId the only vehicle to record, 0 for every one that is seen, or -1 for none
 * @param ownComponentId MAVLink component id of mavlogd
 * @param leadOutNs in mode {@link Mode#ARMED}, how long recording continues after disarming
 * @param silenceNs how long a vehicle that is heard may send no log data until its log counts as over
 * @param gatherNs how long log data that needs no answer may wait in the kernel
 * @param timesync which messages about clocks are sent
 */
public record ConversationSettings(
        int systemId, int ownComponentId, Mode mode, long leadOutNs, long silenceNs, long gatherNs, Timesync timesync) {
    private static final long USUAL_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(165);

    /** When a vehicle's log is wanted. */
    public enum Mode {
        /** As long as the vehicle is heard. */
        ALWAYS,
        /** From arming until some time after disarming. */
        ARMED
    }

    /**
     * Which messages about clocks are sent.
     *
     * @param asks whether recorded vehicles are asked for their time, so that their logs contain the result
     * @param answers whether vehicles that ask get this computer's time
     */
    public record Timesync(boolean asks, boolean answers) {
        /** Asks and does not answer: only one program may give a vehicle its time, and a recorder has no need to. */
        public static final Timesync DEFAULT = new Timesync(true, false);

        /** Sends nothing; the logs contain nothing about clocks. */
        public static final Timesync OFF = new Timesync(false, false);
    }

    /** Value of {@code systemId}: every vehicle that is heard. */
    public static final int EVERY_VEHICLE = 0;

    // No vehicle has this system id.
    private static final int NO_VEHICLE = -1;

    /** With the default for {@code gatherNs}. */
    public ConversationSettings(
            int systemId, int ownComponentId, Mode mode, long leadOutNs, long silenceNs, Timesync timesync) {
        this(systemId, ownComponentId, mode, leadOutNs, silenceNs, USUAL_GATHER_NS, timesync);
    }

    /** With the defaults for {@code gatherNs} and {@code timesync}. */
    public ConversationSettings(int systemId, int ownComponentId, Mode mode, long leadOutNs, long silenceNs) {
        this(systemId, ownComponentId, mode, leadOutNs, silenceNs, Timesync.DEFAULT);
    }

    /** The same settings for a link on which no vehicle is recorded. */
    public ConversationSettings withoutVehicles() {
        return new ConversationSettings(NO_VEHICLE, ownComponentId, mode, leadOutNs, silenceNs, gatherNs, timesync);
    }

    boolean admits(int vehicle) {
        return systemId == EVERY_VEHICLE || systemId == vehicle;
    }
}
