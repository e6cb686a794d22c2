package org.mavlogd.record.files;

import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Whether and when this computer's data get a log of their own.
 *
 * @param afterNs how long no vehicle's log takes them before one begins
 * @param zone of this computer: the log tells its difference from UTC
 */
public record StandaloneSettings(boolean enabled, long afterNs, ZoneId zone) {
    /** Without a vehicle's log they are lost. */
    public static final StandaloneSettings OFF = new StandaloneSettings(false, 0, ZoneOffset.UTC);
}
