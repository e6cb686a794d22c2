package org.mavlogd.ulog;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The formats that a log has declared so far, and the layouts requested of them. A layout is computed once, and again
 * only when a missing format arrives or a format is declared again. Memory and work are bounded for any log.
 */
final class Formats {
    // Real logs have up to 300 formats of 40 KiB and less than 10,000 columns; a malicious one must not fill a small
    // heap.
    static final int MAX_FORMATS = 16_384;
    static final int MAX_FORMAT_BYTES = 1 << 20;
    static final int MAX_FIELDS = 1 << 16;
    static final int MAX_COLUMNS = 1 << 17;
    static final int MAX_PATH_CHARS = 4 << 20;

    /** Most fields visited for all layouts together. Real logs take less than 100,000. */
    static final long MAX_WORK = 2L << 20;

    // Heap that objects take in addition to their characters, in bytes.
    private static final int FORMAT_BYTES = 160;
    private static final int FIELD_BYTES = 112;
    private static final int COLUMN_BYTES = 96;

    private static final int WORK_OF_REFUSAL = 16;

    private final LongPredicate memory;
    private final Map<String, TopicFormat> formats = new HashMap<>();
    private final Map<String, Resolution> resolutions = new HashMap<>();
    // Name of a missing format -> the requested formats that need it.
    private final Map<String, Set<String>> waiting = new HashMap<>();
    private long formatBytes;
    private long fields;
    private long columns;
    private long pathChars;
    private long work;

    /** The layout of a format, or the reason why it has none. */
    record Resolution(
            @Nullable TopicLayout layout, @Nullable ULogException refusal) {
        String problem() {
            return refusal == null ? "" : String.valueOf(refusal.getMessage());
        }
    }

    /** The effect of a declared format. */
    enum Added {
        /** The same format was declared before. */
        KNOWN,
        /** Its name is new. */
        NEW,
        /** The name had another format before: every layout may have changed. */
        CHANGED
    }

    /** @param memory called with a number of bytes of heap before they are used; returns false to refuse them */
    Formats(LongPredicate memory) {
        this.memory = memory;
    }

    /**
     * Adds a format; of two with the same name the later one is used. {@code bytes} is the size of the message's
     * payload.
     */
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
        // Comparing records for the first time takes Java 10 ms, and is rarely needed.
        if (format.equals(before)) {
            return Added.KNOWN;
        }
        resolutions.clear();
        waiting.clear();
        return Added.CHANGED;
    }

    /** The requested formats that lacked this one; they can be requested again. */
    Set<String> freed(String name) {
        Set<String> freed = waiting.remove(name);
        if (freed == null) {
            return Set.of();
        }
        resolutions.keySet().removeAll(freed);
        return freed;
    }

    /** The layout of a format; null as long as the format is not defined. */
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

    /** Counts the visited fields or topics. */
    void work(long count) throws ULogException {
        work += count;
        if (work > MAX_WORK) {
            throw new ULogException("the formats take more than " + MAX_WORK + " steps to lay out");
        }
    }

    /** Called before this number of bytes is allocated. */
    void reserve(long bytes) throws ULogException {
        if (!memory.test(bytes)) {
            throw new ULogException("its formats and topics take more memory than there is for a log");
        }
    }
}
