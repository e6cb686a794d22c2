package org.mavlogd.migrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A configuration file of mavlink-router, as sections of keys and values. As in mavlink-router, repeated sections are
 * merged, repeated keys replace earlier ones, and case is ignored.
 */
final class RouterFile {
    private static final int MAX_QUOTED = 60;

    private final String name;
    private final Map<String, Section> sections = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * @param kind first word in the brackets, in lower case
     * @param name the rest, or empty
     * @param values by key in lower case
     */
    record Section(String kind, String name, int line, Map<String, Value> values) {}

    /**
     * The value of a key.
     *
     * @param key as written
     * @param line counted from 1
     */
    record Value(String key, String text, int line) {}

    private RouterFile(String name) {
        this.name = name;
    }

    /** @param name of the file, for messages */
    static RouterFile parse(String name, String text) {
        RouterFile file = new RouterFile(name);
        Section section = null;
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
                continue;
            }
            if (line.startsWith("[")) {
                section = file.section(line, i + 1);
            } else if (section == null) {
                file.problem(i + 1, quoted(line) + " is in no section; allowed: a line such as [General] before it");
            } else {
                file.add(section, line, i + 1);
            }
        }
        return file;
    }

    private Section section(String line, int number) {
        String inside = line.endsWith("]") ? line.substring(1, line.length() - 1) : "";
        if (inside.isEmpty() || !inside.equals(inside.strip()) || inside.indexOf(']') >= 0) {
            problem(number, quoted(line) + " is not a section; allowed: [Kind] or [Kind name]");
        }
        int space = inside.indexOf(' ');
        String kind = space < 0 ? inside : inside.substring(0, space);
        String own = space < 0 ? "" : inside.substring(space + 1);
        return sections.computeIfAbsent(
                inside.toLowerCase(Locale.ROOT),
                key -> new Section(kind.toLowerCase(Locale.ROOT), own, number, new LinkedHashMap<>()));
    }

    private void add(Section section, String line, int number) {
        int equals = line.indexOf('=');
        String key = equals < 0 ? "" : line.substring(0, equals).strip();
        String text = line.substring(equals + 1).strip();
        if (key.isEmpty() || text.isEmpty()) {
            problem(number, quoted(line) + " is not a setting; allowed: key = value");
            return;
        }
        section.values().put(key.toLowerCase(Locale.ROOT), new Value(key, text, number));
    }

    List<Section> sections() {
        return List.copyOf(sections.values());
    }

    List<String> problems() {
        return problems;
    }

    void problem(int line, String text) {
        problems.add(place(line) + text);
    }

    String place(int line) {
        return name + ':' + line + ": ";
    }

    /** Quotes text from the file for one line of a message. */
    static String quoted(String text) {
        StringBuilder plain = new StringBuilder("\"");
        text.codePoints().limit(MAX_QUOTED).forEach(c -> {
            boolean isPrintable = Character.isLetterOrDigit(c) || (c >= ' ' && c <= '~');
            plain.append(isPrintable ? Character.toString(c) : String.format("\\u%04x", c));
        });
        return plain.append(text.length() > MAX_QUOTED ? "...\"" : "\"").toString();
    }
}
