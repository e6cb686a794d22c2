package org.mavlogd.local.journal;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.mavlogd.ulog.LogLevel;

/**
 * What is taken from the journal.
 *
 * @param program journalctl and the arguments that come before ours
 * @param tags by name of the unit; {@link #KERNEL} for the kernel's messages
 * @param otherTag of all others; without it only those of {@code tags} are followed
 * @param level how grave an entry must be
 * @param stateFile where the place in the journal outlives the process
 */
public record JournalSettings(
        List<String> program, Map<String, Integer> tags, OptionalInt otherTag, LogLevel level, Path stateFile) {
    /** In place of a unit. */
    public static final String KERNEL = "kernel";

    public JournalSettings {
        program = List.copyOf(program);
        tags = Map.copyOf(tags);
    }
}
