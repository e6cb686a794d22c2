package org.mavlogd.ulog;

import java.io.IOException;

/** Passes the messages of a scan to its handler, and learns formats, topics and sizes from them. Hot path. */
final class ScanDelivery {
    private static final int MESSAGE_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH;

    private final ScanHandler handler;
    private final SampleHandler samples;
    private final Definitions definitions;
    private final MessageJudge judge;
    private final ScanWindow window;

    /** Position in the log of the message passed to the handler. */
    long position;

    ScanDelivery(ScanHandler handler, Definitions definitions, MessageJudge judge, ScanWindow window) {
        this.handler = handler;
        this.samples = handler instanceof SampleHandler ofSamples
                ? ofSamples
                : (topic, buffer, offset, length) -> handler.onMessage(MessageType.DATA, buffer, offset, length);
        this.definitions = definitions;
        this.judge = judge;
        this.window = window;
    }

    /** Passes on a valid sample. */
    void sample(Topic topic, int message, int length) throws IOException {
        position = window.base + message;
        judge.onSample(topic, window.bytes, message + MESSAGE_HEAD, position);
        samples.onSample(topic, window.bytes, message, length);
    }

    /** Passes on a valid message of any type, or reports it as flawed if its content is not as specified. */
    void message(int message) throws IOException {
        int type = window.type(message);
        if (type == MessageType.DATA) {
            judge.onData(window.bytes, message + MESSAGE_HEAD, window.base + message);
        } else if (!isReadable(type, message)) {
            flawed(message);
            return;
        }
        position = window.base + message;
        handler.onMessage(type, window.bytes, message, window.length(message));
    }

    /** Reports a complete message that cannot be used. */
    void flawed(int message) throws IOException {
        int type = window.type(message);
        position = window.base + message;
        handler.onFlawed(flaw(type, message), position, type, window.bytes, message, window.length(message));
    }

    void damage(long start, long end) throws IOException {
        position = start;
        handler.onDamage(start, end - start);
    }

    void cut(long start, long length) throws IOException {
        position = start;
        handler.onCut(start, length);
    }

    void section(long start) throws IOException {
        position = start;
        handler.onAppendedSection(start);
    }

    /** Whether the content is readable; formats and subscriptions are added to the definitions. */
    private boolean isReadable(int type, int message) throws ULogException {
        int payload = message + MESSAGE_HEAD;
        int size = window.size(message);
        return switch (type) {
            case MessageType.FORMAT -> definitions.addFormat(window.bytes, payload, size) != null;
            case MessageType.SUBSCRIPTION -> definitions.subscribe(window.bytes, payload, size) != null;
            case MessageType.INFO -> KeyedValue.isReadable(window.bytes, payload, size);
            case MessageType.MULTI_INFO -> KeyedValue.isReadable(window.bytes, payload + 1, size - 1);
            case MessageType.PARAMETER -> Parameter.isReadable(window.bytes, payload, size);
            case MessageType.DEFAULT_PARAMETER -> Parameter.isReadable(window.bytes, payload + 1, size - 1);
            default -> true;
        };
    }

    private ScanHandler.Flaw flaw(int type, int message) {
        if (!MessageType.isKnown(type)) {
            return ScanHandler.Flaw.UNKNOWN_TYPE;
        }
        if (type != MessageType.DATA || window.size(message) < ULogLayout.DATA_HEADER_SIZE) {
            return ScanHandler.Flaw.NOT_AS_SPECIFIED;
        }
        int id = Bytes.uint16(window.bytes, message + MESSAGE_HEAD);
        definitions.learnSize(id, window.size(message));
        Topic topic = definitions.topic(id);
        return topic != null && topic.hasLayout() ? ScanHandler.Flaw.NOT_AS_SPECIFIED : ScanHandler.Flaw.NO_TOPIC;
    }

    /**
     * Takes valid samples with their topic, which the scan has already looked up: most messages of a log are samples.
     */
    @FunctionalInterface
    interface SampleHandler {
        void onSample(Topic topic, byte[] buffer, int offset, int length) throws IOException;
    }

    /** The valid message that waits for the next one, as an index of the window; there may be none. Hot path. */
    static final class HeldMessage {
        private final ScanDelivery delivery;
        private int start = -1;
        private boolean isOrphan;

        // The topic of a sample; null for other messages.
        private @Nullable Topic topic;

        HeldMessage(ScanDelivery delivery) {
            this.delivery = delivery;
        }

        boolean isThere() {
            return start >= 0;
        }

        /** Index of the message; negative if there is none. */
        int start() {
            return start;
        }

        void hold(int message, boolean orphan) {
            start = message;
            isOrphan = orphan;
            topic = null;
        }

        void holdSample(int message, Topic ofTopic) {
            start = message;
            isOrphan = false;
            topic = ofTopic;
        }

        /** Passes the message to the handler: it is known to be intact to its end. */
        void give() throws IOException {
            if (start < 0) {
                return;
            }
            int message = start;
            Topic sampleOf = topic;
            drop();
            if (sampleOf != null) {
                delivery.sample(sampleOf, message, delivery.window.length(message));
            } else if (isOrphan) {
                delivery.flawed(message);
            } else {
                delivery.message(message);
            }
        }

        void drop() {
            start = -1;
            topic = null;
        }

        /** Adjusts the index after the window has moved. */
        void moved(int by) {
            if (start >= 0) {
                start -= by;
            }
        }
    }
}
