package org.mavlogd.record.files;

import java.util.Map;
import java.util.OptionalInt;
import org.mavlogd.memory.MemoryBudget;

/**
 * What the recorder puts into logs besides what vehicles send.
 *
 * @param recorder name and version of this program, written into each log
 * @param infos further texts for each log by name; names begin with {@value OwnInfos#PREFIX}
 * @param blocks what is made of an ArduPilot's log
 * @param bauds the baud rates of serial links by name
 * @param memory what recordings keep comes out of
 */
public record RecordSettings(
        String recorder,
        Map<String, String> infos,
        MergeSettings merge,
        StandaloneSettings standalone,
        BlockFiles blocks,
        Map<String, Integer> bauds,
        MemoryBudget memory) {
    public RecordSettings {
        infos = Map.copyOf(infos);
        bauds = Map.copyOf(bauds);
    }

    /** The baud rate of a link; empty when it is not serial. */
    public OptionalInt baud(String link) {
        Integer baud = bauds.get(link);
        return baud == null ? OptionalInt.empty() : OptionalInt.of(baud);
    }

    /** With a memory budget of its own; all links are network links. */
    public RecordSettings(
            String recorder,
            Map<String, String> infos,
            MergeSettings merge,
            StandaloneSettings standalone,
            BlockFiles blocks) {
        this(recorder, infos, merge, standalone, blocks, Map.of(), MemoryBudget.ofHeap());
    }

    /** An ArduPilot's log becomes both. */
    public RecordSettings(
            String recorder, Map<String, String> infos, MergeSettings merge, StandaloneSettings standalone) {
        this(recorder, infos, merge, standalone, BlockFiles.BOTH);
    }

    /** All at its default. */
    public static RecordSettings of(String recorder) {
        return new RecordSettings(recorder, Map.of(), MergeSettings.DEFAULT, StandaloneSettings.OFF);
    }
}
