package org.mavlogd.ulog;

/**
 * The number of appended sections of a log, and of those it can still take.
 *
 * @param used 0 to 3; a section that was begun, but of which no byte was written, is not counted
 * @param free 0 to 3; 0 also if the log has no place for them: no ULog, no flag bits, or flags of a later version
 */
public record SectionCount(int used, int free) {
    static final SectionCount NONE = new SectionCount(0, 0);

    /** Whether something was added to the log after it was written: most often, crash data. */
    public boolean hasAny() {
        return used > 0;
    }
}
