package org.mavlogd.local.heard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.Column;

/** One link whose messages are recorded, with the recorder's side of its feed. */
final class HeardLink implements LocalFeed.Handler {
    static final HeardSettings ALL = new HeardSettings(
            List.of("*"),
            List.of(),
            HeardSettings.UNLIMITED,
            List.of(),
            HeardSettings.StatusTextMode.AUTO,
            HeardSettings.SenderChoice.ANYONE);

    final Metrics metrics = new Metrics();
    final LocalFeed feed;
    final HeardMessages heard;
    final List<Sample> samples = new ArrayList<>();
    final List<Text> texts = new ArrayList<>();
    long nowNs = TimeUnit.SECONDS.toNanos(50);
    boolean isLogged;
    boolean isNamed;
    private final FrameDecoder decoder;
    private final LocalFeed.Consumer consumer;

    /** The bytes of a sample after the timestamp. */
    record Sample(LocalTopic topic, int instance, long takenNs, UnsafeBuffer values) {
        byte[] bytes() {
            byte[] bytes = new byte[values.capacity()];
            values.getBytes(0, bytes);
            return bytes;
        }

        String name() {
            return topic.name();
        }

        /** The bytes of one field. */
        byte[] field(String name) {
            Column column = topic.layout().columns().stream()
                    .filter(candidate -> candidate.path().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(topic.name() + " has no field " + name));
            int from = column.offset() - Long.BYTES;
            return java.util.Arrays.copyOfRange(
                    bytes(), from, from + column.count() * column.type().length());
        }
    }

    record Text(int level, int tag, long takenNs, String text) {}

    HeardLink(HeardSettings settings) {
        this(settings, "a", new HeardMessages.Instances(), 1 << 20);
    }

    HeardLink(HeardSettings settings, String name, HeardMessages.Instances instances, int ringBytes) {
        this(settings, instances, new LocalFeed(name, ringBytes));
    }

    HeardLink(HeardSettings settings, HeardMessages.Instances instances, LocalFeed its) {
        feed = its;
        LocalPublisher publisher = feed.publisher();
        heard = new HeardMessages(
                feed.name(),
                settings,
                instances,
                publisher,
                new TextOutlet("link", publisher, TagMap.DEFAULT, new TextLimiter.Limits(20, 200), metrics),
                metrics);
        decoder = new FrameDecoder(
                (frame, now) -> heard.onFrame(frame, isLogged, isNamed, now),
                FrameCounters.unregistered(),
                settings.dialect());
        consumer = feed.consumer(this);
    }

    static HeardSettings allOf(Dialect dialect) {
        return new HeardSettings(
                ALL.include(), ALL.exclude(), ALL.maxHz(), ALL.limits(), ALL.statusText(), ALL.senders(), dialect);
    }

    static HeardSettings including(String... patterns) {
        return new HeardSettings(
                List.of(patterns),
                List.of(),
                HeardSettings.UNLIMITED,
                List.of(),
                HeardSettings.StatusTextMode.AUTO,
                HeardSettings.SenderChoice.ANYONE);
    }

    void send(HeardFrames frame) {
        send(frame.bytes());
    }

    void send(byte[] bytes) {
        decoder.decodeDatagram(bytes, 0, bytes.length, nowNs);
    }

    void pass(long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
        heard.onTick(nowNs);
    }

    /** Samples published since the last call. */
    List<Sample> take() {
        samples.clear();
        drain();
        return List.copyOf(samples);
    }

    List<String> takeTexts() {
        texts.clear();
        drain();
        return texts.stream().map(Text::text).toList();
    }

    void drain() {
        // Where the ring's memory wraps, a call may return nothing though more follows.
        for (int i = 0; feed.fill() > 0; i++) {
            assertThat(i).as("calls: a record is never committed").isLessThan(1000);
            consumer.drain(1000);
        }
    }

    /** Internal errors that were contained. */
    long errors() {
        return metrics.containment().statuses().stream()
                .mapToLong(ContainedPart.Status::errors)
                .sum();
    }

    long count(String counter) {
        return metrics.total(counter);
    }

    @Override
    public void onSample(LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        samples.add(new Sample(topic, instance, takenNs, new UnsafeBuffer(bytes)));
    }

    @Override
    public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        texts.add(new Text(level, tag, takenNs, new String(bytes, StandardCharsets.UTF_8)));
    }
}
