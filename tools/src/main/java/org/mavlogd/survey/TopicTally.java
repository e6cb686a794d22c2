package org.mavlogd.survey;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.logtools.ByMessageId;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogException;

/** Counts the samples of one topic instance. Several subscriptions of one instance count as one. Hot path. */
public final class TopicTally {
    /** Bytes of a data message in addition to its fields: size, type and message id. */
    private static final int HEAD_BYTES = 5;

    private final String name;
    private final int multiId;
    private final int messageId;
    private long messages;
    private long bytes;
    private long firstUs;
    private long lastUs;

    TopicTally(Topic topic) {
        name = topic.name();
        multiId = topic.multiId();
        messageId = topic.messageId();
    }

    void onSample(long timestampUs, int length) {
        if (messages == 0) {
            firstUs = timestampUs;
        }
        lastUs = timestampUs;
        messages++;
        bytes += HEAD_BYTES + length;
    }

    public String name() {
        return name;
    }

    public int multiId() {
        return multiId;
    }

    /** Id of its first subscription. */
    public int messageId() {
        return messageId;
    }

    public long messages() {
        return messages;
    }

    /** Length of its data messages, including headers. */
    public long bytes() {
        return bytes;
    }

    /** Time of the first sample in the log; 0 without samples. */
    public long firstUs() {
        return firstUs;
    }

    /** Time of the last sample in the log; 0 without samples. */
    public long lastUs() {
        return lastUs;
    }

    /** Samples per second between the first and the last; 0 if unknown. */
    public double rateHz() {
        return messages < 2 || lastUs <= firstUs ? 0 : (messages - 1) * 1e6 / (lastUs - firstUs);
    }

    /** Counts the samples of all topics. Samples: hot path. */
    static final class Table {
        static final int MAX_TOPICS = 16_384;

        private final Map<String, TopicTally> byInstance = new HashMap<>();
        private final List<TopicTally> inOrder = new ArrayList<>();
        private final ByMessageId<TopicTally> byId = new ByMessageId<>();
        private long messages;
        private long firstUs = Long.MAX_VALUE;
        private long lastUs;

        void onTopic(Topic topic) throws ULogException {
            TopicTally tally = byInstance.get(topic.toString());
            if (tally == null) {
                if (inOrder.size() == MAX_TOPICS) {
                    throw new ULogException("more than " + MAX_TOPICS + " topics");
                }
                tally = new TopicTally(topic);
                byInstance.put(topic.toString(), tally);
                inOrder.add(tally);
            }
            byId.put(topic.messageId(), tally);
        }

        void onSample(SampleView sample) {
            TopicTally tally = byId.get(sample.topic().messageId());
            if (tally == null) {
                throw new IllegalStateException("sample of a topic not announced: " + sample.topic());
            }
            long timestampUs = sample.timestampUs();
            tally.onSample(timestampUs, sample.length());
            messages++;
            if (timestampUs > 0) {
                firstUs = Math.min(firstUs, timestampUs);
            }
            lastUs = Math.max(lastUs, timestampUs);
        }

        /** The topics in the order of their first subscription. */
        List<TopicTally> inOrder() {
            return inOrder;
        }

        long messages() {
            return messages;
        }

        /** Earliest time of any sample except 0; 0 without samples. */
        long firstUs() {
            return firstUs == Long.MAX_VALUE ? 0 : firstUs;
        }

        /** Latest time of any sample; 0 without samples. */
        long lastUs() {
            return lastUs;
        }
    }
}
