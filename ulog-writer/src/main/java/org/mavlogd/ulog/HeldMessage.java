package org.mavlogd.ulog;

import java.io.IOException;

/** The sound message that waits for the one after it, if there is one: an index of the window. Hot path. */
final class HeldMessage {
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
            delivery.sample(message, sampleOf);
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
