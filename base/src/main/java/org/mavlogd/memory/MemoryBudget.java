package org.mavlogd.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.Metrics;

/**
 * The bytes of heap that others can make this program keep. There is one for the process, made at its start of the size of the
 * heap; code that keeps data for others requests it from a {@link MemoryShare} first, and keeps nothing if that refuses.
 *
 * <p>Every {@link Requester} has a part of its own. {@value #PLACES} vehicles have a place, a part that is theirs whatever
 * the others take. Vehicles are distinguished by their system ids, so that what a link learns of one holds for its log.
 *
 * <p>Any thread; nobody waits, and asking allocates nothing.
 *
 * <pre>{@code
 * MemoryShare share = budget.vehicle(systemId);
 * if (share.reserve(length + OVERHEAD)) {
 *     kept.add(copy);
 * }
 * ...
 * share.close();
 * }</pre>
 */
public final class MemoryBudget {
    /** What the recorder itself needs: live objects, what is allocated between two collections, and room to do so. */
    private static final long OWN_BYTES = 18L << 20;

    /** Of a small heap that much is the budget anyway. */
    private static final int LEAST_SHARE = 4;

    /** How many vehicles have a place at the same time. */
    static final int PLACES = 28;

    // Of the strangers' part, which all places are in.
    private static final int PLACES_SIXTEENTHS = 9;

    static final int NO_VEHICLE = -1;
    private static final int SYSTEM_IDS = 256;

    private final long bytes;
    private final long placeBytes;
    private final MemoryPool[] pools = new MemoryPool[Requester.values().length];
    private final MemoryPool placePool;
    // By system id the index of its requester.
    private final AtomicIntegerArray standings = new AtomicIntegerArray(SYSTEM_IDS);

    /** A budget of so many bytes. */
    public MemoryBudget(long bytes) {
        this.bytes = bytes;
        MemoryPool signed = pool(Requester.SIGNED_VEHICLE, null);
        MemoryPool known = pool(Requester.KNOWN_VEHICLE, signed);
        pool(Requester.STRANGER, known);
        pool(Requester.LOCAL_SOURCE, null);
        pool(Requester.HTTP_CLIENT, null);
        pool(Requester.UNFINISHED_LOG, null);
        pool(Requester.FORWARDING, null);
        MemoryPool strangers = of(Requester.STRANGER);
        long places = strangers.limit() * PLACES_SIXTEENTHS / 16;
        this.placeBytes = places / PLACES;
        this.placePool = new MemoryPool(Requester.STRANGER, places, null);
        strangers.overdraw(places); // set aside for good
    }

    /** That of this process. */
    public static MemoryBudget ofHeap() {
        long heap = Runtime.getRuntime().maxMemory();
        return new MemoryBudget(Math.max(heap - OWN_BYTES, heap / LEAST_SHARE));
    }

    private MemoryPool pool(Requester requester, @Nullable MemoryPool outer) {
        MemoryPool pool = new MemoryPool(requester, bytes / Requester.PARTS * requester.parts(), outer);
        pools[requester.index()] = pool;
        return pool;
    }

    private MemoryPool of(Requester requester) {
        return pools[requester.index()];
    }

    /** A share for somebody who is no vehicle. */
    public MemoryShare share(Requester requester) {
        if (requester.isVehicle()) {
            throw new IllegalArgumentException(requester + " has a system id");
        }
        return new MemoryShare(this, of(requester), NO_VEHICLE, 0);
    }

    /** A share for a vehicle's log, with a place if there is one left. */
    public MemoryShare vehicle(int systemId) {
        long place = placePool.take(placeBytes, 0) ? placeBytes : 0;
        return new MemoryShare(this, poolOf(systemId), systemId, place);
    }

    /** A share for something else that is kept of a vehicle: out of the part that it may use, without a place. */
    public MemoryShare beside(int systemId) {
        return new MemoryShare(this, poolOf(systemId), systemId, 0);
    }

    void leavePlace(long place) {
        placePool.giveBack(place);
    }

    /** The vehicle was recorded by an earlier run. */
    public void known(int systemId) {
        raise(systemId, Requester.KNOWN_VEHICLE);
    }

    /** The vehicle signs its frames. Hot path. */
    public void signed(int systemId) {
        raise(systemId, Requester.SIGNED_VEHICLE);
    }

    /** Whether earlier runs recorded the vehicle, or it signs its frames. */
    public boolean isKnown(int systemId) {
        return poolOf(systemId).requester() != Requester.STRANGER;
    }

    private void raise(int systemId, Requester to) {
        int current = standings.get(systemId);
        while (current < to.index() && !standings.compareAndSet(systemId, current, to.index())) {
            current = standings.get(systemId);
        }
    }

    MemoryPool poolOf(int systemId) {
        return pools[systemId == NO_VEHICLE ? 0 : standings.get(systemId)];
    }

    /** The whole budget. */
    public long bytes() {
        return bytes;
    }

    /** Bytes that are taken; of a place all of it counts. */
    public long used() {
        long used = 0;
        for (MemoryPool pool : pools) {
            used += used(pool);
        }
        return used;
    }

    /** Without what those use whose pools are a part of this one. */
    private long used(MemoryPool pool) {
        long used = pool.used();
        for (MemoryPool inner : pools) {
            used -= inner.outer() == pool ? inner.used() : 0;
        }
        boolean hasPlaces = pool.requester() == Requester.STRANGER;
        return hasPlaces ? used - placePool.limit() + placePool.used() : used;
    }

    /**
     * What one kind of requester has of the budget.
     *
     * @param limit with what it may use of the others' parts
     * @param refused how often something was not kept
     */
    public record Part(Requester requester, long limit, long used, long refused) {}

    /** All parts, in the order of {@link Requester}. */
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        for (MemoryPool pool : pools) {
            parts.add(new Part(pool.requester(), pool.limit(), used(pool), pool.refused()));
        }
        return parts;
    }

    /** What this kind of requester has. */
    public Part part(Requester requester) {
        return parts().get(requester.index());
    }

    /** Shows the budget in the metrics. */
    public void addGauges(Metrics metrics) {
        metrics.gauge("memory.budget.bytes", "Heap that others can make the recorder keep", () -> (double) bytes);
        for (MemoryPool pool : pools) {
            String requester = pool.requester().tag();
            metrics.gauge(
                    "memory.used.bytes",
                    "Used part of the memory budget",
                    () -> (double) used(pool),
                    "requester",
                    requester);
            metrics.counter(
                    "memory.refused",
                    "Times that the memory budget refused memory",
                    pool::refused,
                    "requester",
                    requester);
        }
    }
}
