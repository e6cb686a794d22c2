package org.mavlogd.ulog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The formats and topics that a log has declared so far. Bounded, however many it declares. */
final class Definitions {
    // Real logs have up to 300 formats of 40 KiB and less than 10,000 columns; a made-up one must not fill a small
    // heap.
    static final int MAX_FORMATS = 16_384;
    static final int MAX_FORMAT_BYTES = 1 << 20;
    static final int MAX_FIELDS = 1 << 16;
    static final int MAX_COLUMNS = 1 << 17;
    static final int MAX_PATH_CHARS = 4 << 20;
    private static final int FIRST_TOPICS = 256;

    private final Map<String, TopicFormat> formats = new HashMap<>();
    private final Map<String, TopicLayout> layouts = new HashMap<>();
    private Topic[] topics = new Topic[FIRST_TOPICS];

    // Sizes of data messages whose id has no layout, once one was seen in its place; 0 if none was.
    private char[] learnedSizes = {};
    private int largestData;
    private long formatBytes;
    private long fields;
    private long columns;
    private long pathChars;

    @Nullable
    Topic topic(int messageId) {
        return messageId < topics.length ? topics[messageId] : null;
    }

    int learnedSize(int messageId) {
        return messageId < learnedSizes.length ? learnedSizes[messageId] : 0;
    }

    /** Size of the largest data message that a topic so far can have. */
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

    /** Takes the payload of a format message. Of two with one name the later counts, for later subscriptions. */
    @Nullable
    TopicFormat addFormat(byte[] buffer, int offset, int length) throws ULogException {
        TopicFormat format;
        try {
            format = TopicFormat.parse(buffer, offset, length);
        } catch (ULogException malformed) {
            return null;
        }
        TopicFormat before = formats.put(format.name(), format);
        formatBytes += length;
        fields += format.fields().size();
        if (formats.size() > MAX_FORMATS || formatBytes > MAX_FORMAT_BYTES || fields > MAX_FIELDS) {
            throw new ULogException("more than " + MAX_FORMATS + " formats, " + MAX_FORMAT_BYTES + " bytes or "
                    + MAX_FIELDS + " fields of them");
        }
        if (!format.equals(before)) {
            layouts.clear();
            resolveWaiting();
        }
        return format;
    }

    /** Takes the payload of a subscription message. */
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
        resolve(topic);
        if (topic.messageId() >= topics.length) {
            topics = Arrays.copyOf(topics, ULogLayout.MAX_MESSAGE_ID + 1);
        }
        topics[topic.messageId()] = topic;
        return topic;
    }

    /** A format after a subscription that needs it is against the rules, but then the topic is of use after all. */
    private void resolveWaiting() throws ULogException {
        for (Topic topic : topics) {
            if (topic != null && !topic.hasLayout()) {
                resolve(topic);
            }
        }
    }

    private void resolve(Topic topic) throws ULogException {
        TopicFormat format = formats.get(topic.name());
        if (format == null) {
            topic.refuse("format \"" + topic.name() + "\" is not defined");
            return;
        }
        TopicLayout layout = layouts.get(topic.name());
        if (layout == null) {
            try {
                layout = TopicLayout.of(format, formats);
            } catch (ULogException refused) {
                topic.refuse(String.valueOf(refused.getMessage()));
                return;
            }
            layouts.put(topic.name(), layout);
            columns += layout.columns().size();
            for (Column column : layout.columns()) {
                pathChars += column.path().length();
            }
            if (columns > MAX_COLUMNS || pathChars > MAX_PATH_CHARS) {
                throw new ULogException("the topics have more than " + MAX_COLUMNS + " fields or " + MAX_PATH_CHARS
                        + " characters in their names");
            }
        }
        topic.resolve(layout);
        largestData = Math.max(largestData, topic.maxSize);
    }
}
