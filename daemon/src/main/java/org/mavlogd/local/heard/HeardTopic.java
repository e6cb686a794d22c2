package org.mavlogd.local.heard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageLayout;

/**
 * A topic for one message: copies each payload into the ring unchanged, with zeros for omitted bytes. Owned by the
 * link's thread. Hot path; only a sender's first message allocates.
 */
final class HeardTopic {
    static final int MAX_SENDERS = 32;

    // Devices that one message reports under a number, such as batteries, have separate rate limits.
    private static final int PACES = 16;
    private static final int NO_NUMBER = -1;

    private final LocalSample sample;
    private final int payloadLength;
    private final int numberOffset;
    private final long intervalNs;
    private final HeardMessages.Counters counters;
    private final List<Sender> senders = new ArrayList<>();

    /** A sender, with the rate limits of the devices that it reports. */
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

    /** Takes one message; false if its sender has no instance, see {@link #add}. */
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

    /** Adds a sender, given by system and component in one number. */
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
        try {
            MutableDirectBuffer ring = sample.ring();
            frame.copyPayload(0, ring, claimed, payloadLength);
            ring.putByte(claimed + payloadLength, (byte) frame.systemId());
            ring.putByte(claimed + payloadLength + 1, (byte) frame.componentId());
        } catch (Throwable e) {
            sample.abort(claimed);
            counters.lost().increment();
            throw e;
        }
        sample.commit(claimed);
        counters.samples().increment();
    }

    /**
     * Limits a rate to one event per interval on average. Unused budget is saved for up to a second, so that a burst
     * after a pause passes. Hot path.
     */
    private static final class Pace {
        private static final long BURST_NS = TimeUnit.SECONDS.toNanos(1);

        private final long intervalNs;
        private final long burstNs;
        /** The time at which all events so far would be over, had they been spread evenly. */
        private long overNs;

        /** @param nowNs the time of the first event, or before */
        Pace(long intervalNs, long nowNs) {
            this.intervalNs = intervalNs;
            // At least two: events at just this rate are never exactly even.
            this.burstNs = Math.max(BURST_NS, 2 * intervalNs);
            this.overNs = nowNs;
        }

        /** Whether an event may happen now; if so, it counts. */
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
