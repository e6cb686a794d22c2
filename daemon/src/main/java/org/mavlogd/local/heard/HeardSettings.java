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
 * @param exclude patterns of names that are left out all the same
 * @param maxHz samples a second of one message from one sender, on average; {@link #UNLIMITED}
 * @param limits go before {@code maxHz}; the first whose pattern fits counts
 * @param dialect all messages that are known: frames are checked against them
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

    /** Nothing is recorded. */
    public static final HeardSettings OFF =
            new HeardSettings(List.of(), List.of(), UNLIMITED, List.of(), StatusTextMode.NEVER, SenderChoice.VEHICLES);

    /** Of the messages that everybody knows. */
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
     * How often some messages are recorded.
     *
     * @param message a pattern of names in capitals
     * @param maxHz samples a second, or {@link #UNLIMITED}
     */
    public record Limit(String message, int maxHz) {}

    /** Whose messages are recorded. */
    public enum SenderChoice {
        /** Vehicles, and all components with a vehicle's system id. */
        VEHICLES,
        /** All systems, ground stations too, that are heard from where a vehicle is or from a peer that was configured. */
        LINK,
        /** Whoever can send to the link. */
        ANYONE
    }

    /** Whose STATUSTEXT is recorded as text. */
    public enum StatusTextMode {
        /** Everybody's, but for the autopilot whose log is being recorded: it says the same there. */
        AUTO,
        /** Everybody's. */
        ALWAYS,
        /** Nobody's. */
        NEVER
    }

    /** Decides by a message's name whether it is recorded, and how often. Immutable. Not for the hot path: asked once for each. */
    static final class MessageChoice {
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
                    .mapToInt(Limit::maxHz)
                    .findFirst()
                    .orElse(settings.maxHz());
            return hz == HeardSettings.UNLIMITED ? NO_INTERVAL : TimeUnit.SECONDS.toNanos(1) / hz;
        }
    }
}
