package org.mavlogd.ulog;

/**
 * Where the flag bits say that sections were appended, and which of these a scan believes.
 *
 * <p>An offset may be wrong, so a section counts only if messages follow where it begins. Whether they do is asked
 * once a message reaches that place or goes past it, not before: the answer rests on the topics known by then, and
 * must be the same however the log is cut into chunks. While searching nothing new is learnt, so there it is asked
 * whenever the place is in sight. Positions are indexes into the window.
 */
final class AppendedSections {
    private final ScanWindow window;
    private long[] positions = {};
    private int next;
    private boolean believed;

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
        return isInSight() ? Math.min(window.limit, (int) (positions[next] - window.base)) : window.limit;
    }

    /** Sets how far the window can be read, before the message here is looked at. */
    void limit(int at, boolean finished, boolean searching) {
        window.limit = window.end;
        window.isFinal = finished;
        while (next < positions.length && positions[next] < window.base + at) {
            next++;
            believed = false;
        }
        if (believed) {
            end(true);
        } else if (isInSight() && (searching || isReachedBy(at))) {
            decide(at, finished, searching);
        }
    }

    /** Whether the message here must wait for {@link #limit} to be told again. */
    boolean isUndecided(int at) {
        return isInSight() && positions[next] - window.base != window.limit && isReachedBy(at);
    }

    /** Goes on behind the limit if a section begins there. */
    boolean enter(int at) {
        if (next == positions.length || window.base + at != positions[next]) {
            return false;
        }
        next++;
        believed = false;
        return true;
    }

    private void decide(int at, boolean finished, boolean searching) {
        int answer = window.chain((int) (positions[next] - window.base), false);
        if (answer != ScanWindow.NO) {
            believed = answer == ScanWindow.YES && !searching;
            end(answer == ScanWindow.YES || finished);
        } else if (!searching) {
            next++;
            limit(at, finished, false);
        }
    }

    private void end(boolean isFinal) {
        window.limit = (int) (positions[next] - window.base);
        window.isFinal = isFinal;
    }

    private boolean isInSight() {
        return next < positions.length && positions[next] <= window.base + window.end;
    }

    private boolean isReachedBy(int at) {
        int section = (int) (positions[next] - window.base);
        return section - at < ULogLayout.MESSAGE_HEADER_LENGTH || at + window.length(at) > section;
    }
}
