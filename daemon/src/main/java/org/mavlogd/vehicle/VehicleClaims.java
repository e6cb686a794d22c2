package org.mavlogd.vehicle;

import java.util.concurrent.atomic.AtomicIntegerArray;
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

    private record Log(String link, boolean isRecorded) {}

    private final AtomicReferenceArray<@Nullable Claim> claims = new AtomicReferenceArray<>(SYSTEM_IDS);
    /** The log that is open, by the link that records it. */
    private final AtomicReferenceArray<@Nullable Log> logs = new AtomicReferenceArray<>(SYSTEM_IDS);
    /** Pieces of the log that came on the link that has the vehicle. */
    private final AtomicIntegerArray pieces = new AtomicIntegerArray(SYSTEM_IDS);

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

    /** Whether an earlier run recorded the vehicle, or it signs its frames. Hot path. */
    boolean isKnown(int systemId) {
        return memory.isKnown(systemId);
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

    /**
     * Sets the state of the vehicle's log on that link. If two links have an open log, that of the link that has the
     * vehicle counts.
     *
     * @param isOpen whether it has begun and not ended
     * @param isRecorded whether it is open and not silent
     */
    void log(int systemId, String link, boolean isOpen, boolean isRecorded) {
        Log current = logs.get(systemId);
        boolean isKnown = current != null && current.link().equals(link);
        boolean counts = current == null || isKnown || link.equals(owner(systemId));
        if (isOpen && counts && !(isKnown && current.isRecorded() == isRecorded)) {
            logs.set(systemId, new Log(link, isRecorded));
        } else if (!isOpen && isKnown) {
            logs.compareAndSet(systemId, current, null);
        }
    }

    /** Whether the vehicle's log is being recorded on any link. */
    boolean isRecorded(int systemId) {
        Log current = logs.get(systemId);
        return current != null && current.isRecorded();
    }

    /** Whether a link other than that one has an open log of the vehicle. */
    boolean isLogElsewhere(int systemId, String link) {
        Log current = logs.get(systemId);
        return current != null && !current.link().equals(link);
    }

    /** Counts a piece of the log on the link that has the vehicle. Hot path. */
    void countPiece(int systemId) {
        pieces.lazySet(systemId, pieces.get(systemId) + 1); // only one link has the vehicle
    }

    /** How many pieces of the log came on the link that has the vehicle; wraps. */
    int pieces(int systemId) {
        return pieces.get(systemId);
    }

    /** The link that has the vehicle; empty if none. */
    String owner(int systemId) {
        Claim current = claims.get(systemId);
        return current == null ? "" : current.link();
    }
}
