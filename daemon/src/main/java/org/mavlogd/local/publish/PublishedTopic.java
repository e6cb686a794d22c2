package org.mavlogd.local.publish;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.ulog.Column;

/**
 * A topic of one source, with a buffer for one sample whose fields are filled in any order. Owned by the source's
 * thread. Hot path.
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
     * Whether to inform programs that do not ask for answers that samples of this topic are in no log: if that or its
     * reason is new, and every 10 s. Hot path.
     *
     * @param why empty if they are recorded
     */
    boolean isLossToBeTold(String why, long nowNs) {
        if (why.equals(toldLoss) && (why.isEmpty() || nowNs - toldNs < TELL_AGAIN_NS)) {
            return false;
        }
        toldLoss = why;
        toldNs = nowNs;
        return !why.isEmpty();
    }

    /** The values, as in the log. */
    byte[] values() {
        return values;
    }

    boolean isNamed(char[] text, int offset, int length) {
        return length == name.length && Arrays.equals(text, offset, offset + length, name, 0, length);
    }

    /** Clears the buffer. */
    void begin() {
        Arrays.fill(filled, false);
        filledCount = 0;
        expected = 0;
    }

    /** The index of the field with this name, faster in the topic's own order; -1 if there is none. */
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

    /** The offset of a field in {@link #values}. */
    int offset(int index) {
        return columns[index].offset() - Long.BYTES;
    }

    /** Notes that a field is filled; false if it was filled before. */
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

    /** The names of the missing fields. */
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
