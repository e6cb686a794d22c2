package org.mavlogd.local.syslog;

import java.util.Map;
import java.util.OptionalInt;
import org.mavlogd.ulog.LogLevel;

/**
 * What is done with syslog messages.
 *
 * @param tags by name of the program, or of the facility where the program has no entry
 * @param otherTag of all others; without it they are left out
 * @param level how grave a message must be
 */
public record SyslogSettings(Map<String, Integer> tags, OptionalInt otherTag, LogLevel level) {
    public SyslogSettings {
        tags = Map.copyOf(tags);
    }
}
