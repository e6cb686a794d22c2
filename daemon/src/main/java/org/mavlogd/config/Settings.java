package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.mavlogd.control.StatusServer;
import org.mavlogd.fetch.CardFetch;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.files.RecordSettings.Merge.NewTopics;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.vehicle.ConversationSettings;

/**
 * All settings, in the form that the packages using them need.
 *
 * @param logDirectory a relative path starts at the working directory
 * @param space how much of the disk logs may use
 * @param blocks the files made of an ArduPilot's log
 * @param standalone whether this computer's data gets logs of its own
 * @param merge how this computer's data is merged into vehicles' logs
 * @param links at least one; names are unique
 * @param forwarding which of them forward
 * @param telemetry maximum lengths of the telemetry logs; empty if none are wanted
 * @param ringBytes memory of each link, a power of two
 * @param uploads where the uploader stores which logs it sent
 */
public record Settings(
        Path logDirectory,
        StoreSettings store,
        SpaceLimits space,
        RecordSettings.BlockFiles blocks,
        RecordSettings.Standalone standalone,
        RecordSettings.Merge merge,
        ConversationSettings vehicles,
        Signing.Settings signing,
        List<LinkSettings> links,
        ForwardSettings forwarding,
        Optional<TelemetryLogs.Limits> telemetry,
        int ringBytes,
        StatusServer.Settings http,
        CardFetch.Settings fetch,
        LocalSettings local,
        Path uploads) {

    /** All sections of a configuration file: the only table for reading, checking and documenting. */
    static final List<Section> SECTIONS = List.of(
            LogSection.SECTION,
            VehicleSection.SECTION,
            MavlinkSection.SECTION,
            SigningSection.SECTION,
            RecorderSection.SECTION,
            HttpSection.SECTION,
            PageSettings.SECTION,
            UploadSettings.SECTION,
            TargetSection.SECTION,
            LinkSection.SECTION,
            ForwardSection.SECTION,
            TlogSection.SECTION,
            FetchSection.SECTION,
            MergeSection.SECTION,
            LocalSettings.SystemSection.SECTION,
            LocalSettings.IioSection.SECTION,
            LocalSettings.GpsdSection.SECTION,
            NmeaSection.SECTION,
            MessagesSection.SECTION,
            PublishSection.SECTION,
            PublishSection.TopicSection.SECTION,
            TextsSettings.TagsSection.SECTION,
            TextsSettings.EventsSection.SECTION,
            TextsSettings.JournalSection.SECTION,
            TextsSettings.SyslogSection.SECTION);

    public Settings {
        links = List.copyOf(links);
    }

    /** Only saves time: {@link #load} is faster if another thread has called this before. Logs nothing. */
    public static void prepare() {
        ConfigFile.prepare();
    }

    /** Reads and checks a file; the exception lists all errors in it. */
    public static Settings load(Path path) throws ConfigException {
        return load(path, System.getenv());
    }

    static Settings load(Path path, Map<String, String> environment) throws ConfigException {
        return load(path, environment, new SecretFile(System.getenv()));
    }

    /** The same without the credentials that systemd passes to the service only: for commands that do not need them. */
    public static Settings loadBesideService(Path path) throws ConfigException {
        return loadBesideService(path, place -> {});
    }

    /** The same; names each credential that is left out. */
    public static Settings loadBesideService(Path path, Consumer<String> leftOut) throws ConfigException {
        return load(path, System.getenv(), SecretFile.besideService(System.getenv(), leftOut));
    }

    private static Settings load(Path path, Map<String, String> environment, SecretFile secrets)
            throws ConfigException {
        Configuration config = Configuration.read(path, environment, SECTIONS);
        List<SectionReader> linkReaders = config.list(LinkSection.SECTION);
        List<LinkSettings> links = LinkSection.read(config, linkReaders);
        SectionReader log = config.table(LogSection.SECTION);
        SectionReader upload = config.table(UploadSettings.SECTION);
        SectionReader vehicle = config.table(VehicleSection.SECTION);
        SectionReader mavlink = config.table(MavlinkSection.SECTION);
        Signing.Settings signing = SigningSection.read(config.table(SigningSection.SECTION), secrets);
        SectionReader recorder = config.table(RecorderSection.SECTION);
        StoreSettings store = RecorderSection.store(recorder, LogSection.rotation(log));
        Settings settings = new Settings(
                LogSection.directory(log),
                store,
                LogSection.space(log, UploadSettings.uploaded(upload)),
                LogSection.blocks(log),
                LogSection.standalone(log),
                MergeSection.read(config.table(MergeSection.SECTION)),
                VehicleSection.read(vehicle, log, mavlink, store.durability().gatherNs()),
                signing,
                links,
                ForwardSection.read(config.table(ForwardSection.SECTION), linkReaders),
                TlogSection.read(config.table(TlogSection.SECTION)),
                RecorderSection.ringBytes(recorder),
                HttpSection.read(config.table(HttpSection.SECTION), secrets),
                FetchSection.read(config.table(FetchSection.SECTION)),
                LocalSettings.read(config, links, LogSection.directory(log)),
                UploadSettings.stateDirectory(upload));
        config.table(PageSettings.SECTION); // checked here, read by the page
        TargetSection.read(config); // read by the uploader
        config.problems().throwIfAny(secrets.unreadable());
        return settings;
    }

    /** Section {@code [vehicle]}: which vehicles are recorded. */
    static final class VehicleSection {
        private static final Key<Integer> SYSTEM_ID = Key.integer(
                "system_id",
                ConversationSettings.EVERY_VEHICLE,
                ValueType.range(ConversationSettings.EVERY_VEHICLE, 255),
                "MAVLink system id of the one vehicle to record; 0 records every vehicle heard");
        private static final Key<Integer> SILENCE_TIMEOUT_S = Key.integer(
                "silence_timeout_s",
                5,
                ValueType.range(1, 600),
                "seconds without anything from a vehicle until it counts as silent, or without log data until a PX4 is asked for its log again");

        static final Section SECTION =
                Section.table("vehicle", "which vehicles are recorded", SYSTEM_ID, SILENCE_TIMEOUT_S);

        private VehicleSection() {}

        /** The settings of conversations with vehicles, from three sections. */
        static ConversationSettings read(
                SectionReader section, SectionReader log, SectionReader mavlink, long gatherNs) {
            return new ConversationSettings(
                    section.value(SYSTEM_ID),
                    MavlinkSection.componentId(mavlink),
                    LogSection.mode(log),
                    LogSection.leadOutNs(log),
                    TimeUnit.SECONDS.toNanos(section.value(SILENCE_TIMEOUT_S)),
                    gatherNs,
                    MavlinkSection.timesync(mavlink));
        }
    }

    /** Section {@code [mavlink]}: how mavlogd appears on the MAVLink network. */
    static final class MavlinkSection {
        private static final Key<Integer> COMPONENT_ID = Key.integer(
                "component_id",
                191, // MAV_COMP_ID_ONBOARD_COMPUTER
                ValueType.range(1, 255),
                "MAVLink component id of mavlogd; change it when another program of this vehicle uses the same");

        private static final Key<Boolean> TIMESYNC = Key.bool(
                "timesync",
                true,
                "ask recorded vehicles for their time, about once a second, so that this computer's data has the right time in their logs");
        private static final Key<Boolean> ANSWER_TIMESYNC = Key.bool(
                "answer_timesync",
                false,
                "answer a vehicle's TIMESYNC requests with this computer's monotonic time; only one program may do that");

        static final Section SECTION = Section.table(
                "mavlink", "how mavlogd appears on the MAVLink network", COMPONENT_ID, TIMESYNC, ANSWER_TIMESYNC);

        private MavlinkSection() {}

        /** mavlogd's component id; its system id is the vehicle's. */
        static int componentId(SectionReader section) {
            return section.value(COMPONENT_ID);
        }

        static ConversationSettings.Timesync timesync(SectionReader section) {
            return new ConversationSettings.Timesync(section.value(TIMESYNC), section.value(ANSWER_TIMESYNC));
        }
    }

    /** Section {@code [tlog]}: the telemetry logs beside vehicles' logs. */
    static final class TlogSection {
        private static final long MEBI = 1 << 20;

        private static final Key<Boolean> ENABLED = Key.bool(
                "enabled",
                false,
                "write all MAVLink frames that are heard into a .tlog beside each vehicle's log, as ground stations do");
        private static final Key<Integer> ROTATE_MIB = Key.integer(
                "rotate_mib", 256, ValueType.range(1, 4095), "MiB after which a .tlog continues in a new file");
        private static final Key<Integer> MAX_MIB = Key.integer(
                "max_mib",
                1024,
                ValueType.range(0, 1_048_576),
                "maximum MiB of telemetry beside one vehicle's log; the excess is not written; 0 for no limit");

        static final Section SECTION =
                Section.table("tlog", "telemetry logs beside vehicles' logs", ENABLED, ROTATE_MIB, MAX_MIB);

        private TlogSection() {}

        static Optional<TelemetryLogs.Limits> read(SectionReader section) {
            return section.value(ENABLED)
                    ? Optional.of(
                            new TelemetryLogs.Limits(section.value(ROTATE_MIB) * MEBI, section.value(MAX_MIB) * MEBI))
                    : Optional.empty();
        }
    }

    /** Section {@code [fetch]}: the logs on vehicles' cards. */
    static final class FetchSection {
        private static final long MEBI = 1 << 20;

        private static final Key<Boolean> AFTER_DISARM = Key.bool(
                "after_disarm",
                false,
                "fetch the vehicle's own newest log after each flight, into \"fetched\" in the log directory");
        private static final Key<Integer> DELAY_S = Key.integer(
                "delay_s",
                20,
                ValueType.range(1, 600),
                "seconds from disarm until fetching starts; ArduPilot continues its log for 15");
        private static final Key<Integer> MAX_TOTAL_MIB = Key.integer(
                "max_total_mib",
                4096,
                ValueType.range(0, 16_777_216),
                "total MiB of fetched logs before the oldest are deleted; 0 for no limit");

        static final Section SECTION =
                Section.table("fetch", "the logs on the vehicles' own cards", AFTER_DISARM, DELAY_S, MAX_TOTAL_MIB);

        private FetchSection() {}

        static CardFetch.Settings read(SectionReader section) {
            return new CardFetch.Settings(
                    section.value(AFTER_DISARM),
                    TimeUnit.SECONDS.toNanos(section.value(DELAY_S)),
                    section.value(MAX_TOTAL_MIB) * MEBI);
        }
    }

    /** Section {@code [local]}: how this computer's data is merged into logs. */
    static final class MergeSection {
        private static final long KIBI = 1 << 10;

        private static final Key<Integer> MAX_KIB_PER_S = Key.integer(
                "max_kib_per_s",
                4096,
                ValueType.range(1, 1_048_576),
                "maximum rate of all local sources together in KiB per second; the excess is dropped");
        private static final Key<String> PREFIX = Key.string(
                "prefix",
                "companion_",
                ValueType.matching(
                        Pattern.compile("[a-zA-Z][a-zA-Z0-9_]{0,30}_"),
                        "2 to 32 letters, digits and \"_\", beginning with a letter and ending with \"_\""),
                "prefix of a local topic's name if the vehicle's log has a topic of that name with other fields");
        private static final Key<NewTopics> NEW_TOPICS = Key.choice(
                "new_topics",
                NewTopics.NEW_FILE,
                List.of(NewTopics.values()),
                "a topic that appears while a log is being written starts a new file of that log, or waits for its next file; its samples are kept until then, up to 1 MiB");

        static final Section SECTION = Section.table(
                "local", "how this computer's data is merged into logs", MAX_KIB_PER_S, PREFIX, NEW_TOPICS);

        private MergeSection() {}

        static RecordSettings.Merge read(SectionReader section) {
            return new RecordSettings.Merge(
                    section.value(MAX_KIB_PER_S) * KIBI, section.value(PREFIX), section.value(NEW_TOPICS));
        }
    }

    /** Section {@code [recorder]}: memory and writing to disk. */
    static final class RecorderSection {
        private static final int MEBI = 1 << 20;
        private static final int KIBI = 1 << 10;

        private static final Key<Integer> RING_MIB = Key.integer(
                "ring_mib",
                16,
                ValueType.powerOfTwo(1, 256),
                "MiB of memory for each link that hold its data while the disk stalls");
        private static final Key<Integer> WRITE_BATCH_KIB = Key.integer(
                "write_batch_kib", 64, ValueType.range(4, 1024), "KiB that are collected for one write to the file");
        private static final Key<Integer> FORCE_INTERVAL_MS = Key.integer(
                "force_interval_ms",
                500,
                ValueType.range(50, 10_000),
                "milliseconds of data that a power cut may cost: data is on disk after this time");

        static final Section SECTION =
                Section.table("recorder", "memory and writing to disk", RING_MIB, WRITE_BATCH_KIB, FORCE_INTERVAL_MS);

        private RecorderSection() {}

        /** Memory of each link, a power of two. */
        static int ringBytes(SectionReader section) {
            return section.value(RING_MIB) * MEBI;
        }

        static StoreSettings store(SectionReader section, StoreSettings.RotationPolicy rotation) {
            return new StoreSettings(
                    section.value(WRITE_BATCH_KIB) * KIBI,
                    StoreSettings.Durability.ofMs(section.value(FORCE_INTERVAL_MS)),
                    rotation);
        }
    }
}
