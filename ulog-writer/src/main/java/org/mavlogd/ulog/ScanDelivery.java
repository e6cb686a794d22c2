package org.mavlogd.ulog;

import java.io.IOException;

/** Gives the messages of a scan to its handler, and learns from each what later ones are judged by. Hot path. */
final class ScanDelivery {
    private static final int MESSAGE_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH;

    private final ScanHandler handler;
    private final SampleHandler samples;
    private final Definitions definitions;
    private final MessageJudge judge;
    private final ScanWindow window;

    /** Of what the handler is told just now, in the log. */
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

    /** A sound sample. */
    void sample(Topic topic, int message, int length) throws IOException {
        position = window.base + message;
        judge.onSample(topic, window.bytes, message + MESSAGE_HEAD, position);
        samples.onSample(topic, window.bytes, message, length);
    }

    /** A sound message of any type; one whose content turns out not to be as specified is flawed after all. */
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

    /** A message in its place that cannot be used. */
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

    /** Reads what a message says, and takes what it defines. */
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

    /** Takes sound samples with their topic, which the scan has looked up already: nearly all that a log has. */
    @FunctionalInterface
    interface SampleHandler {
        void onSample(Topic topic, byte[] buffer, int offset, int length) throws IOException;
    }

    /** The sound message that waits for the one after it, if there is one: an index of the window. Hot path. */
    static final class HeldMessage {
        private final ScanDelivery delivery;
        private int start = -1;
        private boolean isOrphan;

        // Of a sample that passed with others.
        private @Nullable Topic topic;

        HeldMessage(ScanDelivery delivery) {
            this.delivery = delivery;
        }

        boolean isThere() {
            return start >= 0;
        }

        /** Where it begins; negative if there is none. */
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

        /** It is its own to the end: gives it to the handler. */
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

        /** The window has moved on. */
        void moved(int by) {
            if (start >= 0) {
                start -= by;
            }
        }
    }
}
