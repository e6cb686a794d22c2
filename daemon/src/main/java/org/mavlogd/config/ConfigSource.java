package org.mavlogd.config;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * One source of a configuration: a file, or an environment variable.
 *
 * @param order later sources take precedence
 * @param name of the file or the variable
 * @param hasLines whether it is a file
 * @param root its values
 */
record ConfigSource(int order, String name, boolean hasLines, TomlTable root) {
    private static final TomlPosition START = TomlPosition.positionAt(1, 1);

    Place start() {
        return Place.in(this, START);
    }

    /** Its value for a section, of any type; null if it has none. */
    @Nullable
    Object find(Section section) {
        return root.get(List.of(section.name()));
    }

    Place placeOf(Section section) {
        return placeOf(root, section.name());
    }

    Place placeOf(TomlTable table, String key) {
        TomlPosition position = table.inputPositionOf(List.of(key));
        return Place.in(this, position == null ? START : position);
    }
}
