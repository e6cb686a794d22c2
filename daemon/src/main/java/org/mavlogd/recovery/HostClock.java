package org.mavlogd.recovery;

import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The computer's clocks. The monotonic one starts again with every boot, for which the kernel has an id.
 *
 * @param bootId of the running kernel; empty if it does not report one
 * @param processId of this run
 */
public record HostClock(NanoClock monotonic, EpochClock wall, String bootId, long processId) {}
