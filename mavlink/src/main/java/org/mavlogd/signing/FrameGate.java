package org.mavlogd.signing;

import org.mavlogd.mavlink.FrameView;

/** Asks each frame of one link what it proves about its sender. Hot path. */
@FunctionalInterface
public interface FrameGate {
    /** Takes any frame: there is no key. */
    FrameGate OPEN = (frame, nowNs) -> Proof.NOT_ASKED;

    Proof judge(FrameView frame, long nowNs);

    /** Why no frame gets through now, with its cause; empty when frames do, or none comes. */
    default String problem(long nowNs) {
        return "";
    }
}
