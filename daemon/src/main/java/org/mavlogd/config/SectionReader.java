package org.mavlogd.config;

import java.util.Objects;

/**
 * Reads the keys of one section of a file. Its constructor reports every unknown key and every bad value; after that
 * every request for a value gets one.
 */
final class SectionReader {
    private final Section section;
    private final String name;
    private final SectionTables tables;
    private final Problems problems;
    private final Suggestion suggestion;

    /**
     * Checks all keys of the section.
     *
     * @param name for messages: {@code log}, {@code link[2]}
     * @param suggestion for unknown keys
     */
    SectionReader(Section section, String name, SectionTables tables, Problems problems, Suggestion suggestion) {
        this.section = section;
        this.name = name;
        this.tables = tables;
        this.problems = problems;
        this.suggestion = suggestion;
        for (String key : tables.keys()) {
            check(key);
        }
    }

    String name() {
        return name;
    }

    SectionTables tables() {
        return tables;
    }

    boolean has(Key<?> key) {
        return tables.contains(key.name());
    }

    /**
     * The value in the file, else the key's default. The default also replaces a bad value, which was reported already.
     */
    <T> T value(Key<T> key) {
        if (has(key)) {
            try {
                return key.type().read(value(key.name()));
            } catch (ValueType.BadValueException e) {
                return key.fallback();
            }
        }
        return key.fallback();
    }

    /** Whether the key is set to a good value. */
    boolean hasGood(Key<?> key) {
        if (!has(key)) {
            return false;
        }
        try {
            key.type().read(value(key.name()));
            return true;
        } catch (ValueType.BadValueException e) {
            return false;
        }
    }

    /** Reports a required key that is missing. */
    void require(Key<?> key) {
        if (!has(key)) {
            missing(key.name(), "is required", key.type().allowed());
        }
    }

    /** Reports something that is missing in the section. */
    void missing(String key, String what, String allowed) {
        problems.missing(tables.header(), name + '.' + key, what, allowed);
    }

    /** Reports that there is a section too many. */
    void excess(String key, String what, String allowed) {
        problems.add(tables.header(), key, what, allowed);
    }

    /** Reports a problem with a key that is set. */
    void problem(Key<?> key, String what, String allowed) {
        problems.add(tables.placeOf(key.name()), name + '.' + key.name(), what, allowed);
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
        problems.add(tables.placeOf(keyName), name + '.' + Quoted.plain(keyName), what, allowed);
    }

    private void checkValue(Key<?> key) {
        try {
            key.type().read(value(key.name()));
        } catch (ValueType.BadValueException e) {
            problem(key, String.valueOf(e.getMessage()), key.type().allowed());
        }
    }

    private Object value(String key) {
        return Objects.requireNonNull(tables.get(key));
    }
}
