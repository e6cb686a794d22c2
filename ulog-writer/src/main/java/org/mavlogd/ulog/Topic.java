package org.mavlogd.ulog;

import java.util.Optional;

/**
 * A subscription in a log that is read: one instance of a format, with its message id.
 *
 * <p>If a log subscribes an id again, the new subscription is a new topic. Owned by the reader's thread.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Subscription Message"</a>
 */
public final class Topic {
    private static final Column[] NO_RUNS = {};

    private final String name;
    private final int multiId;
    private final int messageId;
    private @Nullable TopicLayout layout;
    // The entry of Definitions for topics without a layout; null once there is one.
    private Definitions.@Nullable Waiting waiting;

    // Allowed size of a data message's payload, including the message id; an empty range without a layout.
    int minSize = 1;
    int maxSize;

    // Offset of the 64-bit timestamp from the start of the payload; negative if there is none.
    int timestampAt = -1;
    // Position of the last sample in the log; negative before the first.
    long lastPosition = -1;
    final SmallTime smallTime = new SmallTime();

    Topic(String name, int multiId, int messageId) {
        this.name = name;
        this.multiId = multiId;
        this.messageId = messageId;
    }

    /** Name of the format. */
    public String name() {
        return name;
    }

    /** Instance of the format, 0 to 255. */
    public int multiId() {
        return multiId;
    }

    /** Id of the topic in data messages, 0 to 65535. */
    public int messageId() {
        return messageId;
    }

    /** Places of the fields; empty if the format is undefined or invalid. */
    public Optional<TopicLayout> layout() {
        return Optional.ofNullable(layout);
    }

    /** The reason for a missing layout; empty if there is a layout. */
    public String problem() {
        if (layout != null) {
            return "";
        }
        Formats.Resolution reason = waiting == null ? null : waiting.reason();
        return reason == null ? "format \"" + name + "\" is not defined" : reason.problem();
    }

    @Override
    public String toString() {
        return name + ":" + multiId;
    }

    boolean hasLayout() {
        return layout != null;
    }

    /** Empty for a topic without a layout. */
    Column[] runs() {
        return layout == null ? NO_RUNS : layout.runs();
    }

    void resolve(TopicLayout resolved) {
        layout = resolved;
        waiting = null;
        minSize = ULogLayout.DATA_HEADER_SIZE + resolved.sizeWithoutPadding();
        maxSize = ULogLayout.DATA_HEADER_SIZE + resolved.size();
        resolved.timestamp().ifPresent(timestamp -> {
            if (timestamp.type() == FieldType.UINT64) {
                timestampAt = ULogLayout.DATA_HEADER_SIZE + timestamp.offset();
            }
            smallTime.use(timestamp);
        });
    }

    void await(Definitions.Waiting all) {
        waiting = all;
    }

    /**
     * Extends timestamps of 8, 16 or 32 bits, which wrap, to full times.
     *
     * <p>The result is the earliest time with these low bits that is neither before the topic's last one nor more than
     * half a wrap before the log's clock. That clock is the newest time of any topic, advanced by dropouts.
     *
     * @see <a href="https://github.com/PX4/PX4-Devguide/blob/v1.8.2/en/log/ulog_file_format.md">ULog version 0,
     *     "timestamp"</a>
     */
    static final class SmallTime {
        private static final int US_PER_MS = 1000;

        private @Nullable Column column;
        private long wrap;
        private int unitUs = 1;
        private long lastUnits = -1;

        void use(Column timestamp) {
            column = timestamp;
            int bits = Byte.SIZE * timestamp.type().length();
            wrap = bits == Long.SIZE ? 0 : 1L << bits;
            unitUs = timestamp.type() == FieldType.UINT8 ? US_PER_MS : 1;
        }

        /**
         * Time of the sample whose fields start at {@code offset}, in microseconds; 0 if the topic has no timestamp.
         */
        long timestampUs(byte[] buffer, int offset, long clockUs) {
            if (column == null) {
                return 0;
            }
            int at = offset + column.offset();
            long low = switch (column.type()) {
                case UINT8 -> Bytes.uint8(buffer, at);
                case UINT16 -> Bytes.uint16(buffer, at);
                default -> Bytes.int32(buffer, at) & 0xFFFF_FFFFL;
            };
            long earliest = Math.max(Math.max(lastUnits, 0), clockUs / unitUs - wrap / 2);
            lastUnits = earliest + Math.floorMod(low - earliest, wrap);
            return lastUnits * unitUs;
        }
    }
}
