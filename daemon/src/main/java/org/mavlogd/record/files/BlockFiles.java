package org.mavlogd.record.files;

/**
 * What is made of an ArduPilot's log; at least one of the two.
 *
 * @param isVerbatim whether it is kept as it came, in a {@code .bin} file
 * @param isMapped whether it becomes ULog while it comes, with this computer's data in it
 * @param isOnlyArmed whether only flights are wanted: then a log is not kept in which the vehicle was never armed and wrote
 *     nothing but what stands at the start of every log; without {@code isMapped} nobody looks into it, and it is kept
 */
public record BlockFiles(boolean isVerbatim, boolean isMapped, boolean isOnlyArmed) {
    /** The verbatim file alone. */
    public static final BlockFiles VERBATIM = new BlockFiles(true, false, false);

    /** Both. */
    public static final BlockFiles BOTH = new BlockFiles(true, true, false);

    /** The same files where only flights are wanted. */
    public BlockFiles onlyArmed(boolean isWanted) {
        return new BlockFiles(isVerbatim, isMapped, isWanted);
    }

    public BlockFiles {
        if (!isVerbatim && !isMapped) {
            throw new IllegalArgumentException("neither of the two files of an ArduPilot's log");
        }
    }
}
