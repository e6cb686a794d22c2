package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;

/**
 * Settings of the conversations with vehicles.
 *
 * @param systemId the only vehicle to record, 0 for every one that is seen, or -1 for none
 * @param ownComponentId our MAVLink component id
 * @param leadOutNs in mode {@link Mode#ARMED}, how long recording continues after disarming
 * @param silenceNs how long a vehicle that is heard may send no log data before its log is taken to be over
 * @param gatherNs how long log data that nobody answers may wait in the kernel
 * @param timesync what is said about clocks
 */
public record ConversationSettings(
        int systemId, int ownComponentId, Mode mode, long leadOutNs, long silenceNs, long gatherNs, Timesync timesync) {
    private static final long USUAL_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(80);

    /** When a vehicle's log is wanted. */
    public enum Mode {
        /** For as long as the vehicle is there. */
        ALWAYS,
        /** From arming until some time after disarming. */
        ARMED
    }

    /**
     * What is said about clocks.
     *
     * @param asks whether vehicles that are recorded are asked for the time, and what comes of it is in their logs
     * @param answers whether vehicles that ask are told ours
     */
    public record Timesync(boolean asks, boolean answers) {
        /** Asks and does not answer: only one program may tell a vehicle the time, and a recorder has no need to. */
        public static final Timesync DEFAULT = new Timesync(true, false);

        /** Says nothing, and nothing about clocks is in the logs. */
        public static final Timesync OFF = new Timesync(false, false);
    }

    /** Every vehicle that is seen. */
    public static final int EVERY_VEHICLE = 0;

    // As a system id: nobody has it.
    private static final int NO_VEHICLE = -1;

    /** With the usual gathering. */
    public ConversationSettings(
            int systemId, int ownComponentId, Mode mode, long leadOutNs, long silenceNs, Timesync timesync) {
        this(systemId, ownComponentId, mode, leadOutNs, silenceNs, USUAL_GATHER_NS, timesync);
    }

    /** With the usual manners about clocks. */
    public ConversationSettings(int systemId, int ownComponentId, Mode mode, long leadOutNs, long silenceNs) {
        this(systemId, ownComponentId, mode, leadOutNs, silenceNs, Timesync.DEFAULT);
    }

    /** The same for a link where no vehicle is recorded. */
    public ConversationSettings withoutVehicles() {
        return new ConversationSettings(NO_VEHICLE, ownComponentId, mode, leadOutNs, silenceNs, gatherNs, timesync);
    }

    boolean admits(int vehicle) {
        return systemId == EVERY_VEHICLE || systemId == vehicle;
    }
}
