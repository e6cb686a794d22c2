package org.mavlogd.config;

import java.util.List;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * One section as it stands in the file. Made, it has told of every unknown key and every bad value; what then asks for
 * a value always gets one.
 */
final class SectionReader {
    private final Section section;
    private final String name;
    private final TomlTable table;
    private final TomlPosition header;
    private final Problems problems;
    private final Suggestion suggestion;

    /**
     * Checks all keys of the table.
     *
     * @param name for messages: {@code log}, {@code link[2]}
     * @param header where the section starts
     * @param suggestion for keys that are not known
     */
    SectionReader(
            Section section,
            String name,
            TomlTable table,
            TomlPosition header,
            Problems problems,
            Suggestion suggestion) {
        this.section = section;
        this.name = name;
        this.table = table;
        this.header = header;
        this.problems = problems;
        this.suggestion = suggestion;
        for (String key : table.keySet()) {
            check(key);
        }
    }

    String name() {
        return name;
    }

    boolean has(Key<?> key) {
        return table.contains(List.of(key.name()));
    }

    /** The value in the file, else the key's default. A bad value was told already; the default stands in for it. */
    <T> T value(Key<T> key) {
        if (has(key)) {
            try {
                return key.type().read(table.get(List.of(key.name())));
            } catch (ValueType.BadValueException e) {
                return key.fallback();
            }
        }
        return key.fallback();
    }

    /** Whether the key is there with a good value. */
    boolean hasGood(Key<?> key) {
        if (!has(key)) {
            return false;
        }
        try {
            key.type().read(table.get(List.of(key.name())));
            return true;
        } catch (ValueType.BadValueException e) {
            return false;
        }
    }

    /** Tells that a key is not there which must be. */
    void require(Key<?> key) {
        if (!has(key)) {
            missing(key.name(), "is required", key.type().allowed());
        }
    }

    /** Tells that something about the whole section is missing. */
    void missing(String key, String what, String allowed) {
        problems.missing(header, name + '.' + key, what, allowed);
    }

    /** Tells that this section is one too many. */
    void excess(String key, String what, String allowed) {
        problems.add(header, key, what, allowed);
    }

    /** Tells what is wrong with a key that is there. */
    void problem(Key<?> key, String what, String allowed) {
        problems.add(positionOf(key.name()), name + '.' + key.name(), what, allowed);
    }

    private void check(String keyName) {
        for (Key<?> key : section.keys()) {
            if (key.name().equals(keyName)) {
                checkValue(key);
                return;
            }
        }
        String what = "unknown key" + suggestion.of(keyName, section.keyNames());
        String allowed = String.join(", ", section.keyNames());
        problems.add(positionOf(keyName), name + '.' + Quoted.plain(keyName), what, allowed);
    }

    private void checkValue(Key<?> key) {
        try {
            key.type().read(table.get(List.of(key.name())));
        } catch (ValueType.BadValueException e) {
            problem(key, String.valueOf(e.getMessage()), key.type().allowed());
        }
    }

    private TomlPosition positionOf(String key) {
        return table.inputPositionOf(List.of(key));
    }
}
