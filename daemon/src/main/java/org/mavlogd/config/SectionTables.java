package org.mavlogd.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlTable;

/** The values of one section from all sources, key by key: later sources take precedence. */
final class SectionTables {
    private final Place header;
    private final List<Layer> layers = new ArrayList<>();

    private record Layer(ConfigSource source, TomlTable table) {}

    /** @param header where the section begins, or would begin */
    SectionTables(Place header) {
        this.header = header;
    }

    static SectionTables of(ConfigSource source, TomlTable table, Place header) {
        SectionTables tables = new SectionTables(header);
        tables.add(source, table);
        return tables;
    }

    /** Adds a source, which takes precedence over those before. */
    void add(ConfigSource source, TomlTable table) {
        layers.add(new Layer(source, table));
    }

    Place header() {
        return header;
    }

    boolean contains(String key) {
        return layer(key).isPresent();
    }

    @Nullable
    Object get(String key) {
        return layer(key).map(layer -> layer.table.get(List.of(key))).orElse(null);
    }

    /** The place of the effective value; if there is none, that of the section. */
    Place placeOf(String key) {
        return layer(key).map(layer -> layer.source.placeOf(layer.table, key)).orElse(header);
    }

    Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        layers.forEach(layer -> keys.addAll(layer.table.keySet()));
        return keys;
    }

    private Optional<Layer> layer(String key) {
        for (int i = layers.size() - 1; i >= 0; i--) {
            if (layers.get(i).table.contains(List.of(key))) {
                return Optional.of(layers.get(i));
            }
        }
        return Optional.empty();
    }
}
