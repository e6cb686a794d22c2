package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Section {@code [log]}: where logs go and when they are recorded.
 *
 * @param directory relative ones start at the working directory
 * @param leadOutS seconds that recording goes on after disarm, in mode {@link Mode#ARMED}
 * @param rotateMib longest file in MiB, 0 for no limit
 * @param rotateMin longest time of a file in minutes, 0 for no limit
 * @param arduPilot what an ArduPilot's log becomes
 * @param standalone whether this computer's data get logs of their own
 * @param retention how much of the disk logs may take
 */
public record LogSettings(
        Path directory,
        Mode mode,
        int leadOutS,
        int rotateMib,
        int rotateMin,
        ArduPilotFiles arduPilot,
        Standalone standalone,
        RetentionSettings retention) {
    /** When a vehicle is recorded. */
    public enum Mode {
        /** For as long as the vehicle is there. */
        ALWAYS,
        /** While it is armed, and for the lead-out after. */
        ARMED
    }

    /**
     * Logs of this computer alone.
     *
     * @param afterS seconds without a vehicle's log until one begins
     */
    public record Standalone(boolean enabled, int afterS) {
        /** There are none. */
        public static final Standalone OFF = new Standalone(false, 0);
    }

    private static final String DEFAULT_DIRECTORY = "/var/lib/mavlogd/logs";

    private static final Key<Path> DIRECTORY = Key.withDefault(
            "directory",
            Path.of(DEFAULT_DIRECTORY),
            '"' + DEFAULT_DIRECTORY + '"',
            ValueTypes.DIRECTORY,
            "where finished and growing logs are kept; made when missing");
    private static final Key<Mode> MODE = Key.choice(
            "mode",
            Mode.ALWAYS,
            List.of(Mode.values()),
            "record for as long as the vehicle is there, or only while it is armed");
    private static final Key<Integer> LEAD_OUT_S = Key.integer(
            "lead_out_s",
            10,
            ValueTypes.range(0, 3600),
            "seconds that recording goes on after disarm, in mode \"armed\"");
    private static final Key<Integer> ROTATE_MIB = Key.integer(
            "rotate_mib",
            1024,
            ValueTypes.range(0, 1_048_576),
            "MiB after which a log goes on in a next file; 0 for no limit (FAT32 takes 4095)");
    private static final Key<Integer> ROTATE_MIN = Key.integer(
            "rotate_min",
            0,
            ValueTypes.range(0, 10_080),
            "minutes after which a log goes on in a next file; 0 for no limit");

    private static final Key<Boolean> STANDALONE = Key.bool(
            "standalone",
            false,
            "while no vehicle's log is under way, record this computer's data into logs of their own");
    private static final Key<Integer> STANDALONE_AFTER_S = Key.integer(
            "standalone_after_s",
            10,
            ValueTypes.range(0, 3600),
            "seconds without a vehicle's log until such a log begins");

    static final Section SECTION = Section.table("log", "where logs go and when they are recorded", keys());

    private static Key<?>[] keys() {
        Stream<Key<?>> own = Stream.of(
                DIRECTORY,
                MODE,
                LEAD_OUT_S,
                ROTATE_MIB,
                ROTATE_MIN,
                ArduPilotFiles.KEY,
                STANDALONE,
                STANDALONE_AFTER_S);
        return Stream.concat(own, RetentionSettings.KEYS.stream()).toArray(Key<?>[]::new);
    }

    static LogSettings read(SectionReader section) {
        return new LogSettings(
                section.value(DIRECTORY),
                section.value(MODE),
                section.value(LEAD_OUT_S),
                section.value(ROTATE_MIB),
                section.value(ROTATE_MIN),
                section.value(ArduPilotFiles.KEY),
                new Standalone(section.value(STANDALONE), section.value(STANDALONE_AFTER_S)),
                RetentionSettings.read(section));
    }
}
