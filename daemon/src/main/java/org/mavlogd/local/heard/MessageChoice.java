package org.mavlogd.local.heard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.local.NamePatterns;

/** Decides by a message's name whether it is recorded, and how often. Immutable. Not for the hot path: asked once for each. */
final class MessageChoice {
    /** No pause between samples. */
    static final long NO_INTERVAL = 0;

    /** Pieces of logs, which have ways of their own and would fill any log. */
    private static final Set<String> BULK = Set.of(
            "LOGGING_DATA",
            "LOGGING_DATA_ACKED",
            "LOGGING_ACK",
            "LOG_DATA",
            "REMOTE_LOG_DATA_BLOCK",
            "REMOTE_LOG_BLOCK_STATUS");

    /** Keys and passwords, which must not leave with a log. */
    private static final Set<String> SECRET = Set.of(
            "SETUP_SIGNING",
            "AUTH_KEY",
            "AIRLINK_AUTH",
            "SECURE_COMMAND",
            "SECURE_COMMAND_REPLY",
            "CHANGE_OPERATOR_CONTROL",
            "WIFI_CONFIG_AP",
            "CELLULAR_CONFIG");

    private final HeardSettings settings;

    MessageChoice(HeardSettings settings) {
        this.settings = settings;
    }

    /** Whether messages of that name are recorded. */
    boolean isWanted(String name) {
        return !BULK.contains(name)
                && !SECRET.contains(name)
                && NamePatterns.anyFits(settings.include(), name)
                && !NamePatterns.anyFits(settings.exclude(), name);
    }

    /** Whether messages of that name are asked for by this very name, so that they are expected. */
    boolean isNamed(String name) {
        return settings.include().contains(name) && isWanted(name);
    }

    /** The pause between samples of a message, on average. */
    long intervalNs(String name) {
        int hz = settings.limits().stream()
                .filter(limit -> NamePatterns.anyFits(List.of(limit.message()), name))
                .mapToInt(HeardSettings.Limit::maxHz)
                .findFirst()
                .orElse(settings.maxHz());
        return hz == HeardSettings.UNLIMITED ? NO_INTERVAL : TimeUnit.SECONDS.toNanos(1) / hz;
    }
}
