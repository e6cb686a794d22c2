package org.mavlogd.wiring;

import org.agrona.concurrent.NanoClock;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;

/** What there is one of in the process, and many parts use. */
public record SharedParts(Metrics metrics, MemoryBudget memory, NanoClock clock) {}
