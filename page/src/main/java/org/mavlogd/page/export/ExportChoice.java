package org.mavlogd.page.export;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.tables.CsvExport;

/**
 * The part of a log to export, and its format.
 *
 * @param topics words as for {@code mavlogd export}; none for all
 * @param times time column of tables
 */
public record ExportChoice(Format format, List<String> topics, TimeRange range, CsvExport.Times times) {
    private static final int MAX_TOPICS = 256;
    private static final int MAX_WORD = 256;

    /** A file format. */
    public enum Format {
        CSV,
        MCAP,
        GPX
    }

    /** The words of a request. */
    public record Words(String format, List<String> topics, Optional<String> time) {}

    /**
     * Parses the words of a request.
     *
     * @throws IllegalArgumentException with the allowed values, if they are invalid
     */
    public static ExportChoice of(Words words, TimeRange range) {
        Format format = oneOf("the format", words.format, Format.values());
        List<String> topics = words.topics.stream()
                .flatMap(word -> Arrays.stream(word.split(",")))
                .filter(word -> !word.isBlank())
                .toList();
        if (topics.size() > MAX_TOPICS || topics.stream().anyMatch(word -> word.length() > MAX_WORD)) {
            throw new IllegalArgumentException("topic may be there at most " + MAX_TOPICS
                    + " times, each time with at most " + MAX_WORD + " characters");
        }
        if (format == Format.GPX && !topics.isEmpty()) {
            throw new IllegalArgumentException("topic is for csv and mcap: a track has none");
        }
        if (format != Format.CSV && words.time.isPresent()) {
            throw new IllegalArgumentException("time is for csv");
        }
        return new ExportChoice(
                format, topics, range, oneOf("time", words.time.orElse("us"), CsvExport.Times.values()));
    }

    private static <E extends Enum<E>> E oneOf(String what, String word, E[] values) {
        return Arrays.stream(values)
                .filter(value -> word(value).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(what + " is \"" + word + "\", and must be one of "
                        + String.join(
                                ", ",
                                Arrays.stream(values).map(ExportChoice::word).toList())));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    TopicChoice topicChoice() {
        return new TopicChoice(topics);
    }
}
