package org.mavlogd.signing;

/** Which frames are taken when there is a key. */
public enum SigningPolicy {
    /** Only validly signed ones. */
    SIGNED_ONLY,
    /** Unsigned ones as well; a signature that is there must be right. */
    MIXED
}
