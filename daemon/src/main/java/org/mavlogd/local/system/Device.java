package org.mavlogd.local.system;

/** A device with a line of its own in a table of the kernel. */
abstract class Device {
    final String name;
    final int instance;
    /** Whether it is in the table as it was read last. */
    boolean present;

    /** @param instance number among those that are recorded, or {@link org.mavlogd.local.Instances#NONE} */
    Device(String name, int instance) {
        this.name = name;
        this.instance = instance;
    }
}
