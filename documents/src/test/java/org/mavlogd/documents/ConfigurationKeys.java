package org.mavlogd.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys in docs/configuration.md, whose tables another test compares with the code. */
final class ConfigurationKeys {
    private static final Pattern SECTION = Pattern.compile("## `(\\[+[a-z]+]+)`: .*");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z_]+)` \\| .*");
    private static final Pattern MENTION = Pattern.compile("\\[+([a-z]+)]+ ([a-z_]+)(?: = .*)?");
    private static final Pattern HEADER = Pattern.compile("\\[+([a-z]+)]+\\s*(?:#.*)?");
    private static final Pattern SETTING = Pattern.compile("#?([a-z_]+) = .*");

    private final Map<String, Set<String>> keys = new HashMap<>();

    ConfigurationKeys(Path document) throws IOException {
        String section = "";
        for (String line : Files.readAllLines(document)) {
            Matcher header = SECTION.matcher(line);
            Matcher row = ROW.matcher(line);
            if (header.matches()) {
                section = name(String.valueOf(header.group(1)));
                keys.put(section, new TreeSet<>());
            } else if (row.matches()) {
                keys.getOrDefault(section, new TreeSet<>()).add(row.group(1));
            }
        }
    }

    private static String name(String header) {
        return header.replaceAll("[\\[\\]]", "");
    }

    int count() {
        return keys.values().stream().mapToInt(Set::size).sum();
    }

    /** Unknown keys in inline code such as {@code [log] mode = "armed"}; other code is ignored. */
    List<String> unknown(String code) {
        Matcher mention = MENTION.matcher(code);
        return mention.matches()
                ? check(String.valueOf(mention.group(1)), String.valueOf(mention.group(2)))
                : List.of();
    }

    List<String> unknownInToml(String toml) {
        List<String> unknown = new ArrayList<>();
        String section = "";
        for (String line : toml.lines().map(String::strip).toList()) {
            Matcher header = HEADER.matcher(line);
            Matcher setting = SETTING.matcher(line);
            if (header.matches()) {
                section = String.valueOf(header.group(1));
            } else if (setting.matches() && !section.isEmpty()) {
                unknown.addAll(check(section, String.valueOf(setting.group(1))));
            }
        }
        return unknown;
    }

    private List<String> check(String section, String key) {
        Set<String> known = keys.get(section);
        if (known == null) {
            // Capitalised sections are of systemd, udev or mavlink-router.
            return Character.isLowerCase(section.charAt(0))
                    ? List.of("there is no section [" + section + "]")
                    : List.of();
        }
        return known.contains(key) ? List.of() : List.of("there is no key [" + section + "] " + key);
    }
}
