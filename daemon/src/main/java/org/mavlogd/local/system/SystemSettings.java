package org.mavlogd.local.system;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Settings of this computer's measurements: section {@code [system]}.
 *
 * @param root directory of {@code proc} and {@code sys}: {@code /}, except in tests
 * @param logDirectory whose file system is measured; need not exist yet
 * @param exclude those of {@link #TOPICS} that are left out
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
