package org.mavlogd.vehicle;

/** Which MAVLink a frame of ours is of. */
enum FrameVersion {
    /** Never signed, whole payloads, messages up to 255. */
    V1,
    V2
}
