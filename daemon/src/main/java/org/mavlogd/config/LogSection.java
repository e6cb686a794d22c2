package org.mavlogd.config;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.vehicle.ConversationSettings;

/** Section {@code [log]}: the directory of logs, when they are recorded, and how much of the disk they may use. */
final class LogSection {
    private static final long MEBI = 1 << 20;
    // 1 PiB.
    private static final int MAX_MIB = 1 << 30;
    private static final int MAX_FILES_LIMIT = 1_000_000;
    private static final String DEFAULT_DIRECTORY = "/var/lib/mavlogd/logs";

    private static final Key<Path> DIRECTORY = Key.withDefault(
            "directory",
            Path.of(DEFAULT_DIRECTORY),
            '"' + DEFAULT_DIRECTORY + '"',
            ValueType.DIRECTORY,
            "where logs are stored; created if missing");
    private static final Key<ConversationSettings.Mode> MODE = Key.choice(
            "mode",
            ConversationSettings.Mode.ALWAYS,
            List.of(ConversationSettings.Mode.values()),
            "record while the vehicle is heard, or only while it is armed");
    private static final Key<Integer> LEAD_OUT_S = Key.integer(
            "lead_out_s",
            10,
            ValueType.range(0, 3600),
            "seconds that recording continues after disarm, in mode \"armed\"");
    private static final Key<Integer> ROTATE_MIB = Key.integer(
            "rotate_mib",
            1024,
            ValueType.range(0, 1_048_576),
            "MiB after which a log continues in a new file; 0 for no limit (FAT32 takes 4095)");
    private static final Key<Integer> ROTATE_MIN = Key.integer(
            "rotate_min",
            0,
            ValueType.range(0, 10_080),
            "minutes after which a log continues in a new file; 0 for no limit");

    private static final Key<Boolean> STANDALONE = Key.bool(
            "standalone",
            false,
            "while no vehicle's log is recorded, record this computer's data into logs of their own");
    private static final Key<Integer> STANDALONE_AFTER_S = Key.integer(
            "standalone_after_s",
            10,
            ValueType.range(0, 3600),
            "seconds without a vehicle's log until such a log starts");

    /** The kinds of files, as written in the configuration. */
    private enum FileKind {
        BIN,
        ULG
    }

    private static final String FILES_ALLOWED = "an array of \"bin\", \"ulg\" or both";
    private static final ValueType<List<FileKind>> KINDS =
            ValueType.listOf(ValueType.oneOf(List.of(FileKind.values())), 2, FILES_ALLOWED);

    private static final Key<RecordSettings.BlockFiles> ARDUPILOT_FILES = Key.withDefault(
            "ardupilot_files",
            RecordSettings.BlockFiles.BOTH,
            "[\"bin\", \"ulg\"]",
            ValueType.of(FILES_ALLOWED, KINDS.schema(), LogSection::files),
            "files of an ArduPilot's log: its own format as received, ULog with this computer's data, or both");

    private static final Key<Integer> KEEP_FREE_MIB = Key.integer(
            "keep_free_mib",
            1024,
            ValueType.range(0, MAX_MIB),
            "MiB to keep free by deleting the oldest finished logs; at most an eighth of the file system; 0 never deletes for lack of space");
    private static final Key<Integer> MAX_TOTAL_MIB = Key.integer(
            "max_total_mib",
            0,
            ValueType.range(0, MAX_MIB),
            "total MiB of logs before the oldest are deleted; 0 for no limit");
    private static final Key<Integer> MAX_FILES = Key.integer(
            "max_files",
            0,
            ValueType.range(0, MAX_FILES_LIMIT),
            "number of logs before the oldest are deleted; 0 for no limit");
    private static final Key<Integer> RESERVE_MIB = Key.integer(
            "reserve_mib",
            32,
            ValueType.range(1, MAX_MIB),
            "MiB left to other programs: recording pauses before less is free; at most a sixteenth of the file system");

    private static final Key<SpaceLimits.Retention> RETENTION = Key.choice(
            "retention",
            SpaceLimits.Retention.OLDEST,
            List.of(SpaceLimits.Retention.values()),
            "which logs are deleted first, or at all: with \"only_uploaded\" recording pauses when the disk is full of logs that were not"
                    + " uploaded");

    static final Section SECTION = Section.table(
            "log",
            "where logs go and when they are recorded",
            DIRECTORY,
            MODE,
            LEAD_OUT_S,
            ROTATE_MIB,
            ROTATE_MIN,
            ARDUPILOT_FILES,
            STANDALONE,
            STANDALONE_AFTER_S,
            KEEP_FREE_MIB,
            MAX_TOTAL_MIB,
            MAX_FILES,
            RESERVE_MIB,
            RETENTION);

    private LogSection() {}

    static Path directory(SectionReader section) {
        return section.value(DIRECTORY);
    }

    static ConversationSettings.Mode mode(SectionReader section) {
        return section.value(MODE);
    }

    static long leadOutNs(SectionReader section) {
        return TimeUnit.SECONDS.toNanos(section.value(LEAD_OUT_S));
    }

    static StoreSettings.RotationPolicy rotation(SectionReader section) {
        return new StoreSettings.RotationPolicy(
                section.value(ROTATE_MIB) * MEBI, TimeUnit.MINUTES.toNanos(section.value(ROTATE_MIN)));
    }

    /** The files made of an ArduPilot's log. */
    static RecordSettings.BlockFiles blocks(SectionReader section) {
        return section.value(ARDUPILOT_FILES).onlyArmed(mode(section) == ConversationSettings.Mode.ARMED);
    }

    static RecordSettings.Standalone standalone(SectionReader section) {
        return new RecordSettings.Standalone(
                section.value(STANDALONE),
                TimeUnit.SECONDS.toNanos(section.value(STANDALONE_AFTER_S)),
                ZoneId.systemDefault());
    }

    /** How much of the disk logs may use; {@code uploaded} is the path of the uploader's list. */
    static SpaceLimits space(SectionReader section, Path uploaded) {
        SpaceLimits.Retention retention = section.value(RETENTION);
        return new SpaceLimits(
                section.value(KEEP_FREE_MIB) * MEBI,
                section.value(MAX_TOTAL_MIB) * MEBI,
                section.value(MAX_FILES),
                section.value(RESERVE_MIB) * MEBI,
                retention == SpaceLimits.Retention.OLDEST
                        ? SpaceLimits.Uploads.NONE
                        : new SpaceLimits.Uploads(retention, Optional.of(uploaded)));
    }

    private static RecordSettings.BlockFiles files(Object value) throws ValueType.BadValueException {
        List<FileKind> kinds = KINDS.read(value);
        Set<FileKind> different = new HashSet<>(kinds);
        if (kinds.isEmpty()) {
            throw new ValueType.BadValueException("is empty: no file of the log would be written");
        }
        if (different.size() < kinds.size()) {
            throw new ValueType.BadValueException("lists one of them twice");
        }
        return new RecordSettings.BlockFiles(different.contains(FileKind.BIN), different.contains(FileKind.ULG), false);
    }
}
