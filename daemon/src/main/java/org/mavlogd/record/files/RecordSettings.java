package org.mavlogd.record.files;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.OptionalInt;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.tags.TagMap;

/**
 * Settings of the recorder.
 *
 * @param recorder name and version of this program, written into each log
 * @param infos further infos for each log by name; names begin with {@value OwnInfos#PREFIX}
 * @param blocks the files made of an ArduPilot's log
 * @param telemetry maximum lengths of telemetry logs, if there are any
 * @param bauds the baud rates of serial links by name
 * @param memory budget for recordings
 */
public record RecordSettings(
        String recorder,
        Map<String, String> infos,
        Merge merge,
        Standalone standalone,
        BlockFiles blocks,
        TelemetryLogs.Limits telemetry,
        Map<String, Integer> bauds,
        MemoryBudget memory) {
    public RecordSettings {
        infos = Map.copyOf(infos);
        bauds = Map.copyOf(bauds);
    }

    /** The baud rate of a link; empty if it is not serial. */
    public OptionalInt baud(String link) {
        Integer baud = bauds.get(link);
        return baud == null ? OptionalInt.empty() : OptionalInt.of(baud);
    }

    /** The tag of messages about data that this computer lost: the number of {@code cbuf} among the infos' tags. */
    public int cbufTag() {
        return TagMap.read(infos.getOrDefault(TagMap.INFO, ""))
                .id(TagMap.CBUF)
                .orElse(TagMap.DEFAULT.defaultId(TagMap.CBUF));
    }

    /** With its own memory budget, and without serial links. */
    public RecordSettings(
            String recorder, Map<String, String> infos, Merge merge, Standalone standalone, BlockFiles blocks) {
        this(recorder, infos, merge, standalone, blocks, TelemetryLogs.Limits.DEFAULT, Map.of(), MemoryBudget.ofHeap());
    }

    /** With both files of an ArduPilot's log. */
    public RecordSettings(String recorder, Map<String, String> infos, Merge merge, Standalone standalone) {
        this(recorder, infos, merge, standalone, BlockFiles.BOTH);
    }

    /** With defaults. */
    public static RecordSettings of(String recorder) {
        return new RecordSettings(recorder, Map.of(), Merge.DEFAULT, Standalone.OFF);
    }

    /**
     * How this computer's topics and messages are merged into logs.
     *
     * @param bytesPerSecond maximum rate of all local sources together, so that the disk stays free for vehicles
     * @param prefix for the name of a local topic that has another meaning in the vehicle's log
     * @param newTopics what happens to a topic that is missing in a file's definitions
     */
    public record Merge(long bytesPerSecond, String prefix, NewTopics newTopics) {
        /** The treatment of a topic that appears after the definitions of a file. */
        public enum NewTopics {
            /** The next file has it. */
            NEXT_FILE,
            /** A new file begins soon. */
            NEW_FILE
        }

        /** The default. */
        public static final Merge DEFAULT = new Merge(4096 << 10, "companion_", NewTopics.NEW_FILE);

        public Merge {
            if (bytesPerSecond <= 0) {
                throw new IllegalArgumentException(bytesPerSecond + " bytes per second: must be positive");
            }
        }
    }

    /**
     * Whether and when this computer's data gets a log of its own.
     *
     * @param afterNs how long no vehicle's log takes the data before such a log begins
     * @param zone of this computer; the log contains its difference from UTC
     */
    public record Standalone(boolean enabled, long afterNs, ZoneId zone) {
        /** Data is lost while there is no vehicle's log. */
        public static final Standalone OFF = new Standalone(false, 0, ZoneOffset.UTC);
    }

    /**
     * The files made of an ArduPilot's log; at least one of the two.
     *
     * @param isVerbatim whether it is stored unchanged, in a {@code .bin} file
     * @param isMapped whether it is mapped to ULog while it arrives, with this computer's data in it
     * @param isOnlyArmed whether only flights are wanted: then a log is deleted in which the vehicle was never armed
     *     and wrote only the usual start of a log; without {@code isMapped} the log is not examined, and kept
     */
    public record BlockFiles(boolean isVerbatim, boolean isMapped, boolean isOnlyArmed) {
        /** The unchanged file only. */
        public static final BlockFiles VERBATIM = new BlockFiles(true, false, false);

        /** Both. */
        public static final BlockFiles BOTH = new BlockFiles(true, true, false);

        /** A copy with that value of {@code isOnlyArmed}. */
        public BlockFiles onlyArmed(boolean isWanted) {
            return new BlockFiles(isVerbatim, isMapped, isWanted);
        }

        public BlockFiles {
            if (!isVerbatim && !isMapped) {
                throw new IllegalArgumentException("neither of the two files of an ArduPilot's log");
            }
        }
    }
}
