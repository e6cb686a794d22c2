package org.mavlogd.config;

import java.util.List;

/**
 * One section of the file and its keys.
 *
 * @param name as written between the brackets
 * @param shape once at most, or any number of times
 * @param why what it is about, in one line
 * @param keys all that it may have, in the order of the documents
 */
record Section(String name, Shape shape, String why, List<Key<?>> keys) {
    /** How a section is written. */
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
