package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.record.MergedLog;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

/**
 * A companion computer that publishes a sample and a log message at each step, numbered so that a missing one is
 * noticed.
 */
final class Companion {
    private static final int TEXT_EACH = 50;

    private final LocalPublisher publisher;
    private final LocalSample counter;
    // The name of a PX4 topic, with other fields.
    private final LocalSample clash;
    private int step;

    private Companion(LocalPublisher publisher) {
        this.publisher = publisher;
        counter = publisher.declare(format("companion_count:uint64_t timestamp;int32_t n;float x;"), Map.of("x", "m"));
        clash = publisher.declare(format("sensor_accel:uint64_t timestamp;int32_t n;"), Map.of());
    }

    private static TopicFormat format(String text) {
        try {
            return TopicFormat.parse(text);
        } catch (ULogException e) {
            throw new AssertionError(e);
        }
    }

    static Companion of(WholeRecorder recorder) {
        Companion companion = new Companion(recorder.companion());
        recorder.eachStep(companion::publish);
        return companion;
    }

    private void publish(long nowNs) {
        step++;
        counter.begin(step % 3, nowNs).integer(step).float32(step).publish();
        clash.begin(0, nowNs).integer(step).publish();
        if (step % TEXT_EACH == 0) {
            publisher.text(LogLevel.WARNING, 3, nowNs, "step " + step);
        }
    }

    /** Checks that this companion's data in a log is in order and complete. Returns the number of samples. */
    int check(MergedLog log) {
        Map<String, Integer> last = new HashMap<>();
        Map<String, Long> lastUs = new HashMap<>();
        for (MergedLog.Sample sample : log.samples()) {
            String topic = sample.topic();
            Integer before = last.put(topic, sample.firstInt());
            if (before != null) {
                assertThat(sample.firstInt()).as(topic).isEqualTo(before + 1);
            }
            Long beforeUs = lastUs.put(topic + sample.multiId(), sample.timeUs());
            assertThat(sample.timeUs()).isGreaterThanOrEqualTo(beforeUs == null ? 0 : beforeUs);
        }
        assertThat(Collections.disjoint(log.localIds(), log.vehicleIds())).isTrue();
        assertThat(log.texts()).allMatch(text -> text.text().startsWith("step ") && text.tag() == 3);
        return log.samples().size();
    }
}
