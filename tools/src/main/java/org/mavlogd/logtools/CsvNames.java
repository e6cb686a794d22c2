package org.mavlogd.logtools;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.mavlogd.ulog.Topic;

/**
 * Gives each topic instance a file name of its own: letters, digits, {@code _} and {@code -} of its name, its instance,
 * and a number where that is taken. Names are told apart without regard to case, as some file systems do.
 */
final class CsvNames {
    private static final int MAX_LENGTH = 100;

    private final Set<String> taken = new HashSet<>();

    String name(Topic topic) {
        String safe = topic.name().replaceAll("[^A-Za-z0-9_-]", "_");
        String base = safe.substring(0, Math.min(safe.length(), MAX_LENGTH)) + "_" + topic.multiId();
        String name = base;
        for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
            name = base + "-" + i;
        }
        return name + ".csv";
    }
}
