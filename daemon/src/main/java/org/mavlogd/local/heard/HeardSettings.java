package org.mavlogd.local.heard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.local.NamePatterns;
import org.mavlogd.mavlink.Dialect;

/**
 * Section {@code [messages]}: which MAVLink messages are recorded as topics, and how often.
 *
 * @param include patterns of message names in capitals, {@code GPS_*}
 * @param exclude patterns of names that are left out nevertheless
 * @param maxHz samples a second of one message from one sender, on average; {@link #UNLIMITED}
 * @param limits take precedence over {@code maxHz}; the first one whose pattern matches is used
 * @param dialect the known messages, with which frames are checked
 */
public record HeardSettings(
        List<String> include,
        List<String> exclude,
        int maxHz,
        List<Limit> limits,
        StatusTextMode statusText,
        SenderChoice senders,
        Dialect dialect) {
    public static final int UNLIMITED = 0;

    /** Records nothing. */
    public static final HeardSettings OFF =
            new HeardSettings(List.of(), List.of(), UNLIMITED, List.of(), StatusTextMode.NEVER, SenderChoice.VEHICLES);

    /** With the standard messages. */
    public HeardSettings(
            List<String> include,
            List<String> exclude,
            int maxHz,
            List<Limit> limits,
            StatusTextMode statusText,
            SenderChoice senders) {
        this(include, exclude, maxHz, limits, statusText, senders, Dialect.standard());
    }

    public HeardSettings {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
        limits = List.copyOf(limits);
    }

    /**
     * The rate at which some messages are recorded.
     *
     * @param message a pattern of names in capitals
     * @param maxHz samples a second, or {@link #UNLIMITED}
     */
    public record Limit(String message, int maxHz) {}

    /** Whose messages are recorded. */
    public enum SenderChoice {
        /** Vehicles, and all components with a vehicle's system id. */
        VEHICLES,
        /** All systems, also ground stations, at a peer with a vehicle or at a configured peer. */
        LINK,
        /** Every sender that reaches the link. */
        ANYONE
    }

    /** Whose STATUSTEXT is recorded as log messages. */
    public enum StatusTextMode {
        /** Those of all senders, except the autopilot whose log is being recorded, which contains them. */
        AUTO,
        /** Those of all senders. */
        ALWAYS,
        /** None. */
        NEVER
    }

    /**
     * Decides by a message's name whether it is recorded, and at which rate. Immutable. Not for the hot path: called
     * once for each message.
     */
    static final class MessageChoice {
        /** No pause between samples. */
        static final long NO_INTERVAL = 0;

        /** Pieces of logs, which are recorded as logs and would fill any log. */
        private static final Set<String> BULK = Set.of(
                "LOGGING_DATA",
                "LOGGING_DATA_ACKED",
                "LOGGING_ACK",
                "LOG_DATA",
                "REMOTE_LOG_DATA_BLOCK",
                "REMOTE_LOG_BLOCK_STATUS");

        /** Keys and passwords, which must not get into a log. */
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

        /** Whether messages of that name are configured by this name, so that they are expected. */
        boolean isNamed(String name) {
            return settings.include().contains(name) && isWanted(name);
        }

        /** The average interval between samples of a message. */
        long intervalNs(String name) {
            int hz = settings.limits().stream()
                    .filter(limit -> NamePatterns.anyFits(List.of(limit.message()), name))
                    .mapToInt(Limit::maxHz)
                    .findFirst()
                    .orElse(settings.maxHz());
            return hz == HeardSettings.UNLIMITED ? NO_INTERVAL : TimeUnit.SECONDS.toNanos(1) / hz;
        }
    }
}
