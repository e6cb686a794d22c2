package org.mavlogd.local.heard;

import java.util.List;
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
}
