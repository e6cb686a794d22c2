package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.TextLimits;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.local.heard.SenderChoice;
import org.mavlogd.local.heard.StatusTextMode;
import org.mavlogd.local.journal.JournalSettings;
import org.mavlogd.local.publish.TopicDefinition;
import org.mavlogd.local.syslog.SyslogSettings;
import org.mavlogd.signing.SigningPolicy;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

class SettingsTest {
    private static final TextsSettings DEFAULT_TEXTS = new TextsSettings(
            new TagsSection(TagMap.DEFAULT, new TextLimits(20, 200)),
            new EventsSection(true, LogLevel.INFO),
            new JournalSection(
                    false,
                    new JournalSettings(
                            List.of("journalctl"),
                            Map.of(),
                            OptionalInt.empty(),
                            LogLevel.INFO,
                            Path.of("/var/lib/mavlogd/journal.cursor"))),
            new SyslogSection(
                    Optional.empty(),
                    Optional.empty(),
                    0660,
                    "",
                    new SyslogSettings(Map.of(), OptionalInt.of(0), LogLevel.INFO)));

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

        assertThat(settings.log())
                .isEqualTo(new LogSettings(
                        Path.of("/var/lib/mavlogd/logs"),
                        LogSettings.Mode.ALWAYS,
                        10,
                        1024,
                        0,
                        ArduPilotFiles.BOTH,
                        new LogSettings.Standalone(false, 10),
                        new RetentionSettings(1024, 0, 0, 32)));
        assertThat(settings.merge())
                .isEqualTo(new MergeSection(4096, "companion_", MergeSection.NewTopics.NEW_FILE))
                .isEqualTo(MergeSection.DEFAULT);
        assertThat(settings.vehicle()).isEqualTo(new VehicleSettings(0, 5));
        assertThat(settings.mavlink()).isEqualTo(new MavlinkSettings(191, true, false));
        assertThat(settings.signing())
                .isEqualTo(new SigningSettings(
                        Optional.empty(), SigningPolicy.SIGNED_ONLY, Path.of("/var/lib/mavlogd/signing.state")));
        assertThat(settings.recorder()).isEqualTo(new RecorderSettings(16, 64, 500));
        assertThat(settings.http())
                .isEqualTo(new HttpSettings(Optional.of(new HostPort("127.0.0.1", 9650)), Optional.empty()));
        assertThat(settings.links()).containsExactly(new LinkSettings.UdpListen("a", "127.0.0.1", 14550, true));
        assertThat(settings.local())
                .isEqualTo(new LocalSettings(
                        new SystemSection(true, 1000, List.of()),
                        new IioSection(false, 100, List.of("*"), List.of()),
                        new GpsdSection(false, new HostPort("127.0.0.1", 2947)),
                        List.of(),
                        new PublishSection(
                                true,
                                Optional.of("/run/mavlogd/publish.sock"),
                                0660,
                                "",
                                Optional.empty(),
                                true,
                                1,
                                List.of()),
                        DEFAULT_TEXTS,
                        new HeardSettings(
                                List.of("HEARTBEAT", "RADIO_STATUS"),
                                List.of(),
                                10,
                                List.of(),
                                StatusTextMode.AUTO,
                                SenderChoice.VEHICLES)));
    }

    @Test
    void readsLocalSources() throws ConfigException {
        Settings settings = config.load(ConfigText.LINK + """
                [system]
                enabled = false
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
                        new SystemSection(false, 100, List.of("gpu", "wifi")),
                        new IioSection(true, 5, List.of("mpu*", "bmp280"), List.of("mpu6050")),
                        new GpsdSection(true, new HostPort("::1", 2948)),
                        List.of(
                                new NmeaSection(new LinkSettings.SerialPort("wind", "/dev/ttyUSB0", 4800, false), true),
                                new NmeaSection(new LinkSettings.UdpListen("ais", "0.0.0.0", 10110, true), false),
                                new NmeaSection(new LinkSettings.TcpConnect("gateway", "10.0.0.1", 10110), false),
                                new NmeaSection(new LinkSettings.TcpListen("server", "0.0.0.0", 10110), false)),
                        new PublishSection(
                                true,
                                Optional.of("/tmp/p.sock"),
                                0666,
                                "boat",
                                Optional.of(new HostPort("localhost", 9651)),
                                false,
                                4,
                                List.of(new TopicDefinition.Builder("winch")
                                        .field("float", "load")
                                        .field("uint32_t", "turns")
                                        .field("char[8]", "a_name")
                                        .field("float[2]", "w")
                                        .unit("load", "kg")
                                        .unit("w", "rad / s")
                                        .build())),
                        DEFAULT_TEXTS,
                        new HeardSettings(
                                List.of("ATTITUDE", "GPS_*"),
                                List.of("GPS_STATUS"),
                                0,
                                List.of(new HeardSettings.Limit("GPS_R?W*", 2), new HeardSettings.Limit("*", 50)),
                                StatusTextMode.NEVER,
                                SenderChoice.LINK)));
    }

    @Test
    void readsTexts() throws ConfigException {
        Settings settings = config.load(ConfigText.LINK + """
                [tags]
                ids = { winch = 100, ulg = 12 }
                max_per_s = 1
                burst = 2
                [events]
                enabled = false
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
                        new TagsSection(tags, new TextLimits(1, 2)),
                        new EventsSection(false, LogLevel.WARNING),
                        new JournalSection(
                                true,
                                new JournalSettings(
                                        List.of("journalctl"),
                                        Map.of("mediamtx.service", 3, "kernel", 100),
                                        OptionalInt.of(12),
                                        LogLevel.ERROR,
                                        Path.of("place"))),
                        new SyslogSection(
                                Optional.of(new HostPort("::1", 5514)),
                                Optional.of("/run/mavlogd/syslog.sock"),
                                0666,
                                "video",
                                new SyslogSettings(
                                        Map.of("camerad", 3, "local0", 100), OptionalInt.empty(), LogLevel.DEBUG))));
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
                changed("[log]", "directory = \"demo-logs\"", s -> s.log().directory(), Path.of("demo-logs")),
                changed("[log]", "mode = \"armed\"", s -> s.log().mode(), LogSettings.Mode.ARMED),
                changed("[log]", "lead_out_s = 0", s -> s.log().leadOutS(), 0),
                changed("[log]", "lead_out_s = 3600", s -> s.log().leadOutS(), 3600),
                changed(
                        "[log]",
                        "ardupilot_files = [\"ulg\", \"bin\"]",
                        s -> s.log().arduPilot(),
                        ArduPilotFiles.BOTH),
                changed(
                        "[log]",
                        "ardupilot_files = [\"bin\"]",
                        s -> s.log().arduPilot(),
                        new ArduPilotFiles(true, false)),
                changed(
                        "[log]",
                        "ardupilot_files = [\"ulg\"]",
                        s -> s.log().arduPilot(),
                        new ArduPilotFiles(false, true)),
                changed("[log]", "keep_free_mib = 0", s -> s.log().retention().keepFreeMib(), 0),
                changed(
                        "[log]",
                        "max_total_mib = 1073741824",
                        s -> s.log().retention().maxTotalMib(),
                        1 << 30),
                changed("[log]", "max_files = 1000000", s -> s.log().retention().maxFiles(), 1_000_000),
                changed("[log]", "reserve_mib = 1", s -> s.log().retention().reserveMib(), 1),
                changed("[vehicle]", "system_id = 255", s -> s.vehicle().systemId(), 255),
                changed("[vehicle]", "silence_timeout_s = 1", s -> s.vehicle().silenceTimeoutS(), 1),
                changed("[vehicle]", "silence_timeout_s = 600", s -> s.vehicle().silenceTimeoutS(), 600),
                changed("[mavlink]", "component_id = 1", s -> s.mavlink().componentId(), 1),
                changed("[mavlink]", "component_id = 255", s -> s.mavlink().componentId(), 255),
                changed("[recorder]", "ring_mib = 1", s -> s.recorder().ringMib(), 1),
                changed("[recorder]", "ring_mib = 256", s -> s.recorder().ringMib(), 256),
                changed("[recorder]", "write_batch_kib = 4", s -> s.recorder().writeBatchKib(), 4),
                changed("[log]", "rotate_mib = 0", s -> s.log().rotateMib(), 0),
                changed("[log]", "rotate_min = 10080", s -> s.log().rotateMin(), 10_080),
                changed(
                        "[recorder]",
                        "force_interval_ms = 50",
                        s -> s.recorder().forceIntervalMs(),
                        50),
                changed("[http]", "listen = \"\"", s -> s.http().listen(), Optional.empty()),
                changed("[http]", "listen = \"[::1]:0\"", s -> s.http().listen(), Optional.of(new HostPort("::1", 0))));
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

        assertThat(settings.log().mode()).isEqualTo(LogSettings.Mode.ARMED);
        assertThat(settings.vehicle().systemId()).isEqualTo(7);
        assertThat(settings.links()).containsExactly(new LinkSettings.TcpConnect("x", "host", 1));
    }

    @Test
    void takesWindowsLineEndsAndByteOrderMark() throws ConfigException {
        String text = "\uFEFF[log]\nmode = \"armed\"\n" + ConfigText.LINK;

        Settings settings = config.load(text.replace("\n", "\r\n"));

        assertThat(settings.log().mode()).isEqualTo(LogSettings.Mode.ARMED);
    }
}
