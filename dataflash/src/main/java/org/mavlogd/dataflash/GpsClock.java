package org.mavlogd.dataflash;

import java.util.Optional;

/**
 * Finds when the vehicle booted, from the first record of a satellite receiver that has a fix.
 *
 * <p>Receivers begin with week 0, and may say a time before they have a fix: neither counts.
 */
final class GpsClock {
    private static final long EPOCH_S = 315_964_800L; // 1980-01-06
    private static final long S_PER_WEEK = 7 * 86_400L;
    private static final long US_PER_S = 1_000_000L;
    private static final long US_PER_MS = 1000L;
    private static final int FIX_3D = 3;
    private static final int LATEST_WEEK = 10_000; // year 2171

    /** Weeks from which on GPS time is ahead of UTC by so many seconds. */
    private static final long[][] LEAP_SECONDS = {{1930, 18}, {1851, 17}, {1695, 16}, {1512, 15}, {1356, 14}, {0, 13}};

    private long bootUtcUs = -1;

    /** Microseconds since 1970; empty if no receiver had a fix. */
    Optional<Long> bootUtcUs() {
        return bootUtcUs < 0 ? Optional.empty() : Optional.of(bootUtcUs);
    }

    void onFix(RecordType type, byte[] buffer, int offset, long timeUs) {
        if (bootUtcUs >= 0 || timeUs < 0) {
            return;
        }
        long status = integer(type, "Status", buffer, offset);
        long week = integer(type, "GWk", buffer, offset);
        long ms = integer(type, "GMS", buffer, offset);
        if (status < FIX_3D || week <= 0 || week > LATEST_WEEK || ms < 0 || ms >= S_PER_WEEK * US_PER_MS) {
            return;
        }
        long seconds = EPOCH_S + week * S_PER_WEEK - leapSeconds(week);
        bootUtcUs = Math.max(-1, seconds * US_PER_S + ms * US_PER_MS - timeUs);
    }

    private static long leapSeconds(long week) {
        for (long[] since : LEAP_SECONDS) {
            if (week >= since[0]) {
                return since[1];
            }
        }
        return 0;
    }

    private static long integer(RecordType type, String label, byte[] buffer, int offset) {
        return type.integer(label)
                .map(field -> Bytes.integer(field.format(), buffer, offset + field.offset()))
                .orElse(-1L);
    }
}
