package org.mavlogd.config;

import java.util.List;
import java.util.Optional;

/**
 * One key of a section: the only definition of its name, type, default, range and purpose.
 *
 * @param <T> what its value becomes
 * @param name as written in the file
 * @param type reads and checks the value
 * @param fallback the value when the key is absent; for a key without default only a placeholder, so that reading continues
 *     and finds the other problems too
 * @param defaultToml the default as it is written in the file; empty when there is none
 * @param why what it is for, in one line
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

    /** A key whose default is given in the file's own words, when the value itself has another form. */
    static <T> Key<T> withDefault(String name, T byDefault, String defaultToml, ValueType<T> type, String why) {
        return new Key<>(name, type, byDefault, Optional.of(defaultToml), why);
    }

    /** A key that has no default: its section says when it must be there. */
    static <T> Key<T> withoutDefault(String name, T standIn, ValueType<T> type, String why) {
        return new Key<>(name, type, standIn, Optional.empty(), why);
    }

    /** By name, which is what sets the keys of a section apart; to make up a comparison of all parts takes Java 10 ms. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Key<?> key && name.equals(key.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
