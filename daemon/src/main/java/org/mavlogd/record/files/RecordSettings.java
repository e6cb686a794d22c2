package org.mavlogd.record.files;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.OptionalInt;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.record.telemetry.TelemetryLogs;

/**
 * Settings of data that the recorder adds to logs.
 *
 * @param recorder name and version of this program, written into each log
 * @param infos further texts for each log by name; names begin with {@value OwnInfos#PREFIX}
 * @param blocks what is made of an ArduPilot's log
 * @param telemetry how long telemetry logs may get, where there are any
 * @param bauds the baud rates of serial links by name
 * @param memory what recordings keep comes out of
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

    /** The baud rate of a link; empty when it is not serial. */
    public OptionalInt baud(String link) {
        Integer baud = bauds.get(link);
        return baud == null ? OptionalInt.empty() : OptionalInt.of(baud);
    }

    /** With a memory budget of its own; all links are network links. */
    public RecordSettings(
            String recorder, Map<String, String> infos, Merge merge, Standalone standalone, BlockFiles blocks) {
        this(recorder, infos, merge, standalone, blocks, TelemetryLogs.Limits.DEFAULT, Map.of(), MemoryBudget.ofHeap());
    }

    /** An ArduPilot's log becomes both. */
    public RecordSettings(String recorder, Map<String, String> infos, Merge merge, Standalone standalone) {
        this(recorder, infos, merge, standalone, BlockFiles.BOTH);
    }

    /** All at its default. */
    public static RecordSettings of(String recorder) {
        return new RecordSettings(recorder, Map.of(), Merge.DEFAULT, Standalone.OFF);
    }

    /**
     * How this computer's own topics and messages are merged into logs.
     *
     * @param bytesPerSecond of all local sources together at most: whatever they publish, the disk stays free for
     *     vehicles
     * @param prefix before the name of a local topic that means something else in the vehicle's log
     * @param newTopics what becomes of a topic that a file's definitions do not have
     */
    public record Merge(long bytesPerSecond, String prefix, NewTopics newTopics) {
        /** What becomes of a topic that appears after the definitions of a file are through. */
        public enum NewTopics {
            /** It is in the next file. */
            NEXT_FILE,
            /** A new file begins soon. */
            NEW_FILE
        }

        /** As without any configuration. */
        public static final Merge DEFAULT = new Merge(4096 << 10, "companion_", NewTopics.NEW_FILE);

        public Merge {
            if (bytesPerSecond <= 0) {
                throw new IllegalArgumentException(bytesPerSecond + " bytes per second");
            }
        }
    }

    /**
     * Whether and when this computer's data get a log of their own.
     *
     * @param afterNs how long no vehicle's log takes them before one begins
     * @param zone of this computer: the log has its difference from UTC
     */
    public record Standalone(boolean enabled, long afterNs, ZoneId zone) {
        /** Without a vehicle's log they are lost. */
        public static final Standalone OFF = new Standalone(false, 0, ZoneOffset.UTC);
    }

    /**
     * What is made of an ArduPilot's log; at least one of the two.
     *
     * @param isVerbatim whether it is kept as it came, in a {@code .bin} file
     * @param isMapped whether it becomes ULog while it comes, with this computer's data in it
     * @param isOnlyArmed whether only flights are wanted: then a log is not kept in which the vehicle was never armed
     *     and wrote nothing but what is at the start of every log; without {@code isMapped} nobody looks into it,
     *     and it is kept
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
}
