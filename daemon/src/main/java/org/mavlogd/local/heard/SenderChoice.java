package org.mavlogd.local.heard;

/** Whose messages are recorded. */
public enum SenderChoice {
    /** Vehicles, and all components with a vehicle's system id. */
    VEHICLES,
    /** All systems, ground stations too, that are heard from where a vehicle is or from a far end that was configured. */
    LINK,
    /** Whoever can send to the link. */
    ANYONE
}
