package org.mavlogd.config;

import java.util.List;
import java.util.Optional;

/**
 * One key of a section: the only definition of its name, type, default, range and purpose.
 *
 * @param <T> the type of its value
 * @param name in the file
 * @param type reads and checks the value
 * @param fallback the value if the key is absent; for a key without default only a placeholder, so that reading
 *     continues and finds other problems too
 * @param defaultToml the default in the form of the file; empty if there is none
 * @param why its purpose, in one line
 */
record Key<T>(String name, ValueType<T> type, T fallback, Optional<String> defaultToml, String why) {

    static Key<String> string(String name, String byDefault, ValueType<String> type, String why) {
        return new Key<>(name, type, byDefault, Optional.of('"' + byDefault + '"'), why);
    }

    static Key<Integer> integer(String name, int byDefault, ValueType<Integer> type, String why) {
        return new Key<>(name, type, byDefault, Optional.of(Integer.toString(byDefault)), why);
    }

    static Key<Boolean> bool(String name, boolean byDefault, String why) {
        return new Key<>(name, ValueType.BOOL, byDefault, Optional.of(Boolean.toString(byDefault)), why);
    }

    static <E extends Enum<E>> Key<E> choice(String name, E byDefault, List<E> choices, String why) {
        String toml = '"' + ValueType.word(byDefault) + '"';
        return new Key<>(name, ValueType.oneOf(choices), byDefault, Optional.of(toml), why);
    }

    /** A key whose default is given in the form of the file, if the value itself has another form. */
    static <T> Key<T> withDefault(String name, T byDefault, String defaultToml, ValueType<T> type, String why) {
        return new Key<>(name, type, byDefault, Optional.of(defaultToml), why);
    }

    /** A key without default: its section determines when it is required. */
    static <T> Key<T> withoutDefault(String name, T standIn, ValueType<T> type, String why) {
        return new Key<>(name, type, standIn, Optional.empty(), why);
    }

    /**
     * By name, which distinguishes the keys of a section; generating a comparison of all components takes Java 10 ms.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof Key<?> key && name.equals(key.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
