package org.mavlogd.vehicle;

/**
 * What is said about clocks.
 *
 * @param asks whether vehicles that are recorded are asked for the time, and what comes of it stands in their logs
 * @param answers whether vehicles that ask are told ours
 */
public record TimesyncSettings(boolean asks, boolean answers) {
    /** Asks and does not answer: only one program may tell a vehicle the time, and a recorder has no need to. */
    public static final TimesyncSettings DEFAULT = new TimesyncSettings(true, false);

    /** Says nothing, and nothing about clocks stands in the logs. */
    public static final TimesyncSettings OFF = new TimesyncSettings(false, false);
}
