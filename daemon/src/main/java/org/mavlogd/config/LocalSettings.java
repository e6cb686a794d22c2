package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.local.iio.IioSource;
import org.mavlogd.local.nmea.NmeaSource;
import org.mavlogd.local.publish.TopicDefinition;
import org.mavlogd.local.system.SystemSettings;

/**
 * Settings of local data: sections {@code [system]}, {@code [iio]}, {@code [gpsd]}, {@code [[nmea]]}, {@code
 * [publish]}, {@code [[topic]]} and {@code [messages]}, and those of tagged messages.
 *
 * @param system empty if this computer's state is not recorded
 * @param iio empty if its sensors are not recorded
 * @param gpsd link to gpsd; empty if it is not recorded
 * @param nmea none or several; their links' names are unique among all links
 */
public record LocalSettings(
        Optional<SystemSettings> system,
        Optional<IioSource.Settings> iio,
        Optional<LinkSettings> gpsd,
        List<LinkedSource<NmeaSource.Settings>> nmea,
        LinkedSource<PublishSettings> publish,
        TextsSettings texts,
        HeardSettings messages) {
    public LocalSettings {
        nmea = List.copyOf(nmea);
    }

    static LocalSettings read(Configuration config, List<LinkSettings> links, Path logDirectory) {
        return new LocalSettings(
                SystemSection.read(config.table(SystemSection.SECTION), logDirectory),
                IioSection.read(config.table(IioSection.SECTION)),
                GpsdSection.read(config.table(GpsdSection.SECTION)),
                NmeaSection.read(config, links),
                PublishSection.read(config),
                TextsSettings.read(config),
                MessagesSection.read(config.table(MessagesSection.SECTION)));
    }

    /** Section {@code [gpsd]}: positions from gpsd. */
    static final class GpsdSection {
        /** The name of its link. */
        static final String LINK = "gpsd";

        private static final HostPort DEFAULT = new HostPort("127.0.0.1", 2947);

        private static final Key<Boolean> ENABLED =
                Key.bool("enabled", false, "record positions, satellites and attitudes that gpsd reports");
        private static final Key<HostPort> CONNECT =
                Key.withDefault("connect", DEFAULT, "\"" + DEFAULT + '"', ValueType.hostPort(1), "where gpsd listens");

        static final Section SECTION = Section.table("gpsd", "positions from gpsd", ENABLED, CONNECT);

        private GpsdSection() {}

        /** The link to gpsd; empty if it is not recorded. */
        static Optional<LinkSettings> read(SectionReader section) {
            HostPort address = section.value(CONNECT);
            return section.value(ENABLED)
                    ? Optional.of(new LinkSettings.TcpConnect(LINK, address.host(), address.port()))
                    : Optional.empty();
        }
    }

    /** Section {@code [iio]}: sensors of Linux' Industrial I/O. */
    static final class IioSection {
        private static final Path ROOT = Path.of("/");
        private static final int MAX_PATTERNS = 64;
        private static final ValueType<List<String>> PATTERNS = ValueType.listOf(
                ValueType.matching(Pattern.compile("[ -~]{1,64}"), "1 to 64 printable characters"),
                MAX_PATTERNS,
                "an array of up to " + MAX_PATTERNS + " names, \"*\" for any characters and \"?\" for one");

        private static final Key<Boolean> ENABLED =
                Key.bool("enabled", false, "record the sensors under /sys/bus/iio/devices");
        private static final Key<Integer> INTERVAL_MS = Key.integer(
                "interval_ms", 100, ValueType.range(5, 3_600_000), "milliseconds from one sample to the next");
        private static final Key<List<String>> INCLUDE =
                Key.withDefault("include", List.of("*"), "[\"*\"]", PATTERNS, "names of the devices to record");
        private static final Key<List<String>> EXCLUDE = Key.withDefault(
                "exclude", List.of(), "[]", PATTERNS, "names of devices to leave out, even if included");

        static final Section SECTION =
                Section.table("iio", "sensors of Linux' Industrial I/O", ENABLED, INTERVAL_MS, INCLUDE, EXCLUDE);

        private IioSection() {}

        /** Empty if they are not recorded. */
        static Optional<IioSource.Settings> read(SectionReader section) {
            if (!section.value(ENABLED)) {
                return Optional.empty();
            }
            return Optional.of(new IioSource.Settings(
                    ROOT,
                    TimeUnit.MILLISECONDS.toNanos(section.value(INTERVAL_MS)),
                    section.value(INCLUDE),
                    section.value(EXCLUDE)));
        }
    }

    /** Section {@code [system]}: this computer's own state. */
    static final class SystemSection {
        private static final Path ROOT = Path.of("/");
        private static final String TOPICS = String.join(", ", SystemSettings.TOPICS);
        private static final ValueType<String> TOPIC =
                ValueType.matching(Pattern.compile(String.join("|", SystemSettings.TOPICS)), TOPICS);

        private static final Key<Boolean> ENABLED = Key.bool(
                "enabled", true, "record load, memory, temperatures, disks, network and supply of this computer");
        private static final Key<Integer> INTERVAL_MS = Key.integer(
                "interval_ms", 1000, ValueType.range(100, 3_600_000), "milliseconds from one sample to the next");
        private static final Key<List<String>> EXCLUDE = Key.withDefault(
                "exclude",
                List.of(),
                "[]",
                ValueType.listOf(TOPIC, SystemSettings.TOPICS.size(), "an array of " + TOPICS),
                "topics that are not wanted");

        static final Section SECTION =
                Section.table("system", "this computer's own state", ENABLED, INTERVAL_MS, EXCLUDE);

        private SystemSection() {}

        /** Empty if it is not recorded. */
        static Optional<SystemSettings> read(SectionReader section, Path logDirectory) {
            if (!section.value(ENABLED)) {
                return Optional.empty();
            }
            return Optional.of(new SystemSettings(
                    ROOT,
                    logDirectory,
                    TimeUnit.MILLISECONDS.toNanos(section.value(INTERVAL_MS)),
                    Set.copyOf(section.value(EXCLUDE))));
        }
    }

    /**
     * A source of this computer's data that listens on links.
     *
     * @param <S> the settings of its package
     * @param links that receive its data; none if it is off
     */
    public record LinkedSource<S>(List<LinkSettings> links, S settings) {
        public LinkedSource {
            links = List.copyOf(links);
        }
    }

    /**
     * Settings for data that other programs publish.
     *
     * @param infers whether the first sample of an undefined topic defines it
     * @param ringBytes memory of each socket for data that the recorder has not taken yet
     * @param topics the configured topics
     */
    public record PublishSettings(boolean infers, int ringBytes, List<TopicDefinition> topics) {
        public PublishSettings {
            topics = List.copyOf(topics);
        }
    }
}
