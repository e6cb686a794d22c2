package org.mavlogd.mavlink;

/** Takes each frame that is whole and whose checksum is right. Hot path. */
@FunctionalInterface
public interface FrameHandler {
    /**
     * One frame.
     *
     * @param frame reused for the next frame: valid during the call only
     */
    void onFrame(FrameView frame, long nowNs);
}
