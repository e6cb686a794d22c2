package org.mavlogd.local.heard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageLayout;

/**
 * One message as a topic: copies each payload into the ring as it is, with zeros for what was not sent. Owned by the link's
 * thread. Hot path; only a sender's first message allocates.
 */
final class HeardTopic {
    static final int MAX_SENDERS = 32;

    // Alike things that one message tells of by a number in it, like batteries, have limits of their own.
    private static final int PACES = 16;
    private static final int NO_NUMBER = -1;

    private final LocalSample sample;
    private final int payloadLength;
    private final int numberOffset;
    private final long intervalNs;
    private final HeardMessages.Counters counters;
    private final List<Sender> senders = new ArrayList<>();

    /** One sender, and how often each of the things that it tells of may be published. */
    private static final class Sender {
        private final int source;
        private final int instance;
        private final Pace[] paces;

        Sender(int source, int instance, Pace[] paces) {
            this.source = source;
            this.instance = instance;
            this.paces = paces;
        }
    }

    HeardTopic(LocalSample sample, MessageLayout message, long intervalNs, HeardMessages.Counters counters) {
        this.sample = sample;
        this.payloadLength = message.fullLength();
        this.numberOffset = numberOffset(message);
        this.intervalNs = intervalNs;
        this.counters = counters;
    }

    private static int numberOffset(MessageLayout message) {
        int offset = 0;
        for (MessageLayout.Field field : message.fields()) {
            if (field.isInstance() && field.length() == 1) {
                return offset;
            }
            offset += field.length();
        }
        return NO_NUMBER;
    }

    /** One message; false when its sender has no instance, see {@link #add}. */
    boolean onFrame(FrameView frame, long nowNs) {
        int source = frame.systemId() << 8 | frame.componentId();
        for (int i = 0; i < senders.size(); i++) {
            if (senders.get(i).source == source) {
                publish(frame, senders.get(i), nowNs);
                return true;
            }
        }
        return false;
    }

    /** Whether another sender can be added. */
    boolean hasRoom() {
        return senders.size() < MAX_SENDERS;
    }

    /** Adds a sender, given as system and component in one number. */
    void add(int source, int instance, long nowNs) {
        Pace[] paces = new Pace
                [intervalNs == HeardSettings.MessageChoice.NO_INTERVAL ? 0 : numberOffset == NO_NUMBER ? 1 : PACES];
        for (int i = 0; i < paces.length; i++) {
            paces[i] = new Pace(intervalNs, nowNs);
        }
        senders.add(new Sender(source, instance, paces));
    }

    String name() {
        return sample.topic().name();
    }

    private void publish(FrameView frame, Sender sender, long nowNs) {
        Pace[] paces = sender.paces;
        int number = paces.length > 1 ? frame.uint8(numberOffset) % PACES : 0;
        if (paces.length > 0 && !paces[number].take(nowNs)) {
            counters.limited().increment();
            return;
        }
        int claimed = sample.claim(sender.instance, nowNs);
        if (claimed < 0) {
            counters.lost().increment();
            return;
        }
        MutableDirectBuffer ring = sample.ring();
        frame.copyPayload(0, ring, claimed, payloadLength);
        ring.putByte(claimed + payloadLength, (byte) frame.systemId());
        ring.putByte(claimed + payloadLength + 1, (byte) frame.componentId());
        sample.commit(claimed);
        counters.samples().increment();
    }

    /**
     * Lets something happen once in an interval on average; what was saved up is used at once, up to a second's worth, so that
     * what comes in a row after a pause is let through. Hot path.
     */
    private static final class Pace {
        private static final long BURST_NS = TimeUnit.SECONDS.toNanos(1);

        private final long intervalNs;
        private final long burstNs;
        /** When all that was let through would be over, had it been spread evenly. */
        private long overNs;

        /** @param nowNs the time of the first event, or before */
        Pace(long intervalNs, long nowNs) {
            this.intervalNs = intervalNs;
            // Two at least: what comes just at this pace never comes quite evenly.
            this.burstNs = Math.max(BURST_NS, 2 * intervalNs);
            this.overNs = nowNs;
        }

        /** Whether it may happen now; if so it counts. */
        boolean take(long nowNs) {
            if (overNs - nowNs < 0) {
                overNs = nowNs;
            }
            if (overNs - nowNs + intervalNs > burstNs) {
                return false;
            }
            overNs += intervalNs;
            return true;
        }
    }
}
