package org.mavlogd.wiring;

import org.agrona.concurrent.NanoClock;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;

/** Objects that exist once in the process and that many parts use. */
public record SharedParts(Metrics metrics, MemoryBudget memory, NanoClock clock) {}
