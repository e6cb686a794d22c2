package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.control.StatusServer;
import org.mavlogd.fetch.CardFetch;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.local.iio.IioSource;
import org.mavlogd.local.journal.JournalSource;
import org.mavlogd.local.nmea.NmeaSource;
import org.mavlogd.local.publish.TopicDefinition;
import org.mavlogd.local.syslog.SyslogSource;
import org.mavlogd.local.system.SystemSettings;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.vehicle.ConversationSettings;

class SettingsTest {
    private static final TextsSettings DEFAULT_TEXTS = new TextsSettings(
            new TextOutlet.Settings(TagMap.DEFAULT, new TextLimiter.Limits(20, 200)),
            Optional.of(LogLevel.INFO),
            Optional.empty(),
            new LocalSettings.LinkedSource<>(
                    List.of(), new SyslogSource.Settings(Map.of(), OptionalInt.of(0), LogLevel.INFO)));
    private static final long MEBI = 1 << 20;

    @TempDir
    private Path directory;

    private ConfigText config;

    @BeforeEach
    void prepare() {
        config = new ConfigText(directory);
    }

    @Test
    void absentKeysHaveTheirDefaults() throws ConfigException {
        Settings settings = config.load(ConfigText.LINK);

        assertThat(settings.logDirectory()).isEqualTo(Path.of("/var/lib/mavlogd/logs"));
        assertThat(settings.store())
                .isEqualTo(new StoreSettings(
                        64 << 10,
                        StoreSettings.Durability.ofMs(500),
                        new StoreSettings.RotationPolicy(1024 * MEBI, 0)));
        assertThat(settings.space()).isEqualTo(new SpaceLimits(1024 * MEBI, 0, 0, 32 * MEBI));
        assertThat(settings.blocks()).isEqualTo(RecordSettings.BlockFiles.BOTH);
        assertThat(settings.standalone())
                .isEqualTo(new RecordSettings.Standalone(false, TimeUnit.SECONDS.toNanos(10), ZoneId.systemDefault()));
        assertThat(settings.merge())
                .isEqualTo(new RecordSettings.Merge(4096 << 10, "companion_", RecordSettings.Merge.NewTopics.NEW_FILE))
                .isEqualTo(RecordSettings.Merge.DEFAULT);
        assertThat(settings.vehicles())
                .isEqualTo(new ConversationSettings(
                        0,
                        191,
                        ConversationSettings.Mode.ALWAYS,
                        TimeUnit.SECONDS.toNanos(10),
                        TimeUnit.SECONDS.toNanos(5),
                        new ConversationSettings.Timesync(true, false)));
        assertThat(settings.signing())
                .isEqualTo(new Signing.Settings(
                        Optional.empty(), Signing.Policy.SIGNED_ONLY, Path.of("/var/lib/mavlogd/signing.state")));
        assertThat(settings.ringBytes()).isEqualTo(16 << 20);
        assertThat(settings.fetch())
                .isEqualTo(new CardFetch.Settings(false, TimeUnit.SECONDS.toNanos(20), 4096 * MEBI));
        assertThat(settings.http())
                .isEqualTo(new StatusServer.Settings(
                        Optional.of(InetSocketAddress.createUnresolved("127.0.0.1", 9650)), StatusServer.Tokens.NONE));
        assertThat(settings.links()).containsExactly(new LinkSettings.UdpListen("a", "127.0.0.1", 14550, true));
        assertThat(settings.local())
                .isEqualTo(new LocalSettings(
                        Optional.of(new SystemSettings(
                                Path.of("/"), Path.of("/var/lib/mavlogd/logs"), TimeUnit.SECONDS.toNanos(1), Set.of())),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        new LocalSettings.LinkedSource<>(
                                List.of(new LinkSettings.UnixDatagram(
                                        "publish.unix", "/run/mavlogd/publish.sock", 0660, "")),
                                new LocalSettings.PublishSettings(true, 1 << 20, List.of())),
                        DEFAULT_TEXTS,
                        new HeardSettings(
                                List.of("HEARTBEAT", "RADIO_STATUS"),
                                List.of(),
                                10,
                                List.of(),
                                HeardSettings.StatusTextMode.AUTO,
                                HeardSettings.SenderChoice.VEHICLES)));
    }

    @Test
    void readsLocalSources() throws ConfigException {
        Settings settings = config.load(ConfigText.LINK + """
                [system]
                interval_ms = 100
                exclude = ["gpu", "wifi"]
                [iio]
                enabled = true
                interval_ms = 5
                include = ["mpu*", "bmp280"]
                exclude = ["mpu6050"]
                [gpsd]
                enabled = true
                connect = "[::1]:2948"
                [[nmea]]
                name = "wind"
                type = "serial"
                device = "/dev/ttyUSB0"
                require_checksum = true
                [[nmea]]
                name = "ais"
                type = "udp"
                listen = "0.0.0.0:10110"
                [[nmea]]
                name = "gateway"
                type = "tcp"
                connect = "10.0.0.1:10110"
                [[nmea]]
                name = "server"
                type = "tcp"
                listen = "0.0.0.0:10110"
                [publish]
                socket = "/tmp/p.sock"
                mode = "666"
                group = "boat"
                udp = "localhost:9651"
                infer = false
                ring_mib = 4
                [[topic]]
                name = "winch"
                fields = ["float load kg", "  uint32_t  turns", "char[8] a_name", "float[2] w rad / s"]
                [messages]
                include = ["attitude", "GPS_*"]
                exclude = ["GPS_STATUS"]
                max_hz = 0
                limits = [{ message = "GPS_R?W*", max_hz = 2 }, { message = "*", max_hz = 50 }]
                statustext = "never"
                senders = "link"
                """);

        assertThat(settings.local())
                .isEqualTo(new LocalSettings(
                        Optional.of(new SystemSettings(
                                Path.of("/"),
                                Path.of("/var/lib/mavlogd/logs"),
                                TimeUnit.MILLISECONDS.toNanos(100),
                                Set.of("gpu", "wifi"))),
                        Optional.of(new IioSource.Settings(
                                Path.of("/"),
                                TimeUnit.MILLISECONDS.toNanos(5),
                                List.of("mpu*", "bmp280"),
                                List.of("mpu6050"))),
                        Optional.of(new LinkSettings.TcpConnect("gpsd", "::1", 2948)),
                        List.of(
                                new LocalSettings.LinkedSource<>(
                                        List.of(new LinkSettings.SerialPort("wind", "/dev/ttyUSB0", 4800, false)),
                                        new NmeaSource.Settings("wind", 0, true)),
                                new LocalSettings.LinkedSource<>(
                                        List.of(new LinkSettings.UdpListen("ais", "0.0.0.0", 10110, true)),
                                        new NmeaSource.Settings("ais", 1, false)),
                                new LocalSettings.LinkedSource<>(
                                        List.of(new LinkSettings.TcpConnect("gateway", "10.0.0.1", 10110)),
                                        new NmeaSource.Settings("gateway", 2, false)),
                                new LocalSettings.LinkedSource<>(
                                        List.of(new LinkSettings.TcpListen("server", "0.0.0.0", 10110)),
                                        new NmeaSource.Settings("server", 3, false))),
                        new LocalSettings.LinkedSource<>(
                                List.of(
                                        new LinkSettings.UnixDatagram("publish.unix", "/tmp/p.sock", 0666, "boat"),
                                        new LinkSettings.UdpListen("publish.udp", "localhost", 9651, true)),
                                new LocalSettings.PublishSettings(
                                        false,
                                        4 << 20,
                                        List.of(new TopicDefinition.Builder("winch")
                                                .field("float", "load")
                                                .field("uint32_t", "turns")
                                                .field("char[8]", "a_name")
                                                .field("float[2]", "w")
                                                .unit("load", "kg")
                                                .unit("w", "rad / s")
                                                .build()))),
                        DEFAULT_TEXTS,
                        new HeardSettings(
                                List.of("ATTITUDE", "GPS_*"),
                                List.of("GPS_STATUS"),
                                0,
                                List.of(new HeardSettings.Limit("GPS_R?W*", 2), new HeardSettings.Limit("*", 50)),
                                HeardSettings.StatusTextMode.NEVER,
                                HeardSettings.SenderChoice.LINK)));
    }

    @Test
    void warnIsWarning() throws ConfigException {
        Settings settings = config.load(ConfigText.LINK + """
                [events]
                level = "warn"
                """);

        assertThat(settings.local().texts().events()).contains(LogLevel.WARNING);
    }

    @Test
    void readsTexts() throws ConfigException {
        Settings settings = config.load(ConfigText.LINK + """
                [tags]
                ids = { winch = 100, ulg = 12 }
                max_per_s = 1
                burst = 2
                [events]
                level = "warning"
                [journal]
                enabled = true
                units = { "mediamtx.service" = "camera_handler", "kernel" = "winch" }
                other_tag = "ulg"
                level = "error"
                state_file = "place"
                [syslog]
                listen = "[::1]:5514"
                socket = "/run/mavlogd/syslog.sock"
                mode = "666"
                group = "video"
                tags = { "camerad" = "camera_handler", local0 = "winch" }
                other_tag = ""
                level = "debug"
                """);

        TagMap tags = TagMap.of(Map.of("winch", 100, "ulg", 12));
        assertThat(settings.local().texts())
                .isEqualTo(new TextsSettings(
                        new TextOutlet.Settings(tags, new TextLimiter.Limits(1, 2)),
                        Optional.of(LogLevel.WARNING),
                        Optional.of(new JournalSource.Settings(
                                List.of("journalctl"),
                                Map.of("mediamtx.service", 3, "kernel", 100),
                                OptionalInt.of(12),
                                LogLevel.ERROR,
                                Path.of("place"))),
                        new LocalSettings.LinkedSource<>(
                                List.of(
                                        new LinkSettings.UdpListen("syslog.udp", "::1", 5514, true),
                                        new LinkSettings.UnixDatagram(
                                                "syslog.unix", "/run/mavlogd/syslog.sock", 0666, "video")),
                                new SyslogSource.Settings(
                                        Map.of("camerad", 3, "local0", 100), OptionalInt.empty(), LogLevel.DEBUG))));
    }

    @Test
    void switchesSourcesOff() throws ConfigException {
        LocalSettings local = config.load(ConfigText.LINK + """
                [system]
                enabled = false
                [publish]
                enabled = false
                udp = "127.0.0.1:9651"
                [events]
                enabled = false
                """).local();

        assertThat(local.system()).isEmpty();
        assertThat(local.publish().links()).isEmpty();
        assertThat(local.texts().events()).isEmpty();
    }

    @Test
    void takesTablesInEveryFormOfToml() throws ConfigException {
        TagMap tags = TagMap.of(Map.of("winch", 100));

        for (String text : List.of("[tags.ids]\nwinch = 100", "[tags]\nids.winch = 100", "tags.ids.winch = 100")) {
            assertThat(config.load(text.startsWith("[") ? ConfigText.LINK + text : text + "\n" + ConfigText.LINK)
                            .local()
                            .texts()
                            .tags()
                            .tags())
                    .as(text)
                    .isEqualTo(tags);
        }
    }

    @Test
    void emptySectionsHaveTheSameDefaults() throws ConfigException {
        Settings settings = config.load("[log]\n[vehicle]\n[mavlink]\n[recorder]\n[http]\n" + ConfigText.LINK);

        assertThat(settings).isEqualTo(config.load(ConfigText.LINK));
    }

    @ParameterizedTest
    @MethodSource("changedKeys")
    void takesWhatTheFileSays(String section, String line, Function<Settings, Object> value, Object expected)
            throws ConfigException {
        Settings settings = config.load(section + "\n" + line + "\n" + ConfigText.LINK);

        assertThat(value.apply(settings)).isEqualTo(expected);
    }

    static Stream<Arguments> changedKeys() {
        return Stream.of(
                changed("[log]", "directory = \"demo-logs\"", Settings::logDirectory, Path.of("demo-logs")),
                changed("[log]", "mode = \"armed\"", s -> s.vehicles().mode(), ConversationSettings.Mode.ARMED),
                changed("[log]", "lead_out_s = 0", s -> s.vehicles().leadOutNs(), 0L),
                changed("[log]", "lead_out_s = 3600", s -> s.vehicles().leadOutNs(), 3_600_000_000_000L),
                changed(
                        "[log]",
                        "ardupilot_files = [\"ulg\", \"bin\"]",
                        Settings::blocks,
                        RecordSettings.BlockFiles.BOTH),
                changed(
                        "[log]",
                        "ardupilot_files = [\"bin\"]",
                        Settings::blocks,
                        new RecordSettings.BlockFiles(true, false, false)),
                changed(
                        "[log]",
                        "ardupilot_files = [\"ulg\"]",
                        Settings::blocks,
                        new RecordSettings.BlockFiles(false, true, false)),
                changed("[log]", "standalone = true", s -> s.standalone().enabled(), true),
                changed(
                        "[log]",
                        "standalone_after_s = 3600",
                        s -> s.standalone().afterNs(),
                        3_600_000_000_000L),
                changed("[log]", "keep_free_mib = 0", s -> s.space().keepFreeBytes(), 0L),
                changed("[log]", "max_total_mib = 1073741824", s -> s.space().maxTotalBytes(), 1L << 50),
                changed("[log]", "max_files = 1000000", s -> s.space().maxFiles(), 1_000_000),
                changed("[log]", "reserve_mib = 1", s -> s.space().reserveBytes(), MEBI),
                changed("[vehicle]", "system_id = 255", s -> s.vehicles().systemId(), 255),
                changed("[vehicle]", "silence_timeout_s = 1", s -> s.vehicles().silenceNs(), 1_000_000_000L),
                changed(
                        "[vehicle]",
                        "silence_timeout_s = 600",
                        s -> s.vehicles().silenceNs(),
                        600_000_000_000L),
                changed("[mavlink]", "component_id = 1", s -> s.vehicles().ownComponentId(), 1),
                changed("[mavlink]", "component_id = 255", s -> s.vehicles().ownComponentId(), 255),
                changed(
                        "[mavlink]",
                        "timesync = false",
                        s -> s.vehicles().timesync().asks(),
                        false),
                changed(
                        "[mavlink]",
                        "answer_timesync = true",
                        s -> s.vehicles().timesync().answers(),
                        true),
                changed("[recorder]", "ring_mib = 1", Settings::ringBytes, 1 << 20),
                changed("[recorder]", "ring_mib = 256", Settings::ringBytes, 256 << 20),
                changed("[recorder]", "write_batch_kib = 4", s -> s.store().batchBytes(), 4 << 10),
                changed("[log]", "rotate_mib = 0", s -> s.store().rotation().maxBytes(), 0L),
                changed(
                        "[log]",
                        "rotate_mib = 1048576",
                        s -> s.store().rotation().maxBytes(),
                        1L << 40),
                changed("[log]", "rotate_min = 10080", s -> s.store().rotation().maxAgeNs(), 604_800_000_000_000L),
                changed(
                        "[recorder]",
                        "force_interval_ms = 50",
                        s -> s.store().durability(),
                        StoreSettings.Durability.ofMs(50)),
                changed("[local]", "max_kib_per_s = 1048576", s -> s.merge().bytesPerSecond(), 1L << 30),
                changed(
                        "[local]",
                        "new_topics = \"next_file\"",
                        s -> s.merge().newTopics(),
                        RecordSettings.Merge.NewTopics.NEXT_FILE),
                changed("[fetch]", "after_disarm = true", s -> s.fetch().afterDisarm(), true),
                changed("[fetch]", "delay_s = 600", s -> s.fetch().delayNs(), 600_000_000_000L),
                changed("[fetch]", "max_total_mib = 16777216", s -> s.fetch().maxTotalBytes(), 1L << 44),
                changed("[http]", "listen = \"\"", s -> s.http().listen(), Optional.empty()),
                changed(
                        "[http]",
                        "listen = \"[::1]:0\"",
                        s -> s.http().listen(),
                        Optional.of(InetSocketAddress.createUnresolved("::1", 0))));
    }

    private static Arguments changed(String section, String line, Function<Settings, Object> value, Object expected) {
        return arguments(section, line, value, expected);
    }

    @ParameterizedTest
    @MethodSource("linkForms")
    void readsEachFormOfLink(String lines, LinkSettings expected) throws ConfigException {
        Settings settings = config.load("[[link]]\nname = \"fc\"\n" + lines);

        assertThat(settings.links()).containsExactly(expected);
    }

    static Stream<Arguments> linkForms() {
        return Stream.of(
                arguments(
                        "type = \"udp\"\nlisten = \"0.0.0.0:14550\"",
                        new LinkSettings.UdpListen("fc", "0.0.0.0", 14550, true)),
                arguments(
                        "type = \"udp\"\nlisten = \"[::]:14550\"\nrecvmmsg = false",
                        new LinkSettings.UdpListen("fc", "::", 14550, false)),
                arguments(
                        "type = \"udp\"\nconnect = \"drone.local:14551\"",
                        new LinkSettings.UdpConnect("fc", "drone.local", 14551, true)),
                arguments(
                        "type = \"udp\"\nbroadcast = \"192.168.1.255:14550\"\ninterface = \"wlan0\"",
                        new LinkSettings.UdpBroadcast("fc", "192.168.1.255", 14550, true, "wlan0")),
                arguments(
                        "type = \"udp\"\nmulticast = \"239.255.145.50:14550\"\ninterface = \"eth0.5\"",
                        new LinkSettings.UdpMulticast("fc", "239.255.145.50", 14550, "eth0.5")),
                arguments(
                        "type = \"tcp\"\nlisten = \"0.0.0.0:5760\"\ninterface = \"wlan0\"",
                        new LinkSettings.TcpListen("fc", "0.0.0.0", 5760, "wlan0")),
                arguments(
                        "type = \"tcp\"\nlisten = \"127.0.0.1:5790\"",
                        new LinkSettings.TcpListen("fc", "127.0.0.1", 5790)),
                arguments(
                        "type = \"tcp\"\nconnect = \"127.0.0.1:5760\"",
                        new LinkSettings.TcpConnect("fc", "127.0.0.1", 5760)),
                arguments(
                        "type = \"serial\"\ndevice = \"/dev/ttyTHS1\"",
                        new LinkSettings.SerialPort("fc", "/dev/ttyTHS1", 921_600, false)),
                arguments(
                        "type = \"serial\"\ndevice = \"/dev/ttyACM0\"\nbaud = 57600\nflow_control = true",
                        new LinkSettings.SerialPort("fc", "/dev/ttyACM0", 57_600, true)));
    }

    @Test
    void readsSeveralLinksInTheirOrder() throws ConfigException {
        Settings settings = config.load(ConfigText.LINK
                + "[[link]]\nname = \"b\"\ntype = \"tcp\"\nconnect = \"127.0.0.1:14550\"\n"
                + "[[link]]\nname = \"c\"\ntype = \"serial\"\ndevice = \"/dev/ttyS0\"\n");

        assertThat(settings.links()).extracting(LinkSettings::name).containsExactly("a", "b", "c");
    }

    @Test
    void readsEveryTomlFormOfSections() throws ConfigException {
        Settings settings = config.load("""
                log.mode = "armed"
                vehicle = { system_id = 7 }
                link = [{ name = 'x', type = 'tcp', connect = 'host:1' }]
                """);

        assertThat(settings.vehicles().mode()).isEqualTo(ConversationSettings.Mode.ARMED);
        assertThat(settings.vehicles().systemId()).isEqualTo(7);
        assertThat(settings.links()).containsExactly(new LinkSettings.TcpConnect("x", "host", 1));
    }

    @Test
    void takesWindowsLineEndsAndByteOrderMark() throws ConfigException {
        String text = "\uFEFF[log]\nmode = \"armed\"\n" + ConfigText.LINK;

        Settings settings = config.load(text.replace("\n", "\r\n"));

        assertThat(settings.vehicles().mode()).isEqualTo(ConversationSettings.Mode.ARMED);
    }
}
