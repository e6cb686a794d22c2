package org.mavlogd.local.publish;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.ulog.Column;

/**
 * A topic of one source, and room for one sample, which is filled field by field in any order. Owned by the source's thread.
 * Hot path.
 */
final class PublishedTopic {
    private static final long TELL_AGAIN_NS = TimeUnit.SECONDS.toNanos(10);

    private final TopicDefinition definition;
    private final LocalSample sample;
    private final int handle;
    private final char[] name;
    private final Column[] columns;
    private final Map<String, Integer> byName = new HashMap<>();
    private final byte[] values;
    private final boolean[] filled;
    private int filledCount;
    private int expected;
    private String toldLoss = "";
    private long toldNs;

    PublishedTopic(TopicDefinition definition, LocalSample sample, int handle) {
        this.definition = definition;
        this.sample = sample;
        this.handle = handle;
        this.name = definition.name().toCharArray();
        List<Column> all = sample.topic().layout().columns();
        this.columns = all.subList(1, all.size()).toArray(Column[]::new); // without the timestamp
        for (int i = 0; i < columns.length; i++) {
            byName.put(columns[i].path(), i);
        }
        this.values = new byte[sample.topic().valueBytes()];
        this.filled = new boolean[columns.length];
    }

    TopicDefinition definition() {
        return definition;
    }

    String name() {
        return definition.name();
    }

    int handle() {
        return handle;
    }

    LocalSample sample() {
        return sample;
    }

    /** Its index in the feed. */
    int index() {
        return sample.topic().index();
    }

    /**
     * Whether programs that ask for no answer are to be told that samples of this topic are in no log: when that or its reason is
     * new, and every 10 s. Hot path.
     *
     * @param why empty when they are recorded
     */
    boolean isLossToBeTold(String why, long nowNs) {
        if (why.equals(toldLoss) && (why.isEmpty() || nowNs - toldNs < TELL_AGAIN_NS)) {
            return false;
        }
        toldLoss = why;
        toldNs = nowNs;
        return !why.isEmpty();
    }

    /** The values as a log has them. */
    byte[] values() {
        return values;
    }

    boolean isNamed(char[] text, int offset, int length) {
        return length == name.length && Arrays.equals(text, offset, offset + length, name, 0, length);
    }

    /** Forgets what was filled. */
    void begin() {
        Arrays.fill(filled, false);
        filledCount = 0;
        expected = 0;
    }

    /** The field of this name, which comes faster in the topic's own order; -1 when there is none. */
    int indexOf(String field) {
        if (expected < columns.length && columns[expected].path().equals(field)) {
            return expected++;
        }
        Integer index = byName.get(field);
        if (index == null) {
            return -1;
        }
        expected = index + 1;
        return index;
    }

    Column column(int index) {
        return columns[index];
    }

    /** Where a field begins in {@link #values}. */
    int offset(int index) {
        return columns[index].offset() - Long.BYTES;
    }

    /** Notes that a field is filled; false when it was before. */
    boolean fill(int index) {
        if (filled[index]) {
            return false;
        }
        filled[index] = true;
        filledCount++;
        return true;
    }

    boolean isComplete() {
        return filledCount == columns.length;
    }

    /** The names of the fields that are not filled. */
    List<String> missing() {
        return java.util.stream.IntStream.range(0, columns.length)
                .filter(i -> !filled[i])
                .mapToObj(i -> columns[i].path())
                .toList();
    }

    List<String> fieldNames() {
        return Arrays.stream(columns).map(Column::path).toList();
    }
}
