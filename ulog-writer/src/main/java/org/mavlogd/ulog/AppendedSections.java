package org.mavlogd.ulog;

/**
 * The positions of appended sections given by the flag bits, and the ones that a scan accepts.
 *
 * <p>An offset may be wrong, so a section is accepted only if messages follow at its position. This is checked for
 * every message that reaches or crosses the position, because the result depends on the topics known by then and must
 * not depend on how the log is cut into chunks. A search learns no topics, so then it is checked as soon as the
 * position is in the window. Indexes are those of the window.
 */
final class AppendedSections {
    private final ScanWindow window;
    private long[] positions = {};
    private int next;

    // Position of the message for which the limit was set, and whether a section set it.
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

    /** Index up to which messages can be taken without checking the next section. */
    int bound() {
        return next < positions.length && isInSight(next) ? Math.min(window.limit, index(next)) : window.limit;
    }

    /** Sets the end of the readable part of the window, before the message at {@code at} is examined. */
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

    /** Whether the limit was set for another message and must be set again for this one. */
    boolean isOutdated(int at) {
        return limitedFor != window.base + at
                && (limited || (next < positions.length && isInSight(next) && isReached(next, at)));
    }

    /** Continues past the limit if a section starts there. */
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
