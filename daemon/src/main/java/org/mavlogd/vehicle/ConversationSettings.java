package org.mavlogd.vehicle;

/**
 * How vehicles are treated.
 *
 * @param systemId the only vehicle to record, or 0 for every one that is seen
 * @param ownComponentId our MAVLink component id
 * @param leadOutNs in mode {@link RecordingMode#ARMED}, how long recording continues after disarming
 * @param silenceNs how long a vehicle that is heard may send no log data before its log is taken to be over
 * @param timesync what is said about clocks
 */
public record ConversationSettings(
        int systemId,
        int ownComponentId,
        RecordingMode mode,
        long leadOutNs,
        long silenceNs,
        TimesyncSettings timesync) {
    /** Every vehicle that is seen. */
    public static final int EVERY_VEHICLE = 0;

    /** With the usual manners about clocks. */
    public ConversationSettings(int systemId, int ownComponentId, RecordingMode mode, long leadOutNs, long silenceNs) {
        this(systemId, ownComponentId, mode, leadOutNs, silenceNs, TimesyncSettings.DEFAULT);
    }

    boolean admits(int vehicle) {
        return systemId == EVERY_VEHICLE || systemId == vehicle;
    }
}
