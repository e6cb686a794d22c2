package org.mavlogd.ulog;

/**
 * The number of used and free appended sections of a log.
 *
 * @param used 0 to 3; without a section that was started but of which no byte was written
 * @param free 0 to 3; 0 also if nothing can be appended: not a ULog, no flag bits, or flags of a later version
 */
public record SectionCount(int used, int free) {
    static final SectionCount NONE = new SectionCount(0, 0);

    /** Whether data was appended to the log after it was written: usually crash data. */
    public boolean hasAny() {
        return used > 0;
    }
}
