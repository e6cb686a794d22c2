package org.mavlogd.ulog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** The formats and topics that a log has declared so far. Its memory is bounded for any log. */
final class Definitions {
    private static final int FIRST_TOPICS = 256;

    // Heap of a topic with its entries in arrays and maps.
    private static final int TOPIC_BYTES = 256;

    private final Formats formats;
    private Topic[] topics = new Topic[FIRST_TOPICS];
    // Name of a format -> its topics without a layout.
    private final Map<String, Waiting> waiting = new HashMap<>();

    // Size of the data messages of ids without a layout, from the last one seen; 0 if none was seen.
    private char[] learnedSizes = {};
    private int largestData;

    /**
     * The topics whose format has no layout, and the reason; the reason is null as long as the format is not defined.
     */
    static final class Waiting {
        private final Set<Topic> topics = new HashSet<>();
        private Formats.@Nullable Resolution reason;

        Formats.@Nullable Resolution reason() {
            return reason;
        }
    }

    Definitions() {
        this(bytes -> true);
    }

    /** @param memory called with a number of bytes of heap before they are used; returns false to refuse them */
    Definitions(LongPredicate memory) {
        this.formats = new Formats(memory);
    }

    @Nullable
    Topic topic(int messageId) {
        return messageId < topics.length ? topics[messageId] : null;
    }

    int learnedSize(int messageId) {
        return messageId < learnedSizes.length ? learnedSizes[messageId] : 0;
    }

    /** Size of the largest data message of the topics so far. */
    int largestData() {
        return largestData;
    }

    void learnSize(int messageId, int size) {
        if (learnedSizes.length == 0) {
            learnedSizes = new char[ULogLayout.MAX_MESSAGE_ID + 1];
        }
        learnedSizes[messageId] = (char) size;
        largestData = Math.max(largestData, size);
    }

    /**
     * Adds the payload of a format message. Of two formats with the same name later subscriptions use the later one.
     */
    @Nullable
    TopicFormat addFormat(byte[] buffer, int offset, int length) throws ULogException {
        TopicFormat format;
        try {
            format = TopicFormat.parse(buffer, offset, length);
        } catch (ULogException malformed) {
            return null;
        }
        switch (formats.add(format, length)) {
            case NEW -> resolveWaiting(formats.freed(format.name()));
            case CHANGED -> resolveWaiting(waiting.keySet());
            case KNOWN -> {
                // nothing changes
            }
        }
        return format;
    }

    /** Adds the payload of a subscription message. */
    @Nullable
    Topic subscribe(byte[] buffer, int offset, int length) throws ULogException {
        int nameLength = length - ULogLayout.SUBSCRIPTION_HEADER_SIZE;
        int nameOffset = offset + ULogLayout.SUBSCRIPTION_HEADER_SIZE;
        while (nameLength > 0 && buffer[nameOffset + nameLength - 1] == 0) {
            nameLength--;
        }
        if (nameLength <= 0 || nameLength > Names.MAX_LENGTH) {
            return null;
        }
        String name = new String(buffer, nameOffset, nameLength, StandardCharsets.UTF_8);
        Topic topic = new Topic(name, Bytes.uint8(buffer, offset), Bytes.uint16(buffer, offset + 1));
        put(topic);
        Formats.Resolution resolution = formats.resolve(name);
        TopicLayout layout = resolution == null ? null : resolution.layout();
        if (layout == null) {
            await(topic, resolution);
        } else {
            resolve(topic, layout);
        }
        return topic;
    }

    private void await(Topic topic, Formats.@Nullable Resolution reason) {
        Waiting all = waiting.computeIfAbsent(topic.name(), key -> new Waiting());
        all.reason = reason;
        all.topics.add(topic);
        topic.await(all);
    }

    private void resolve(Topic topic, TopicLayout layout) {
        topic.resolve(layout);
        largestData = Math.max(largestData, topic.maxSize);
    }

    private void put(Topic topic) throws ULogException {
        if (topic.messageId() >= topics.length) {
            topics = Arrays.copyOf(topics, ULogLayout.MAX_MESSAGE_ID + 1);
        }
        Topic before = topics[topic.messageId()];
        if (before == null || before.name().length() < topic.name().length()) {
            formats.reserve(TOPIC_BYTES + topic.name().length());
        }
        if (before != null && !before.hasLayout()) {
            waiting.computeIfPresent(before.name(), (name, all) -> without(before, all));
        }
        topics[topic.messageId()] = topic;
    }

    private static @Nullable Waiting without(Topic topic, Waiting all) {
        all.topics.remove(topic);
        return all.topics.isEmpty() ? null : all;
    }

    /** A format after a subscription that needs it breaks the rules, but makes the topic readable. */
    private void resolveWaiting(Set<String> names) throws ULogException {
        formats.work(names.size());
        for (String name : List.copyOf(names)) {
            Waiting all = waiting.get(name);
            if (all != null) {
                resolveWaiting(name, all);
            }
        }
    }

    private void resolveWaiting(String name, Waiting all) throws ULogException {
        Formats.Resolution resolution = formats.resolve(name);
        all.reason = resolution;
        TopicLayout layout = resolution == null ? null : resolution.layout();
        if (layout != null) {
            waiting.remove(name);
            all.topics.forEach(topic -> resolve(topic, layout));
        }
    }
}
