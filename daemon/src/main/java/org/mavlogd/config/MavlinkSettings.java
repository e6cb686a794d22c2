package org.mavlogd.config;

/**
 * Section {@code [mavlink]}: how we appear on the MAVLink network.
 *
 * @param componentId ours, from 1 to 255; our system id is the vehicle's
 */
public record MavlinkSettings(int componentId) {
    private static final Key<Integer> COMPONENT_ID = Key.integer(
            "component_id",
            191, // MAV_COMP_ID_ONBOARD_COMPUTER
            ValueTypes.range(1, 255),
            "our MAVLink component id; change it when another program of this vehicle uses the same");

    static final Section SECTION = Section.table("mavlink", "how we appear on the MAVLink network", COMPONENT_ID);

    static MavlinkSettings read(SectionReader section) {
        return new MavlinkSettings(section.value(COMPONENT_ID));
    }
}
