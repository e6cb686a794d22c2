package org.mavlogd.local.journal;

import java.util.function.DoubleSupplier;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * Where the journal is followed.
 *
 * @param bootId of this boot, 32 hex digits without dashes
 * @param pid our own
 * @param unit systemd's name of our own service; empty when we are none
 * @param fill share of the feed's ring in use
 */
public record JournalContext(
        String bootId, long pid, String unit, NanoClock clock, EpochClock epochClock, DoubleSupplier fill) {}
