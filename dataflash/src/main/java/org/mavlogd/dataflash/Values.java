package org.mavlogd.dataflash;

/** In which form values come into the ULog. */
public enum Values {
    /** As the vehicle logged them; units and scales stand in the info {@code field_units}. */
    RAW,
    /** In their units, as double, where the log tells how. */
    SCALED
}
