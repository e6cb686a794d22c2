package org.mavlogd.local.publish;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.LogLevel;

/** Names of levels, including those of syslog(3) and Python. */
final class Levels {
    private static final String ALLOWED = Arrays.stream(LogLevel.values())
            .map(level -> level.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ", "", ", or 0 (emergency) to 7 (debug)"));

    private Levels() {}

    /** The level of this name, in any case; null if there is none. */
    static @Nullable LogLevel find(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (LogLevel level : LogLevel.values()) {
            if (level.name().equals(upper)) {
                return level;
            }
        }
        return switch (upper) {
            case "EMERG" -> LogLevel.EMERGENCY;
            case "CRIT" -> LogLevel.CRITICAL;
            case "ERR" -> LogLevel.ERROR;
            case "WARN" -> LogLevel.WARNING;
            default -> null;
        };
    }

    static String allowed() {
        return ALLOWED;
    }
}
