package org.mavlogd.tools;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.ulog.LogLevel;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A level on the command line, by its name; {@code warn} is {@code warning}. */
final class LevelWord implements ITypeConverter<LogLevel> {
    private static final List<String> NAMES = Arrays.stream(LogLevel.values())
            .map(level -> level.name().toLowerCase(Locale.ROOT))
            .toList();

    @Override
    public LogLevel convert(String word) {
        try {
            return level(word);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /**
     * The level of this name.
     *
     * @throws IllegalArgumentException if there is none, with the names there are
     */
    static LogLevel level(String word) {
        String name = word.equalsIgnoreCase("warn") ? LogLevel.WARNING.name() : word;
        return Arrays.stream(LogLevel.values())
                .filter(level -> level.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + word + "\" is not a level"
                        + SimilarWord.hint(word.toLowerCase(Locale.ROOT), NAMES) + "; levels are "
                        + String.join(", ", NAMES)));
    }
}
