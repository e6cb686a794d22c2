package org.mavlogd.recovery;

import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The computer's clocks, and when its monotonic one began: with every boot, which the kernel gives an id.
 *
 * @param bootId of the running kernel; empty when it does not report it
 * @param processId of this run
 */
public record HostClock(NanoClock monotonic, EpochClock wall, String bootId, long processId) {}
