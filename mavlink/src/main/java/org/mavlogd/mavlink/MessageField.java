package org.mavlogd.mavlink;

import org.mavlogd.ulog.FieldType;

/**
 * One field of a message's payload. MAVLink's names of types are ULog's.
 *
 * @param arrayLength 1 to 255, or {@link #SCALAR}
 * @param name as in the definition
 * @param isExtension whether it stands behind the fields that MAVLink 1 sends, and is not part of the checksum's extra
 * @param isInstance whether it says which of several alike things the message tells of: the number of a battery
 * @param unit as in the definition, {@code degE7}; empty where there is none
 */
public record MessageField(
        FieldType type, int arrayLength, String name, boolean isExtension, boolean isInstance, String unit) {
    public static final int SCALAR = 0;

    /** Bytes in the payload. */
    public int length() {
        return type.length() * Math.max(1, arrayLength);
    }
}
