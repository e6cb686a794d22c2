package org.mavlogd.record.local;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalTopic;

/** Where the samples of one local topic go: its format in the present file, and its instances. Owned by the recorder's thread. */
public final class LocalPlace {
    private static final LocalSeries[] NONE = {};

    private final LocalTopic topic;
    private @Nullable LocalHead head;
    private @Nullable LocalFormat format;
    private @Nullable LocalSeries[] series = NONE;
    private boolean told;

    LocalPlace(LocalTopic topic) {
        this.topic = topic;
    }

    /** The present file has these definitions. Hot path but for the first time in a file. */
    void update(LocalHead present) {
        if (head == present) {
            return;
        }
        head = present;
        told = false;
        LocalFormat now = present.find(topic);
        if (now != format) {
            format = now;
            series = NONE;
        }
    }

    /** Null when the present file does not have the topic. */
    @Nullable
    public LocalFormat format() {
        return format;
    }

    /** The series of an instance; null when the file does not have the topic, or no instance more. */
    @Nullable
    public LocalSeries series(int instance) {
        LocalFormat its = format;
        if (its == null) {
            return null;
        }
        LocalSeries there = instance < series.length ? series[instance] : null;
        return there != null && its.isOurs(there) ? there : assign(its, instance);
    }

    private @Nullable LocalSeries assign(LocalFormat its, int instance) {
        if (instance >= series.length) {
            series = Arrays.copyOf(series, instance + 1);
        }
        series[instance] = its.take(instance);
        return series[instance];
    }

    /** True once in each file: that it lacks the topic is to be told. */
    public boolean isToBeTold() {
        boolean first = !told;
        told = true;
        return first;
    }
}
