package org.mavlogd.signing;

/** The result of checking a frame's signature: what it proves about the sender. */
public enum Proof {
    /** The frame was not checked: there is no key. */
    NOT_ASKED,
    /** The frame is not signed, and the policy accepts such frames. */
    UNSIGNED,
    /**
     * The frame is not signed, although its sender has signed before: acceptable only where that sender is known to be.
     */
    SUSPECT,
    /** The signature is valid, and the frame is new. */
    SIGNED,
    /**
     * The signature is valid, but its time is not: the frame is repeated, or the sender's clock is behind and must
     * receive our time first.
     */
    OLD,
    /** The signature is wrong, or missing although required. */
    REFUSED;

    /** Whether the frame may have any effect. */
    public boolean isGood() {
        return this != OLD && this != REFUSED;
    }
}
