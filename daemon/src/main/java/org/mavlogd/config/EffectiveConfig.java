package org.mavlogd.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/** The effective configuration: each key with its value and its source. Of secrets it shows only the file names. */
public final class EffectiveConfig {
    private static final int VALUE_WIDTH = 48;

    private final List<String> lines = new ArrayList<>();

    private EffectiveConfig() {}

    /**
     * The lines of an equivalent TOML file.
     *
     * @throws ConfigException if the configuration is not valid
     */
    public static List<String> lines(Path path) throws ConfigException {
        Settings.loadBesideService(path);
        Configuration config = Configuration.read(path, Settings.SECTIONS);
        EffectiveConfig text = new EffectiveConfig();
        for (Section section : Settings.SECTIONS) {
            List<SectionReader> readers =
                    section.shape() == Section.Shape.LIST ? config.list(section) : List.of(config.table(section));
            readers.forEach(reader -> text.add(section, reader.tables()));
        }
        return text.lines;
    }

    private void add(Section section, SectionTables tables) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(section.header());
        for (Key<?> key : section.keys()) {
            if (tables.contains(key.name())) {
                add(
                        key.name(),
                        toml(tables.get(key.name())),
                        tables.placeOf(key.name()).toString());
            } else if (section.shape() == Section.Shape.TABLE) {
                // In sections like [[link]] not every key applies to every kind.
                key.defaultToml().ifPresent(toml -> add(key.name(), toml, "default"));
            }
        }
    }

    private void add(String key, String toml, String origin) {
        String line = key + " = " + toml;
        lines.add(line + " ".repeat(Math.max(1, VALUE_WIDTH - line.length())) + "# " + origin);
    }

    private static String toml(@Nullable Object value) {
        if (value instanceof String text) {
            return Quoted.toml(text);
        }
        if (value instanceof TomlArray array) {
            return IntStream.range(0, array.size())
                    .mapToObj(i -> toml(array.get(i)))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof TomlTable table) {
            return table.keySet().stream()
                    .map(key -> Quoted.toml(key) + " = " + toml(table.get(List.of(key))))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return String.valueOf(value);
    }
}
