package org.mavlogd.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mavlogd.text.SimilarWord;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/**
 * A configuration, divided into sections: its file, the files in {@code conf.d} beside it, and environment variables.
 * Later sources take precedence, key by key; sections that may occur several times are added up.
 */
final class Configuration {
    private final List<ConfigSource> sources = new ArrayList<>();
    private final Problems problems;
    private final Suggestion suggestion;

    private Configuration(Path path, List<Section> sections) {
        problems = new Problems(path.toString());
        suggestion = new Suggestion(sections);
    }

    /** Like {@link #read(Path, Map, List)}, with this process's environment. */
    static Configuration read(Path path, List<Section> sections) throws ConfigException {
        return read(path, System.getenv(), sections);
    }

    /**
     * Throws at once only if there is nothing to check: no file, or no text.
     *
     * @param sections all possible sections
     */
    static Configuration read(Path path, Map<String, String> environment, List<Section> sections)
            throws ConfigException {
        Configuration configuration = new Configuration(path, sections);
        configuration.add(path);
        for (Path more : ConfigFile.beside(path)) {
            configuration.add(more);
        }
        new EnvironmentKeys(sections, configuration.problems).addTo(configuration.sources, environment);
        configuration.checkSectionNames(sections);
        return configuration;
    }

    private void add(Path path) throws ConfigException {
        sources.add(ConfigFile.read(path, sources.size(), problems));
    }

    Problems problems() {
        return problems;
    }

    /** A section that occurs once at most; without it every key is absent. */
    SectionReader table(Section section) {
        return reader(section, section.name(), tables(section));
    }

    private SectionTables tables(Section section) {
        SectionTables tables = new SectionTables(header(section));
        for (ConfigSource source : sources) {
            Object found = source.find(section);
            if (found instanceof TomlTable table) {
                tables.add(source, table);
            } else if (found != null) {
                wrongShape(section, source.placeOf(section), found);
            }
        }
        return tables;
    }

    /** The first place of a section, or the one where it would be. */
    private Place header(Section section) {
        return sources.stream()
                .filter(source -> source.find(section) != null)
                .findFirst()
                .map(source -> source.placeOf(section))
                .orElse(start());
    }

    /** A section that may occur any number of times, in all sources. */
    List<SectionReader> list(Section section) {
        List<SectionReader> readers = new ArrayList<>();
        for (ConfigSource source : sources) {
            Object found = source.find(section);
            if (found instanceof TomlArray array) {
                addAll(section, source, array, readers);
            } else if (found != null) {
                wrongShape(section, source.placeOf(section), found);
                if (found instanceof TomlTable table) {
                    // Single brackets instead of double ones; the content can be checked nevertheless.
                    readers.add(
                            reader(section, section.name(), SectionTables.of(source, table, source.placeOf(section))));
                }
            }
        }
        return readers;
    }

    private void addAll(Section section, ConfigSource source, TomlArray array, List<SectionReader> readers) {
        for (int i = 0; i < array.size(); i++) {
            Place place = Place.in(source, array.inputPositionOf(i));
            if (array.get(i) instanceof TomlTable table) {
                String name = section.name() + '[' + (readers.size() + 1) + ']';
                readers.add(reader(section, name, SectionTables.of(source, table, place)));
            } else {
                wrongShape(section, place, array.get(i));
            }
        }
    }

    private SectionReader reader(Section section, String name, SectionTables tables) {
        return new SectionReader(section, name, tables, problems, suggestion);
    }

    /** Whether there is no section of that name, not even in the wrong form. */
    boolean isEmpty(Section section) {
        return sources.stream()
                .map(source -> source.find(section))
                .allMatch(found -> found == null || (found instanceof TomlArray array && array.isEmpty()));
    }

    Place start() {
        return sources.get(0).start();
    }

    private void wrongShape(Section section, Place place, Object found) {
        String what = "expected " + section.header() + ", found " + ValueType.describe(found);
        problems.add(place, section.name(), what, section.header());
    }

    private void checkSectionNames(List<Section> sections) {
        List<String> names = sections.stream().map(Section::name).toList();
        String allowed =
                String.join(", ", sections.stream().map(Section::header).toList());
        for (ConfigSource source : sources) {
            for (String name : source.root().keySet()) {
                if (!names.contains(name)) {
                    boolean isSection = source.root().get(List.of(name)) instanceof TomlTable;
                    // A section is no misplaced key, even if a key has its name.
                    String what = isSection
                            ? "unknown section" + SimilarWord.hint(name, names)
                            : "unknown key" + suggestion.of(name, names);
                    problems.add(source.placeOf(source.root(), name), Quoted.plain(name), what, allowed);
                }
            }
        }
    }
}
