package org.mavlogd.config;

import org.mavlogd.vehicle.ConversationSettings;

/** Section {@code [mavlink]}: how we appear on the MAVLink network. */
final class MavlinkSection {
    private static final Key<Integer> COMPONENT_ID = Key.integer(
            "component_id",
            191, // MAV_COMP_ID_ONBOARD_COMPUTER
            ValueTypes.range(1, 255),
            "our MAVLink component id; change it when another program of this vehicle uses the same");

    private static final Key<Boolean> TIMESYNC = Key.bool(
            "timesync",
            true,
            "ask recorded vehicles for the time, about once a second, so that what this computer measures stands at the right"
                    + " place in their logs");
    private static final Key<Boolean> ANSWER_TIMESYNC = Key.bool(
            "answer_timesync",
            false,
            "tell a vehicle that asks this computer's monotonic time; only one program of a vehicle may do that");

    static final Section SECTION =
            Section.table("mavlink", "how we appear on the MAVLink network", COMPONENT_ID, TIMESYNC, ANSWER_TIMESYNC);

    private MavlinkSection() {}

    /** Ours; our system id is the vehicle's. */
    static int componentId(SectionReader section) {
        return section.value(COMPONENT_ID);
    }

    static ConversationSettings.Timesync timesync(SectionReader section) {
        return new ConversationSettings.Timesync(section.value(TIMESYNC), section.value(ANSWER_TIMESYNC));
    }
}
