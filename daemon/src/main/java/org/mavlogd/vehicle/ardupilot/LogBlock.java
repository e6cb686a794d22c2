package org.mavlogd.vehicle.ardupilot;

import org.agrona.MutableDirectBuffer;
import org.mavlogd.feed.BlockHash;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;

/**
 * Reads REMOTE_LOG_DATA_BLOCK in a frame of MAVLink 1 or 2, including the zeros that MAVLink 2 omits. Reused for one
 * frame after the other; valid as long as the frame. Hot path.
 */
public final class LogBlock implements FeedPublisher.BlockSource {
    /** The component that sends it: MAV_COMP_ID_LOG, under the system id of the autopilot. */
    public static final int COMPONENT_ID = 155;

    private FrameView frame;

    public LogBlock(FrameView frame) {
        this.frame = frame;
    }

    /** Shows another frame. */
    public LogBlock wrap(FrameView view) {
        frame = view;
        return this;
    }

    @Override
    public long number() {
        return frame.uint32(LogBlockLayout.NUMBER_OFFSET);
    }

    /** Whether the vehicle sends it to that component; an ack from another one would take it away from there. */
    boolean isFor(int systemId, int componentId) {
        return frame.uint8(LogBlockLayout.TARGET_SYSTEM) == systemId
                && frame.uint8(LogBlockLayout.TARGET_COMPONENT) == componentId;
    }

    /** The hash of its content, see {@link BlockHash}. */
    long hash() {
        long hash = BlockHash.START;
        for (int at = 0; at < LogBlockLayout.DATA_LENGTH; at += Long.BYTES) {
            hash = BlockHash.add(hash, frame.int64(LogBlockLayout.DATA_OFFSET + at));
        }
        return BlockHash.finish(hash);
    }

    @Override
    public void copyData(MutableDirectBuffer target, int targetIndex) {
        frame.copyPayload(LogBlockLayout.DATA_OFFSET, target, targetIndex, LogBlockLayout.DATA_LENGTH);
    }
}
