package org.mavlogd.config;

import java.util.List;

/**
 * One section of the file and its keys.
 *
 * @param name between the brackets
 * @param shape once at most, or any number of times
 * @param why its purpose, in one line
 * @param keys all possible keys, in the order of the documents
 */
record Section(String name, Shape shape, String why, List<Key<?>> keys) {
    /** The form of a section in the file. */
    enum Shape {
        /** {@code [name]} */
        TABLE,
        /** {@code [[name]]}, one for each */
        LIST
    }

    static Section table(String name, String why, Key<?>... keys) {
        return new Section(name, Shape.TABLE, why, List.of(keys));
    }

    static Section list(String name, String why, Key<?>... keys) {
        return new Section(name, Shape.LIST, why, List.of(keys));
    }

    List<String> keyNames() {
        return keys.stream().map(Key::name).toList();
    }

    String header() {
        return shape == Shape.LIST ? "[[" + name + "]]" : "[" + name + "]";
    }
}
