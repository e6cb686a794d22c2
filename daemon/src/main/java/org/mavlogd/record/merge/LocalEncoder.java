package org.mavlogd.record.merge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * Encodes local samples and log messages, one at a time: {@link #buffer} holds the result until the next one. Owned by
 * the recorder's thread. Hot path, except for subscriptions: allocates nothing.
 */
final class LocalEncoder {
    /** Bytes of a sample's message besides the fields after the timestamp. */
    static final int SAMPLE_OVERHEAD = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE + Long.BYTES;

    /** Bytes of a tagged log message besides its text. */
    static final int TEXT_OVERHEAD = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.TAGGED_STRING_HEADER_SIZE;

    private static final int CAPACITY =
            Math.max(LocalTopic.MAX_SAMPLE_BYTES, LocalPublisher.MAX_TEXT_BYTES) + TEXT_OVERHEAD + SAMPLE_OVERHEAD;

    private final ByteBuffer message = ByteBuffer.allocate(CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer view = new UnsafeBuffer(message);

    DirectBuffer buffer() {
        return view;
    }

    int length() {
        return message.position();
    }

    void subscription(int multiId, int messageId, String name) {
        message.clear();
        MessageEncoder.subscription(message, multiId, messageId, name);
    }

    /** 'D' with a time and the fields of the record. */
    void sample(int messageId, long timestampUs, LocalRecordView record) {
        begin(MessageType.DATA, SAMPLE_OVERHEAD, record.length());
        message.putShort((short) messageId).putLong(timestampUs);
        put(record.buffer(), record.offset(), record.length());
    }

    /** 'C' with the text of the record. */
    void text(long timestampUs, LocalRecordView record) {
        begin(MessageType.TAGGED_STRING, TEXT_OVERHEAD, record.length());
        message.put((byte) ('0' + record.level()))
                .putShort((short) record.tag())
                .putLong(timestampUs);
        put(record.buffer(), record.offset(), record.length());
    }

    /** 'C' with a text of the recorder. */
    void text(int level, int tag, long timestampUs, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, LocalPublisher.MAX_TEXT_BYTES);
        begin(MessageType.TAGGED_STRING, TEXT_OVERHEAD, length);
        message.put((byte) ('0' + level)).putShort((short) tag).putLong(timestampUs);
        message.put(bytes, 0, length);
    }

    private void begin(byte type, int overhead, int length) {
        message.clear();
        message.putShort((short) (overhead - ULogLayout.MESSAGE_HEADER_LENGTH + length))
                .put(type);
    }

    private void put(DirectBuffer from, int offset, int length) {
        from.getBytes(offset, message, message.position(), length);
        message.position(message.position() + length);
    }
}
