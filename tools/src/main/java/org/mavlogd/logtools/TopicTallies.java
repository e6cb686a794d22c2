package org.mavlogd.logtools;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogException;

/** Counts the samples of all topics. Samples: hot path. */
final class TopicTallies {
    static final int MAX_TOPICS = 16_384;
    private static final int IDS = 65_536;

    private final Map<String, TopicTally> byInstance = new HashMap<>();
    private final List<TopicTally> inOrder = new ArrayList<>();
    private final @Nullable TopicTally[] byId = new TopicTally[IDS];
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
        byId[topic.messageId()] = tally;
    }

    void onSample(SampleView sample) {
        TopicTally tally = byId[sample.topic().messageId()];
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

    /** In the order of their first subscription. */
    List<TopicTally> inOrder() {
        return inOrder;
    }

    long messages() {
        return messages;
    }

    /** Earliest time of any sample, those that say 0 left out; 0 without samples. */
    long firstUs() {
        return firstUs == Long.MAX_VALUE ? 0 : firstUs;
    }

    /** Latest time of any sample; 0 without samples. */
    long lastUs() {
        return lastUs;
    }
}
