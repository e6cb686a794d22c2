package org.mavlogd.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.tomlj.TomlParseResult;

/**
 * Keys set by environment variables, for containers: {@code MAVLOGD_LOG_DIRECTORY=/data} is {@code directory = "/data"}
 * in section {@code [log]}.
 */
final class EnvironmentKeys {
    static final String PREFIX = "MAVLOGD_";

    /** Variables of other programs of mavlogd, such as the start script. */
    private static final Set<String> OTHERS = Set.of("MAVLOGD_SOCKET", "MAVLOGD_BOOT_ID", "MAVLOGD_MEMORY");

    private static final Pattern KEY = Pattern.compile("[a-z0-9_]+");
    private static final String ALLOWED = PREFIX + "SECTION_KEY";

    private final List<Section> sections;
    private final Problems problems;

    EnvironmentKeys(List<Section> sections, Problems problems) {
        // Longer names first, because one may be the prefix of another.
        this.sections = sections.stream()
                .sorted(Comparator.comparingInt(
                        (Section section) -> -section.name().length()))
                .toList();
        this.problems = problems;
    }

    /** Adds a source for each variable. */
    void addTo(List<ConfigSource> sources, Map<String, String> environment) {
        new TreeMap<>(environment).forEach((name, value) -> {
            if (name.startsWith(PREFIX) && !OTHERS.contains(name)) {
                sources.add(source(sources.size(), name, value));
            }
        });
    }

    private ConfigSource source(int order, String name, String value) {
        String rest = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
        Optional<Section> section = sections.stream()
                .filter(candidate -> rest.startsWith(candidate.name() + '_'))
                .findFirst();
        ConfigSource nothing = new ConfigSource(order, name, false, ConfigFile.parse(""));
        if (section.isEmpty()) {
            problems.add(nothing.start(), "names no section", ALLOWED);
            return nothing;
        }
        if (section.get().shape() == Section.Shape.LIST) {
            String header = section.get().header();
            problems.add(nothing.start(), header, "cannot be set by a variable", header + " in a file of conf.d");
            return nothing;
        }
        String key = rest.substring(section.get().name().length() + 1);
        if (!KEY.matcher(key).matches()) {
            problems.add(nothing.start(), "names no key", ALLOWED);
            return nothing;
        }
        return new ConfigSource(order, name, false, parse(section.get().name(), key, value));
    }

    /** Parses the value as TOML; if it is not valid TOML, as a string without quotes. */
    private static TomlParseResult parse(String section, String key, String value) {
        String line = "[" + section + "]\n" + key + " = ";
        boolean hasLines = value.chars().anyMatch(c -> c < ' ');
        TomlParseResult parsed = ConfigFile.parse(hasLines ? line : line + value);
        return parsed.hasErrors() ? ConfigFile.parse(line + Quoted.toml(value)) : parsed;
    }
}
