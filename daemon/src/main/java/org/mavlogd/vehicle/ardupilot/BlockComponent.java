package org.mavlogd.vehicle.ardupilot;

/** Who sends log blocks. */
public final class BlockComponent {
    /** MAV_COMP_ID_LOG: beside the autopilot's own component, under the same system id. */
    public static final int ID = 155;

    private BlockComponent() {}
}
