package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a log from a file or in chunks of any size, and passes its contents to a {@link ULogHandler}: samples,
 * parameters, infos, logged messages.
 *
 * <p>Reads versions 0 and 1, and later ones as far as they are compatible; appended sections; and the intact parts of
 * damaged and truncated logs, which {@link ULogScanner} finds. Timestamps of 8, 16 and 32 bits are extended to full
 * times. {@link ULogException} is the only exception that input causes: not a ULog, unknown incompatible flags, or a
 * limit exceeded. Limits: 16,384 formats of together 1 MiB and 65,536 fields, 4,096 fields each, 32 levels of nesting,
 * samples as large as a message, 131,072 columns over all topics with 4 Mi characters of names, 2 Mi steps to lay all
 * formats out.
 *
 * <p>Samples allocate nothing. Owned by one thread.
 *
 * <pre>{@code
 * ULogReader.read(file, new ULogHandler() {
 *     public void onSample(SampleView sample) { ... }
 * });
 * }</pre>
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog file format</a>
 */
public final class ULogReader {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final ULogHandler handler;
    private final SampleView sample = new SampleView();
    private final ULogScanner scanner = new ULogScanner(new Decoder());

    // Newest time of any topic, advanced by dropouts: the reference for short timestamps.
    private long clockUs;
    private boolean dataSection;

    public ULogReader(ULogHandler handler) {
        this.handler = handler;
    }

    /** Reads a complete file. */
    public static void read(Path file, ULogHandler handler) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ULogReader reader = new ULogReader(handler);
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            while (channel.read(chunk) >= 0) {
                reader.scanner.feed(chunk.flip());
                chunk.clear();
            }
            reader.finish();
        }
    }

    /** Takes the next bytes of the log. A message is passed on once the message after it is known to be valid. */
    public void feed(byte[] buffer, int offset, int length) throws IOException {
        scanner.feed(buffer, offset, length);
    }

    /** Ends the log: messages still held are judged and passed on. */
    public void finish() throws IOException {
        scanner.finish();
    }

    /** During a call of the handler: position of the message in the log. */
    public long messagePosition() {
        return scanner.messagePosition();
    }

    /** Decodes valid messages for the handler. */
    private final class Decoder implements ScanHandler, ScanDelivery.SampleHandler {
        @Override
        public void onHeader(int version, long startUs) throws IOException {
            clockUs = Math.max(0, startUs);
            handler.onStart(version, startUs);
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) throws IOException {
            int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
            int size = length - ULogLayout.MESSAGE_HEADER_LENGTH;
            if (type == MessageType.DATA) {
                onSample(topic(Bytes.uint16(buffer, payload)), buffer, offset, length);
                return;
            }
            handler.onMessage(type, buffer, offset, length);
            dataSection |= MessageType.endsDefinitions(type);
            switch (type) {
                case MessageType.FLAG_BITS -> handler.onFlagBits(FlagBits.read(buffer, payload, size));
                case MessageType.FORMAT -> handler.onFormat(TopicFormat.parse(buffer, payload, size));
                case MessageType.SUBSCRIPTION -> handler.onTopic(topic(Bytes.uint16(buffer, payload + 1)));
                case MessageType.UNSUBSCRIPTION -> onUnsubscription(Bytes.uint16(buffer, payload));
                case MessageType.DROPOUT -> onDropout(Bytes.uint16(buffer, payload));
                case MessageType.SYNC -> handler.onSync();
                case MessageType.LOGGED_STRING -> handler.onLoggedText(LoggedText.read(buffer, payload, size));
                case MessageType.TAGGED_STRING -> handler.onLoggedText(LoggedText.readTagged(buffer, payload, size));
                default -> onKeyed(type, buffer, payload, size);
            }
        }

        @Override
        public void onSample(Topic topic, byte[] buffer, int offset, int length) throws IOException {
            handler.onMessage(MessageType.DATA, buffer, offset, length);
            int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
            int fields = payload + ULogLayout.DATA_HEADER_SIZE;
            long timestampUs = topic.timestampAt >= 0
                    ? Bytes.int64(buffer, payload + topic.timestampAt)
                    : topic.smallTime.timestampUs(buffer, fields, clockUs);
            clockUs = Math.max(clockUs, timestampUs);
            sample.wrap(topic, buffer, fields, offset + length - fields, timestampUs);
            handler.onSample(sample);
        }

        /** Decodes messages of a type, a name and a value; the scanner has checked that they are readable. */
        private void onKeyed(int type, byte[] buffer, int payload, int size) throws IOException {
            switch (type) {
                case MessageType.INFO -> handler.onInfo(KeyedValue.read(buffer, payload, size));
                case MessageType.MULTI_INFO ->
                    handler.onMultiInfo(KeyedValue.read(buffer, payload + 1, size - 1), buffer[payload] != 0);
                case MessageType.PARAMETER -> handler.onParameter(Parameter.read(buffer, payload, size), dataSection);
                default ->
                    handler.onDefaultParameter(
                            Parameter.read(buffer, payload + 1, size - 1), Bytes.uint8(buffer, payload));
            }
        }

        private void onUnsubscription(int messageId) throws IOException {
            Topic topic = scanner.definitions().topic(messageId);
            if (topic != null) {
                handler.onTopicEnd(topic);
            }
        }

        private void onDropout(int durationMs) throws IOException {
            clockUs += durationMs * 1000L;
            handler.onDropout(durationMs);
        }

        private Topic topic(int messageId) {
            Topic topic = scanner.definitions().topic(messageId);
            if (topic == null) {
                throw new IllegalStateException("the scanner gave a message of no topic, id " + messageId);
            }
            return topic;
        }

        @Override
        public void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length)
                throws IOException {
            if (flaw == Flaw.UNKNOWN_TYPE) {
                handler.onUnknown(type, buffer, offset, length);
            } else {
                handler.onFlawed(flaw, position, type, buffer, offset, length);
            }
        }

        @Override
        public void onDamage(long position, long length) throws IOException {
            handler.onDamage(position, length);
        }

        @Override
        public void onCut(long position, long length) throws IOException {
            handler.onCut(position, length);
        }

        @Override
        public void onAppendedSection(long position) throws IOException {
            handler.onAppendedSection(position);
        }
    }
}
