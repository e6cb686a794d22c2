package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.mavlink.BrokenFrames;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;

/** The frames of a link that go into telemetry logs. */
class KeptFramesTest {
    private final Metrics metrics = new Metrics();
    private final FrameFeed feed = new FrameFeed("a", false, metrics);
    private final FeedPublisher logs = new Feed("a", 4096).publisher();
    private final KeptFrames kept = new KeptFrames(feed, logs);
    private final FrameDecoder decoder = new FrameDecoder(kept::onFrame, FrameCounters.register(new Metrics(), "test"));

    @Test
    void allButLogStreamsAndKeysAsItCame() {
        List<byte[]> expected = new ArrayList<>();
        for (int id : new int[] {
            MessageIds.LOGGING_DATA,
            MessageIds.HEARTBEAT,
            MessageIds.LOGGING_DATA_ACKED,
            MessageIds.LOGGING_ACK,
            MessageIds.REMOTE_LOG_DATA_BLOCK,
            MessageIds.PARAM_VALUE,
            MessageIds.REMOTE_LOG_BLOCK_STATUS,
            MessageIds.SETUP_SIGNING
        }) {
            byte[] frame = frame(id);
            decoder.decode(frame, 0, frame.length, 7);
            if (id == MessageIds.HEARTBEAT || id == MessageIds.PARAM_VALUE) {
                expected.add(frame);
            }
        }

        List<byte[]> heard = new ArrayList<>();
        feed.consumer((arrivalNs, sinceNs, buffer, offset, length) -> {
                    byte[] frame = new byte[length];
                    buffer.getBytes(offset, frame);
                    heard.add(frame);
                    assertThat(arrivalNs).isEqualTo(7);
                })
                .drain(100, 7);
        assertThat(heard).usingRecursiveFieldByFieldElementComparator().containsExactlyElementsOf(expected);
    }

    /** After an error within a frame, the ring must not wait for the rest of this frame. */
    @Test
    void aFrameThatCannotBeCopiedHoldsUpNoOther() {
        byte[] frame = frame(MessageIds.HEARTBEAT);
        FrameDecoder breaking = new FrameDecoder(
                (view, nowNs) -> {
                    BrokenFrames.breakView(view);
                    kept.onFrame(view, nowNs);
                },
                FrameCounters.unregistered());
        breaking.decode(frame, 0, frame.length, 7);
        assertThat(metrics.scrape()).contains("mavlogd_contained_errors_total{part=\"tlog.a\"} 1.0");
        feed.abort(); // no frame is open now

        decoder.decode(frame, 0, frame.length, 7);

        int[] heard = {0};
        feed.consumer((arrivalNs, sinceNs, buffer, offset, length) -> heard[0] += length)
                .drain(100, 7);
        assertThat(heard[0]).isEqualTo(frame.length);
        assertThat(feed.lost()).isEqualTo(1);
    }

    @Test
    void withTheTimeSinceWhenItMayHaveWaited() {
        byte[] frame = frame(MessageIds.HEARTBEAT);
        logs.waited(3);
        decoder.decode(frame, 0, frame.length, 7);
        logs.waitedEnd();
        decoder.decode(frame, 0, frame.length, 8);

        List<String> heard = new ArrayList<>();
        feed.consumer((arrivalNs, sinceNs, buffer, offset, length) -> heard.add(arrivalNs + " since " + sinceNs))
                .drain(100, 8);
        assertThat(heard).containsExactly("7 since 3", "8 since 8");
    }

    private static byte[] frame(int messageId) {
        byte[] payload = new byte[20];
        payload[19] = 1;
        byte[] target = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(1).encode(1, messageId, payload, payload.length, target, 0);
        return Arrays.copyOf(target, length);
    }
}
