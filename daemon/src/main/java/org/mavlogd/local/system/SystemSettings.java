package org.mavlogd.local.system;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Settings of this computer's measurements: section {@code [system]}.
 *
 * @param root where {@code proc} and {@code sys} are: {@code /} but in tests
 * @param logDirectory whose file system is watched; need not exist yet
 * @param exclude some of {@link #TOPICS}
 */
public record SystemSettings(Path root, Path logDirectory, long periodNs, Set<String> exclude) {
    /** The topics' names without {@code companion_}. */
    public static final List<String> TOPICS = List.of(
            "cpu",
            "memory",
            "temperature",
            "storage",
            "disk",
            "network",
            "wifi",
            "throttling",
            "gpu",
            "rail",
            "recorder");

    public SystemSettings {
        exclude = Set.copyOf(exclude);
    }
}
