package org.mavlogd.vehicle;

import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;

/**
 * Copies the frames of a link for telemetry logs, if these are enabled. Contains errors: the link records as if there
 * were no telemetry logs. Owned by the link's thread.
 */
final class KeptFrames {
    private final @Nullable FrameFeed feed;
    private final FeedPublisher logs;

    KeptFrames(@Nullable FrameFeed feed, FeedPublisher logs) {
        this.feed = feed;
        this.logs = logs;
    }

    /** Keeps a copy of a frame if it belongs in a telemetry log. Hot path. */
    void onFrame(FrameView frame, long nowNs) {
        // Log streams are recorded as logs, SETUP_SIGNING contains a secret key, and a frame with a cut signature is
        // incomplete.
        if (feed == null
                || frame.isOfLogStream()
                || frame.isSignatureCut()
                || frame.messageId() == MessageIds.SETUP_SIGNING
                || !feed.errors().mayRun()) {
            return;
        }
        try {
            int at = feed.claim(frame.length(), nowNs, logs.sinceNs(nowNs));
            if (at >= 0) {
                frame.copyFrame(feed.buffer(), at);
                feed.commit();
            }
        } catch (Throwable e) {
            feed.abort();
            feed.errors().contain(e);
        }
    }
}
