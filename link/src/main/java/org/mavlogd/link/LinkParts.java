package org.mavlogd.link;

import java.util.function.LongSupplier;

/** What every network link is built from. */
record LinkParts(String name, NetworkIo io, ContainedListener guard, LinkCounters counters, LongSupplier nowNs) {}
