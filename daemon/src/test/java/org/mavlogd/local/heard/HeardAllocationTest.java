package org.mavlogd.local.heard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;

/** After a sender's first message nothing is allocated, whether a message is published, limited, left out or lost. */
class HeardAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final int ATTEMPTS = 10;

    private final LocalFeed feed = new LocalFeed("a", 1 << 16);
    private final HeardMessages heard = new HeardMessages(
            "a",
            new HeardSettings(
                    List.of("*"),
                    List.of("VFR_HUD"),
                    0,
                    List.of(new HeardSettings.Limit("BATTERY_STATUS", 10)),
                    HeardSettings.StatusTextMode.AUTO,
                    HeardSettings.SenderChoice.ANYONE),
            new HeardMessages.Instances(),
            feed.publisher(),
            new TextOutlet("link", feed.publisher(), TagMap.DEFAULT, new TextLimiter.Limits(20, 200), new Metrics()),
            new Metrics());
    private final FrameDecoder decoder =
            new FrameDecoder((frame, now) -> heard.onFrame(frame, true, false, now), FrameCounters.unregistered());
    private final List<byte[]> frames = List.of(
            HeardFrames.of("ATTITUDE").payload(new byte[] {1, 2, 3, 4, 5}).bytes(),
            HeardFrames.of("ATTITUDE").from(1, 9).payload(new byte[28]).bytes(),
            HeardFrames.of("BATTERY_STATUS").payload(new byte[] {1}).bytes(),
            HeardFrames.of("VFR_HUD").payload(new byte[] {1}).bytes(),
            // Of an autopilot that writes the same message to its log.
            HeardFrames.text(4, "text", 0, 0).bytes());
    private final Counting counting = new Counting();
    private final LocalFeed.Consumer consumer = feed.consumer(counting);
    private long nowNs = TimeUnit.SECONDS.toNanos(9);

    @Test
    void messagesAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);
        stream();

        long allocated = Long.MAX_VALUE;
        long samplesBefore = counting.samples;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            stream();
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).as("bytes for %d frames", ROUNDS * frames.size()).isZero();
        assertThat(counting.samples - samplesBefore).isGreaterThan(2 * ROUNDS);
    }

    private void stream() {
        for (int i = 0; i < ROUNDS; i++) {
            for (int f = 0; f < frames.size(); f++) {
                decoder.decodeDatagram(frames.get(f), 0, frames.get(f).length, nowNs);
            }
            heard.onTick(nowNs);
            nowNs += 1_000_000;
            // The ring is full at times.
            if (i % 1000 < 900) {
                consumer.drain(100);
            }
        }
    }

    private static final class Counting implements LocalFeed.Handler {
        private long samples;

        @Override
        public void onSample(
                LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
            samples++;
        }

        @Override
        public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
            throw new AssertionError("a text");
        }
    }
}
