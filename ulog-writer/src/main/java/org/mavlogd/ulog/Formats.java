package org.mavlogd.ulog;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The formats that a log has declared so far, and the layouts of those that were asked for. Each is worked out once, and again
 * only when a format that it lacked arrives or one is declared again. Memory and work are bounded, whatever the log declares.
 */
final class Formats {
    // Real logs have up to 300 formats of 40 KiB and less than 10,000 columns; a made-up one must not fill a small
    // heap.
    static final int MAX_FORMATS = 16_384;
    static final int MAX_FORMAT_BYTES = 1 << 20;
    static final int MAX_FIELDS = 1 << 16;
    static final int MAX_COLUMNS = 1 << 17;
    static final int MAX_PATH_CHARS = 4 << 20;

    /** Fields looked at for all layouts together. Real logs take less than 100,000. */
    static final long MAX_WORK = 2L << 20;

    // What objects take beside their characters, in bytes of heap.
    private static final int FORMAT_BYTES = 160;
    private static final int FIELD_BYTES = 112;
    private static final int COLUMN_BYTES = 96;

    private static final int WORK_OF_REFUSAL = 16;

    private final LongPredicate memory;
    private final Map<String, TopicFormat> formats = new HashMap<>();
    private final Map<String, Resolution> resolutions = new HashMap<>();
    // By the name of a missing format: the formats that were asked for and need it.
    private final Map<String, Set<String>> waiting = new HashMap<>();
    private long formatBytes;
    private long fields;
    private long columns;
    private long pathChars;
    private long work;

    /** A format's layout, or why it has none. */
    record Resolution(
            @Nullable TopicLayout layout, @Nullable ULogException refusal) {
        String problem() {
            return refusal == null ? "" : String.valueOf(refusal.getMessage());
        }
    }

    /** What became of a format that was declared. */
    enum Added {
        /** It was known as it is. */
        KNOWN,
        /** Its name is new. */
        NEW,
        /** Its name meant something else before: every layout may be another one. */
        CHANGED
    }

    /** @param memory asked for bytes of heap before they are kept; refuses with false */
    Formats(LongPredicate memory) {
        this.memory = memory;
    }

    /** Of two with one name the later counts. {@code bytes} is the message's payload. */
    Added add(TopicFormat format, int bytes) throws ULogException {
        formatBytes += bytes;
        fields += format.fields().size();
        if (formats.size() >= MAX_FORMATS || formatBytes > MAX_FORMAT_BYTES || fields > MAX_FIELDS) {
            throw new ULogException("more than " + MAX_FORMATS + " formats, " + MAX_FORMAT_BYTES + " bytes or "
                    + MAX_FIELDS + " fields of them");
        }
        reserve(FORMAT_BYTES + bytes + (long) FIELD_BYTES * format.fields().size());
        TopicFormat before = formats.put(format.name(), format);
        if (before == null) {
            return Added.NEW;
        }
        // The first comparison of two records costs Java 10 ms: rarely needed here.
        if (format.equals(before)) {
            return Added.KNOWN;
        }
        resolutions.clear();
        waiting.clear();
        return Added.CHANGED;
    }

    /** The formats that were asked for and lacked this one; they can be asked for again. */
    Set<String> freed(String name) {
        Set<String> freed = waiting.remove(name);
        if (freed == null) {
            return Set.of();
        }
        resolutions.keySet().removeAll(freed);
        return freed;
    }

    /** The layout of a format; null while the format is not defined. */
    @Nullable
    Resolution resolve(String name) throws ULogException {
        Resolution known = resolutions.get(name);
        if (known != null) {
            return known;
        }
        TopicFormat format = formats.get(name);
        if (format == null) {
            await(name, name);
            return null;
        }
        Resolution resolution = build(format);
        resolutions.put(name, resolution);
        return resolution;
    }

    private Resolution build(TopicFormat format) throws ULogException {
        LayoutBuilder builder = new LayoutBuilder(formats);
        TopicLayout layout;
        try {
            layout = builder.build(format);
        } catch (ULogException refusal) {
            work(WORK_OF_REFUSAL + builder.work());
            if (!builder.missing().isEmpty()) {
                await(builder.missing(), format.name());
            }
            return new Resolution(null, refusal);
        }
        work(builder.work());
        count(layout);
        return new Resolution(layout, null);
    }

    private void await(String missing, String name) {
        waiting.computeIfAbsent(missing, key -> new HashSet<>()).add(name);
    }

    private void count(TopicLayout layout) throws ULogException {
        long chars = 0;
        for (Column column : layout.columns()) {
            chars += column.path().length();
        }
        columns += layout.columns().size();
        pathChars += chars;
        if (columns > MAX_COLUMNS || pathChars > MAX_PATH_CHARS) {
            throw new ULogException("the topics have more than " + MAX_COLUMNS + " fields or " + MAX_PATH_CHARS
                    + " characters in their names");
        }
        reserve(chars + (long) COLUMN_BYTES * layout.columns().size());
    }

    /** So many fields or topics are looked at. */
    void work(long count) throws ULogException {
        work += count;
        if (work > MAX_WORK) {
            throw new ULogException("the formats take more than " + MAX_WORK + " steps to lay out");
        }
    }

    /** Before so many bytes are kept. */
    void reserve(long bytes) throws ULogException {
        if (!memory.test(bytes)) {
            throw new ULogException("its formats and topics take more memory than there is for a log");
        }
    }
}
