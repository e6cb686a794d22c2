package org.mavlogd.config;

import java.util.concurrent.TimeUnit;
import org.mavlogd.vehicle.ConversationSettings;

/** Section {@code [vehicle]}: which vehicles are recorded. */
final class VehicleSection {
    private static final Key<Integer> SYSTEM_ID = Key.integer(
            "system_id",
            ConversationSettings.EVERY_VEHICLE,
            ValueTypes.range(ConversationSettings.EVERY_VEHICLE, 255),
            "MAVLink system id of the one vehicle to record; 0 records every vehicle seen");
    private static final Key<Integer> SILENCE_TIMEOUT_S = Key.integer(
            "silence_timeout_s",
            5,
            ValueTypes.range(1, 600),
            "seconds without anything from a vehicle until its log is finished");

    static final Section SECTION =
            Section.table("vehicle", "which vehicles are recorded", SYSTEM_ID, SILENCE_TIMEOUT_S);

    private VehicleSection() {}

    /** How vehicles are treated, which sections {@code [log]} and {@code [mavlink]} say, too. */
    static ConversationSettings read(SectionReader section, SectionReader log, SectionReader mavlink) {
        return new ConversationSettings(
                section.value(SYSTEM_ID),
                MavlinkSection.componentId(mavlink),
                LogSection.mode(log),
                LogSection.leadOutNs(log),
                TimeUnit.SECONDS.toNanos(section.value(SILENCE_TIMEOUT_S)),
                MavlinkSection.timesync(mavlink));
    }
}
