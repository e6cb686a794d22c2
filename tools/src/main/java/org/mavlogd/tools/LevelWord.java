package org.mavlogd.tools;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.ulog.LogLevel;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of a level on the command line; {@code warn} is {@code warning}. */
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
     * Returns the level with this name.
     *
     * @throws IllegalArgumentException with the valid names, if it is invalid
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
