package org.mavlogd.memory;

import org.jspecify.annotations.Nullable;

/**
 * The part of the {@link MemoryBudget} that one vehicle, source or client holds.
 *
 * <p>A vehicle's first bytes come out of its place, which is its own until it is closed. Beyond that it may take as long as it
 * leaves as much free as it then has: whoever comes later finds something. Owned by one thread. Hot path: allocates nothing.
 */
public final class MemoryShare implements AutoCloseable {
    private final MemoryBudget budget;
    private final int systemId;
    // Null but for a part of another share, which then asks for both.
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

    /** A share of a memory that nobody else uses: of a tool that reads one log, or a test. */
    public static MemoryShare unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / Requester.PARTS).share(Requester.UNFINISHED_LOG);
    }

    /** A part of this share that can be given back at once; of the same owner. */
    public MemoryShare part() {
        return new MemoryShare(this);
    }

    /** Asks for so many bytes before they are allocated; false if there are not so many: then nothing is to be kept. */
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

    /** Takes so many bytes even if there are not so many: of what is there anyway, and few. */
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

    /** So many bytes are no longer referred to. */
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

    /** Whether anything was ever refused. */
    public boolean wasRefused() {
        return wasRefused;
    }

    private long beyondPlace() {
        return Math.max(0, held - place);
    }

    /** A vehicle that proved itself in the meantime belongs to a larger pool. */
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

    /** Nothing is kept any more. */
    @Override
    public void close() {
        release(held);
        if (whole == null) {
            budget.leavePlace(place);
            place = 0;
        }
    }
}
