package org.mavlogd.vehicle;

import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;

/** Passes the frames of a link on for telemetry logs, if these are enabled. Owned by the link's thread. */
final class KeptFrames {
    private final @Nullable FrameFeed feed;

    KeptFrames(@Nullable FrameFeed feed) {
        this.feed = feed;
    }

    /** Keeps a copy of a frame, if it belongs into a telemetry log. Hot path. */
    void onFrame(FrameView frame, long nowNs) {
        // Log streams have logs of their own, a key is nobody's to read, and a cut signature belongs to a frame that
        // never was complete.
        if (feed == null
                || frame.isOfLogStream()
                || frame.isSignatureCut()
                || frame.messageId() == MessageIds.SETUP_SIGNING) {
            return;
        }
        int at = feed.claim(frame.length(), nowNs);
        if (at >= 0) {
            frame.copyFrame(feed.buffer(), at);
            feed.commit();
        }
    }
}
