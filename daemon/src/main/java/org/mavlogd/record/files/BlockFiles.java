package org.mavlogd.record.files;

/**
 * What is made of an ArduPilot's log; at least one of the two.
 *
 * @param isVerbatim whether it is kept as it came, in a {@code .bin} file
 * @param isMapped whether it becomes ULog while it comes, with this computer's data in it
 */
public record BlockFiles(boolean isVerbatim, boolean isMapped) {
    /** The verbatim file alone. */
    public static final BlockFiles VERBATIM = new BlockFiles(true, false);

    /** Both. */
    public static final BlockFiles BOTH = new BlockFiles(true, true);

    public BlockFiles {
        if (!isVerbatim && !isMapped) {
            throw new IllegalArgumentException("neither of the two files of an ArduPilot's log");
        }
    }
}
