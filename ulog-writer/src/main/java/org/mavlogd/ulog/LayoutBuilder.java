package org.mavlogd.ulog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resolves nested formats into a flat layout.
 *
 * <p>It first computes the size of each format once. This finds cycles, undefined names and samples larger than a
 * message before anything is expanded, and bounds the number of columns by the number of bytes.
 */
final class LayoutBuilder {
    /** Most characters of all paths of a layout: bounds the memory for long names and deep nesting. */
    private static final int MAX_PATH_CHARS = 1 << 20;

    /** Most fields visited for one layout. Fields without bytes in arrays of formats take steps but give no columns. */
    private static final int MAX_WORK = 1 << 18;

    private static final int IN_PROGRESS = -1;

    private final Map<String, TopicFormat> formats;
    private final Map<String, Integer> sizes = new HashMap<>();
    private final List<Column> columns = new ArrayList<>();
    private int pathChars;
    private int work;
    private String missing = "";

    LayoutBuilder(Map<String, TopicFormat> formats) {
        this.formats = formats;
    }

    /** Number of fields visited. */
    int work() {
        return work;
    }

    /** Name of the undefined format; empty if the layout failed for another reason. */
    String missing() {
        return missing;
    }

    TopicLayout build(TopicFormat format) throws ULogException {
        int size = size(format, 0);
        expand(format, "", 0);
        return new TopicLayout(format.name(), columns, size, size - trailingPadding(format));
    }

    private int size(TopicFormat format, int depth) throws ULogException {
        Integer known = sizes.get(format.name());
        if (known != null) {
            if (known == IN_PROGRESS) {
                throw new ULogException("format \"" + format.name() + "\" nests itself");
            }
            return known;
        }
        if (depth > TopicLayout.MAX_NESTING) {
            throw new ULogException("formats nest deeper than " + TopicLayout.MAX_NESTING);
        }
        sizes.put(format.name(), IN_PROGRESS);
        long size = 0;
        for (Field field : format.fields()) {
            step();
            size += (long) field.count() * elementSize(field, depth);
            if (size > ULogLayout.MAX_SAMPLE_SIZE) {
                throw new ULogException("format \"" + format.name() + "\" is larger than a message");
            }
        }
        sizes.put(format.name(), (int) size);
        return (int) size;
    }

    private int elementSize(Field field, int depth) throws ULogException {
        Optional<FieldType> basic = field.basicType();
        return basic.isPresent() ? basic.get().length() : size(nested(field), depth + 1);
    }

    private int expand(TopicFormat format, String prefix, int from) throws ULogException {
        int offset = from;
        for (Field field : format.fields()) {
            step();
            int elementSize = elementSize(field, 0);
            int end = offset + field.count() * elementSize;
            if (end > offset && !field.isPadding()) {
                add(field, prefix, offset, elementSize);
            }
            offset = end;
        }
        return offset;
    }

    private void add(Field field, String prefix, int offset, int elementSize) throws ULogException {
        Optional<FieldType> basic = field.basicType();
        String path = prefix + field.name();
        if (basic.isPresent()) {
            pathChars += path.length();
            if (pathChars > MAX_PATH_CHARS) {
                throw new ULogException("the paths of a format's fields exceed " + MAX_PATH_CHARS + " characters");
            }
            columns.add(new Column(path, basic.get(), offset, field.count(), field.isArray()));
            return;
        }
        for (int i = 0; i < field.count(); i++) {
            expand(nested(field), field.isArray() ? path + "[" + i + "]." : path + ".", offset + i * elementSize);
        }
    }

    private void step() throws ULogException {
        if (++work > MAX_WORK) {
            throw new ULogException("a format's fields take more than " + MAX_WORK + " steps to lay out");
        }
    }

    /** Padding at the very end may be missing in the log; padding inside a nested last field may not. */
    private int trailingPadding(TopicFormat format) throws ULogException {
        int padding = 0;
        for (int i = format.fields().size() - 1;
                i >= 0 && format.fields().get(i).isPadding();
                i--) {
            Field field = format.fields().get(i);
            padding += field.count() * elementSize(field, 0);
        }
        return padding;
    }

    private TopicFormat nested(Field field) throws ULogException {
        TopicFormat format = formats.get(field.type());
        if (format == null) {
            missing = field.type();
            throw new ULogException("format \"" + field.type() + "\" is not defined");
        }
        return format;
    }
}
