package org.mavlogd.ulog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The place of each field in a topic's samples, with all nested formats resolved.
 *
 * <p>Immutable. A sample takes at most {@link ULogLayout#MAX_SAMPLE_SIZE} bytes; formats nest at most {@value
 * #MAX_NESTING} deep. Columns are in the order of the sample's bytes and exclude padding.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Format Message"</a>
 */
public final class TopicLayout {
    public static final int MAX_NESTING = 32;

    private final String name;
    private final List<Column> columns;
    private final int size;
    private final int sizeWithoutPadding;
    private final Optional<Column> timestamp;
    private final int elementCount;

    // Adjacent columns of the same type merged into one, for callers that read every field.
    private final Column[] runs;

    // Made by the first look-up: a log may announce a topic of very many fields again and again.
    private @Nullable Map<String, Column> byPath;

    TopicLayout(String name, List<Column> columns, int size, int sizeWithoutPadding) {
        this.name = name;
        this.columns = List.copyOf(columns);
        this.size = size;
        this.sizeWithoutPadding = sizeWithoutPadding;
        this.elementCount = columns.stream().mapToInt(Column::count).sum();
        this.runs = runs(columns);
        this.timestamp = columns.stream().filter(TopicLayout::isTimestamp).findFirst();
    }

    /**
     * Resolves a format.
     *
     * @param formats all formats that may be nested, by name
     * @throws ULogException if a nested format is undefined, nests itself, or a limit is exceeded
     */
    public static TopicLayout of(TopicFormat format, Map<String, TopicFormat> formats) throws ULogException {
        return new LayoutBuilder(formats).build(format);
    }

    public String name() {
        return name;
    }

    /** All basic fields except padding. */
    public List<Column> columns() {
        return columns;
    }

    /** The first column with this path. */
    public Optional<Column> column(String path) {
        Map<String, Column> known = byPath;
        if (known == null) {
            Map<String, Column> first = new HashMap<>();
            columns.forEach(column -> first.putIfAbsent(column.path(), column));
            // Not a copy: only a HashMap bounds the time if many names have one hash. The wrapper is safe between
            // threads.
            known = Collections.unmodifiableMap(first);
            byPath = known;
        }
        return Optional.ofNullable(known.get(path));
    }

    /** Number of elements of all columns: the count of {@link SampleView#numbers(double[])}. */
    public int elementCount() {
        return elementCount;
    }

    /** Size of a sample including all padding, in bytes. */
    public int size() {
        return size;
    }

    /** Size of a sample without the padding at its end, in bytes: the form in which writers store it. */
    public int sizeWithoutPadding() {
        return sizeWithoutPadding;
    }

    /** The {@code timestamp} field; empty if there is none or it is not an unsigned integer. */
    public Optional<Column> timestamp() {
        return timestamp;
    }

    Column[] runs() {
        return runs;
    }

    private static Column[] runs(List<Column> columns) {
        List<Column> runs = new ArrayList<>();
        for (Column column : columns) {
            Column last = runs.isEmpty() ? column : runs.get(runs.size() - 1);
            if (!runs.isEmpty() && last.type() == column.type() && last.offset() + last.length() == column.offset()) {
                runs.set(
                        runs.size() - 1,
                        new Column("", last.type(), last.offset(), last.count() + column.count(), true));
            } else {
                runs.add(column);
            }
        }
        return runs.toArray(Column[]::new);
    }

    private static boolean isTimestamp(Column column) {
        return column.path().equals("timestamp")
                && !column.isArray()
                && switch (column.type()) {
                    case UINT8, UINT16, UINT32, UINT64 -> true;
                    default -> false;
                };
    }
}
