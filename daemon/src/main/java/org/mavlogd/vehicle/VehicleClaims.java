package org.mavlogd.vehicle;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryBudget;

/**
 * Records which link runs the conversation with which vehicle. A vehicle streams to one receiver only: if several links
 * hear it, the first one has it until that link releases it, or offers it because the vehicle refuses there. Shared by
 * all link threads; never blocks.
 */
public final class VehicleClaims {
    private static final int SYSTEM_IDS = 256;

    private record Claim(String link, boolean offered) {}

    private final AtomicReferenceArray<@Nullable Claim> claims = new AtomicReferenceArray<>(SYSTEM_IDS);
    /** The link on which the vehicle's log is being recorded. */
    private final AtomicReferenceArray<@Nullable String> recorded = new AtomicReferenceArray<>(SYSTEM_IDS);

    private final MemoryBudget memory;

    /** Without a memory budget. */
    public VehicleClaims() {
        this(new MemoryBudget(0));
    }

    /** @param memory learns which vehicles sign */
    public VehicleClaims(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Notes that the vehicle signs its frames. Hot path. */
    void signed(int systemId) {
        memory.signed(systemId);
    }

    /** Takes the vehicle if it is free or offered; returns whether the link now has it. */
    boolean claim(int systemId, String link) {
        Claim current = claims.get(systemId);
        if (current != null && current.link().equals(link)) {
            return true;
        }
        return (current == null || current.offered())
                && claims.compareAndSet(systemId, current, new Claim(link, false));
    }

    /** Takes the vehicle from any other link, because its stream runs here. */
    void seize(int systemId, String link) {
        claims.set(systemId, new Claim(link, false));
    }

    /** Keeps the vehicle, but any other link that hears it may take it. */
    void offer(int systemId, String link) {
        Claim current = claims.get(systemId);
        if (current != null && current.link().equals(link) && !current.offered()) {
            claims.compareAndSet(systemId, current, new Claim(link, true));
        }
    }

    /** Takes back an offer that nobody took. */
    void keep(int systemId, String link) {
        Claim current = claims.get(systemId);
        if (current != null && current.link().equals(link) && current.offered()) {
            claims.compareAndSet(systemId, current, new Claim(link, false));
        }
    }

    /** Releases the vehicle, if the link has it. */
    void release(int systemId, String link) {
        Claim current = claims.get(systemId);
        if (current != null && current.link().equals(link)) {
            claims.compareAndSet(systemId, current, null);
        }
    }

    /** Sets whether the vehicle's log is being recorded on that link. */
    void recorded(int systemId, String link, boolean isRecorded) {
        String current = recorded.get(systemId);
        if (isRecorded && !link.equals(current)) {
            recorded.set(systemId, link);
        } else if (!isRecorded && link.equals(current)) {
            recorded.compareAndSet(systemId, current, null);
        }
    }

    /** Whether the vehicle's log is being recorded on any link. */
    boolean isRecorded(int systemId) {
        return recorded.get(systemId) != null;
    }

    /** The link that has the vehicle; empty if none. */
    String owner(int systemId) {
        Claim current = claims.get(systemId);
        return current == null ? "" : current.link();
    }
}
