package org.mavlogd.local;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;

/** The recorder's side of a feed of log messages. */
public final class TakenTexts implements LocalFeed.Handler {
    private final LocalFeed.Consumer consumer;
    private final List<Text> texts = new ArrayList<>();

    /** A log message as it is stored in a log. */
    public record Text(int level, int tag, long takenNs, String text) {}

    public TakenTexts(LocalFeed feed) {
        this.consumer = feed.consumer(this);
    }

    /** Messages published since the last call. */
    public List<Text> take() {
        texts.clear();
        while (consumer.drain(1000) > 0) {
            // until the ring is empty
        }
        return List.copyOf(texts);
    }

    /** The messages without their attributes. */
    public List<String> words() {
        return take().stream().map(Text::text).toList();
    }

    @Override
    public void onSample(LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
        throw new AssertionError("a sample of " + topic.name());
    }

    @Override
    public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
        byte[] utf8 = new byte[length];
        buffer.getBytes(offset, utf8);
        texts.add(new Text(level, tag, takenNs, new String(utf8, StandardCharsets.UTF_8)));
    }
}
