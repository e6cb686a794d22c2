package org.mavlogd.memory;

import org.jspecify.annotations.Nullable;

/**
 * The part of the {@link MemoryBudget} that one vehicle, source or client holds.
 *
 * <p>A vehicle's first bytes come from its place, which it keeps until it is closed. Beyond that it may only take as
 * much as leaves at least its own size free, so that later ones find memory. Owned by one thread. Allocates nothing.
 * Hot path.
 */
public final class MemoryShare implements AutoCloseable {
    private final MemoryBudget budget;
    private final int systemId;
    // The share that this is a part of; null for a share of its own.
    private final @Nullable MemoryShare whole;
    private MemoryPool pool;
    private long place;
    private long held;
    private boolean wasRefused;

    MemoryShare(MemoryBudget budget, MemoryPool pool, int systemId, long place) {
        this.budget = budget;
        this.pool = pool;
        this.systemId = systemId;
        this.place = place;
        this.whole = null;
    }

    private MemoryShare(MemoryShare whole) {
        this.budget = whole.budget;
        this.pool = whole.pool;
        this.systemId = whole.systemId;
        this.whole = whole;
    }

    /** A share without a limit, for tools that read a single log and for tests. */
    public static MemoryShare unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / Requester.PARTS).share(Requester.UNFINISHED_LOG);
    }

    /** A part of this share that can be released at once; it has the same owner. */
    public MemoryShare part() {
        return new MemoryShare(this);
    }

    /** Requests bytes before they are allocated; if it returns false, nothing may be kept. */
    public boolean reserve(long bytes) {
        if (whole != null) {
            boolean isThere = whole.reserve(bytes);
            held += isThere ? bytes : 0;
            return isThere;
        }
        rise();
        long before = beyondPlace();
        long after = Math.max(0, held + bytes - place);
        if (after > before && !pool.take(after - before, pool.requester().isVehicle() ? after : 0)) {
            pool.countRefusal();
            wasRefused = true;
            return false;
        }
        held += bytes;
        return true;
    }

    /** Takes bytes even if they exceed the limit: for few bytes that exist anyway. */
    public void take(long bytes) {
        if (whole != null) {
            whole.take(bytes);
            held += bytes;
            return;
        }
        rise();
        long before = beyondPlace();
        held += bytes;
        pool.overdraw(beyondPlace() - before);
    }

    /** Releases bytes that are no longer referenced. */
    public void release(long bytes) {
        if (bytes > held) {
            throw new IllegalArgumentException("released " + bytes + " bytes of " + held);
        }
        if (whole != null) {
            whole.release(bytes);
            held -= bytes;
            return;
        }
        long before = beyondPlace();
        held -= bytes;
        pool.giveBack(before - beyondPlace());
    }

    /** Bytes taken and not released. */
    public long held() {
        return held;
    }

    /** Whether a request was ever refused. */
    public boolean wasRefused() {
        return wasRefused;
    }

    private long beyondPlace() {
        return Math.max(0, held - place);
    }

    /** Moves to the larger pool of a vehicle that has proved itself meanwhile. */
    private void rise() {
        MemoryPool next = budget.poolOf(systemId);
        while (systemId != MemoryBudget.NO_VEHICLE && pool.requester().compareTo(next.requester()) < 0) {
            MemoryPool outer = pool.outer();
            if (outer == null) {
                return;
            }
            pool.leave(beyondPlace());
            pool = outer;
        }
    }

    /** Releases everything. */
    @Override
    public void close() {
        release(held);
        if (whole == null) {
            budget.leavePlace(place);
            place = 0;
        }
    }
}
