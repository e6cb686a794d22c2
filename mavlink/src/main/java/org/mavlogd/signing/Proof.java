package org.mavlogd.signing;

/** The result of checking a frame's signature: what it proves about the sender. */
public enum Proof {
    /** Nobody asked: there is no key. */
    NOT_ASKED,
    /** No signature, and the policy takes such frames. */
    UNSIGNED,
    /** No signature, though its sender has signed before: good only where that sender is known to be. */
    SUSPECT,
    /** The signature is right, and the frame was never seen before. */
    SIGNED,
    /** The signature is right, but its time is not: repeated, or of a sender whose clock must hear ours first. */
    OLD,
    /** Nothing: the signature is wrong, or missing where one is needed. */
    REFUSED;

    /** Whether the frame may have any effect. */
    public boolean isGood() {
        return this != OLD && this != REFUSED;
    }
}
