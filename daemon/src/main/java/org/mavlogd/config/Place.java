package org.mavlogd.config;

import java.util.Comparator;
import org.tomlj.TomlPosition;

/**
 * A position in the configuration: source, line and column.
 *
 * @param source the source's {@link ConfigSource#order}
 * @param name of the file or the environment variable
 * @param line in the file, from 1; 0 if there are no lines
 */
record Place(int source, String name, int line, int column) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparingInt(Place::source).thenComparingInt(Place::line).thenComparingInt(Place::column);

    static Place in(ConfigSource source, TomlPosition position) {
        return source.hasLines()
                ? new Place(source.order(), source.name(), position.line(), position.column())
                : new Place(source.order(), source.name(), 0, 0);
    }

    /** The same line without column. */
    Place ofLine() {
        return new Place(source, name, line, 0);
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    /** The form that compilers use. */
    @Override
    public String toString() {
        return line == 0 ? name : name + ':' + line + ':' + column;
    }
}
