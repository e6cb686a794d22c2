package org.mavlogd.config;

/**
 * Section {@code [vehicle]}: which vehicles are recorded.
 *
 * @param systemId {@link #EVERY_VEHICLE}, or the MAVLink system id of the only one
 * @param silenceTimeoutS seconds without anything from a vehicle until its log is finished
 */
public record VehicleSettings(int systemId, int silenceTimeoutS) {
    /** No choice by system id. */
    public static final int EVERY_VEHICLE = 0;

    private static final Key<Integer> SYSTEM_ID = Key.integer(
            "system_id",
            EVERY_VEHICLE,
            ValueTypes.range(EVERY_VEHICLE, 255),
            "MAVLink system id of the one vehicle to record; 0 records every vehicle seen");
    private static final Key<Integer> SILENCE_TIMEOUT_S = Key.integer(
            "silence_timeout_s",
            5,
            ValueTypes.range(1, 600),
            "seconds without anything from a vehicle until its log is finished");

    static final Section SECTION =
            Section.table("vehicle", "which vehicles are recorded", SYSTEM_ID, SILENCE_TIMEOUT_S);

    static VehicleSettings read(SectionReader section) {
        return new VehicleSettings(section.value(SYSTEM_ID), section.value(SILENCE_TIMEOUT_S));
    }
}
