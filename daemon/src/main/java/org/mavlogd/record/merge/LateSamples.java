package org.mavlogd.record.merge;

import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.local.LocalOutcome;

/**
 * Keeps samples of topics that appeared after the definitions of a log's file, for the next file, as far as they fit.
 * Owned by the recorder's thread.
 */
final class LateSamples {
    /** Memory for one log, in bytes. */
    static final int CAPACITY = 1 << 20;

    // Heap for the objects around a sample's bytes.
    private static final int OVERHEAD = 160;

    /** Writes kept samples. */
    @FunctionalInterface
    interface Writer {
        /**
         * The result in the current file; {@link LocalOutcome#NOT_IN_FILE} if the sample must wait for the next one.
         */
        LocalOutcome write(LocalRecordView record);
    }

    private static final class Sample {
        private final LocalRecordView record;
        private final DirectBuffer bytes;
        private final LocalTap.Counters counters;

        Sample(LocalRecordView from, LocalTap.Counters counters) {
            LocalTopic topic = from.topic();
            byte[] copy = new byte[from.length()];
            from.buffer().getBytes(from.offset(), copy);
            this.bytes = new UnsafeBuffer(copy);
            this.record = new LocalRecordView(from.feed())
                    .sample(topic, from.instance(), from.takenNs())
                    .in(bytes, 0, copy.length);
            this.counters = counters;
        }

        int size() {
            return OVERHEAD + bytes.capacity();
        }

        void count(LocalOutcome outcome) {
            counters.sample(outcome, LocalEncoder.SAMPLE_OVERHEAD + bytes.capacity());
        }
    }

    private final MemoryShare share;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private int size;

    LateSamples(MemoryShare share) {
        this.share = share;
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    /** Keeps a sample, to be counted later; false if there is no room. */
    boolean keep(LocalRecordView record, LocalTap.Counters counters) {
        int bytes = OVERHEAD + record.length();
        if (size + bytes > CAPACITY || !share.reserve(bytes)) {
            return false;
        }
        Sample sample = new Sample(record, counters);
        samples.addLast(sample);
        size += sample.size();
        return true;
    }

    /** A new file began: writes the samples whose topic it has, in order, and keeps the others. */
    void writeTo(Writer writer) {
        for (int i = samples.size(); i > 0; i--) {
            Sample sample = samples.removeFirst();
            LocalOutcome outcome = writer.write(sample.record);
            if (outcome == LocalOutcome.NOT_IN_FILE) {
                samples.addLast(sample);
            } else {
                size -= sample.size();
                share.release(sample.size());
                sample.count(outcome);
            }
        }
    }

    /** The log ends: counts all samples as lost. */
    void loseAll() {
        for (Sample sample : samples) {
            sample.count(LocalOutcome.NOT_IN_FILE);
        }
        samples.clear();
        share.release(size);
        size = 0;
    }
}
