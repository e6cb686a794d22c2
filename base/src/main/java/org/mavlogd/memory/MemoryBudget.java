package org.mavlogd.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.Metrics;

/**
 * The heap that others can make this program use. There is one budget for the process, sized at its start by the heap.
 * Code that keeps data for others requests memory from a {@link MemoryShare} first, and keeps nothing if it is refused.
 *
 * <p>Every {@link Requester} has its own part. {@value #PLACES} vehicles each have a place: memory that is theirs
 * however much the others use. Vehicles are distinguished by their system ids, so that facts that a link learns about
 * one apply to its log.
 *
 * <p>Any thread; no call waits or allocates.
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
    /** Memory of the recorder itself: live objects, allocations between two collections, and headroom for both. */
    private static final long OWN_BYTES = 18L << 20;

    /** In a small heap the budget is at least one in this many bytes. */
    private static final int LEAST_SHARE = 4;

    /** Number of vehicles with a place at the same time. */
    static final int PLACES = 28;

    // Sixteenths of the strangers' part that the places take.
    private static final int PLACES_SIXTEENTHS = 9;

    static final int NO_VEHICLE = -1;
    private static final int SYSTEM_IDS = 256;

    private final long bytes;
    private final long placeBytes;
    private final MemoryPool[] pools = new MemoryPool[Requester.values().length];
    private final MemoryPool placePool;
    // By system id: index of the requester.
    private final AtomicIntegerArray standings = new AtomicIntegerArray(SYSTEM_IDS);

    /** Creates a budget of this size. */
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
        strangers.overdraw(places); // reserved permanently
    }

    /** The budget of this process. */
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

    /** A share for a requester that is not a vehicle. */
    public MemoryShare share(Requester requester) {
        if (requester.isVehicle()) {
            throw new IllegalArgumentException(requester + " has a system id");
        }
        return new MemoryShare(this, of(requester), NO_VEHICLE, 0);
    }

    /** A share for a vehicle's log, with a place if one is left. */
    public MemoryShare vehicle(int systemId) {
        long place = placePool.take(placeBytes, 0) ? placeBytes : 0;
        return new MemoryShare(this, poolOf(systemId), systemId, place);
    }

    /** A share for other data of a vehicle: from the vehicle's part, without a place. */
    public MemoryShare beside(int systemId) {
        return new MemoryShare(this, poolOf(systemId), systemId, 0);
    }

    void leavePlace(long place) {
        placePool.giveBack(place);
    }

    /** Records that an earlier run recorded the vehicle. */
    public void known(int systemId) {
        raise(systemId, Requester.KNOWN_VEHICLE);
    }

    /** Records that the vehicle signs its frames. Hot path. */
    public void signed(int systemId) {
        raise(systemId, Requester.SIGNED_VEHICLE);
    }

    /** Whether an earlier run recorded the vehicle, or it signs its frames. */
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

    /** Size of the budget. */
    public long bytes() {
        return bytes;
    }

    /** Bytes in use; places count in full. */
    public long used() {
        long used = 0;
        for (MemoryPool pool : pools) {
            used += used(pool);
        }
        return used;
    }

    /** Bytes in use without those of the pools inside this one. */
    private long used(MemoryPool pool) {
        long used = pool.used();
        for (MemoryPool inner : pools) {
            used -= inner.outer() == pool ? inner.used() : 0;
        }
        boolean hasPlaces = pool.requester() == Requester.STRANGER;
        return hasPlaces ? used - placePool.limit() + placePool.used() : used;
    }

    /**
     * The part of one kind of requester.
     *
     * @param limit including the usable parts of others
     * @param refused number of refused requests
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

    /** The part of this kind of requester. */
    public Part part(Requester requester) {
        return parts().get(requester.index());
    }

    /** Adds the budget to the metrics. */
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
