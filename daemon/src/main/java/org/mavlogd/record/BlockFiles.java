package org.mavlogd.record;

import java.util.List;

/**
 * What is made of an ArduPilot's log.
 *
 * @param isVerbatim whether it is kept as it came, in a {@code .bin} file
 * @param others what is made of it besides, for each log anew
 */
public record BlockFiles(boolean isVerbatim, List<Maker> others) {
    /** The verbatim file alone. */
    public static final BlockFiles VERBATIM = new BlockFiles(true, List.of());

    public BlockFiles {
        others = List.copyOf(others);
    }

    /** Makes something of a log that begins. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Takes a log from its first block on, or from the middle when the log is one of an earlier run.
         *
         * @param feed the link it comes from
         * @param startedNs when it began, monotonic
         * @param startedEpochMs what this computer's clock said then
         */
        BlockSink begin(String feed, int systemId, int session, long startedNs, long startedEpochMs);
    }
}
