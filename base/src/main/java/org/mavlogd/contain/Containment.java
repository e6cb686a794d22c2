package org.mavlogd.contain;

import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/** All parts of the recorder whose errors are contained, by name. Any thread. */
public final class Containment {
    private final LongSupplier clock;
    private final ConcurrentSkipListMap<String, ContainedPart> parts = new ConcurrentSkipListMap<>();

    /** @param clock in nanoseconds, monotonic */
    public Containment(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the part of this name, created by the first call. */
    public ContainedPart part(String name, Recovery recovery) {
        return parts.computeIfAbsent(name, key -> new ContainedPart(key, recovery, clock));
    }

    /** Adds an existing part. */
    public void add(ContainedPart part) {
        parts.put(part.name(), part);
    }

    /** The states of all parts, by name. */
    public List<ContainedPart.Status> statuses() {
        return parts.values().stream().map(ContainedPart::status).toList();
    }

    /** One line for each part that does not run. */
    public List<String> problems() {
        return statuses().stream()
                .map(ContainedPart.Status::problem)
                .filter(problem -> !problem.isEmpty())
                .toList();
    }
}
