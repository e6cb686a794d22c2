package org.mavlogd.ulog;

/**
 * The positions of appended sections by the flag bits, and which of these a scan accepts.
 *
 * <p>An offset may be wrong, so a section counts only if messages follow where it begins. Whether they do is asked
 * when a message reaches that place or goes past it, and asked again for every such message: the answer rests on the
 * topics known by then, and must be the same however the log is cut into chunks. While searching nothing new is
 * learnt, so there it is asked whenever the place is in sight. Indexes are those of the window.
 */
final class AppendedSections {
    private final ScanWindow window;
    private long[] positions = {};
    private int next;

    // For which message the limit holds, as a position in the log, and whether a section sets it.
    private long limitedFor = -1;
    private boolean limited;

    AppendedSections(ScanWindow window) {
        this.window = window;
    }

    void expect(FlagBits flags) {
        if (flags.isDataAppended()) {
            positions = flags.appendedOffsets().stream()
                    .mapToLong(Long::longValue)
                    .filter(offset -> offset > 0)
                    .sorted()
                    .distinct()
                    .toArray();
        }
    }

    /** Up to where messages can be taken without asking about the next section. */
    int bound() {
        return next < positions.length && isInSight(next) ? Math.min(window.limit, index(next)) : window.limit;
    }

    /** Sets how far the window can be read, before the message here is looked at. */
    void limit(int at, boolean finished, boolean searching) {
        window.limit = window.end;
        window.isFinal = finished;
        limited = false;
        limitedFor = window.base + at;
        while (next < positions.length && positions[next] < limitedFor) {
            next++;
        }
        for (int i = next; i < positions.length && isInSight(i) && (searching || isReached(i, at)); i++) {
            int answer = window.chain(index(i), false);
            if (answer != ScanWindow.NO) {
                window.limit = index(i);
                window.isFinal = answer == ScanWindow.YES || finished;
                limited = true;
                return;
            }
        }
    }

    /** Whether the limit was set for another message and must be set again for the one here. */
    boolean isOutdated(int at) {
        return limitedFor != window.base + at
                && (limited || (next < positions.length && isInSight(next) && isReached(next, at)));
    }

    /** Continues behind the limit if a section begins there. */
    boolean enter(int at) {
        if (next == positions.length || window.base + at != positions[next]) {
            return false;
        }
        next++;
        return true;
    }

    private int index(int section) {
        return (int) (positions[section] - window.base);
    }

    private boolean isInSight(int section) {
        return positions[section] <= window.base + window.end;
    }

    private boolean isReached(int section, int at) {
        int left = index(section) - at;
        return left < ULogLayout.MESSAGE_HEADER_LENGTH
                || (window.length(at) > left && !ScanWindow.isNoType(window.type(at)));
    }
}
