package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.cli.ExitCode;

/** The configuration's own reader accepts each translation. */
class ConfigImportTest {
    private static final String EVERYTHING = """
            ; a comment
            [General]
            TcpServerPort=5790
            ReportStats = true
            MavlinkDialect = auto
            DebugLogLevel = debug
            DeDuplicationPeriod = 50
            SnifferSysid = 254
            Log = /some/p"a\\th
            LOGMODE = While-Armed
            LogSystemId = 7
            MinFreeSpace = 1048577
            MaxLogFiles = 12
            LogTelemetry = 1
            [UartEndpoint alpha]
            Device = /dev/ttyS0
            Baud = 52000, 57600
            FlowControl = true
            Group = radio links!
            AllowMsgIdIn = 0, 1
            BlockMsgIdIn = 2
            AllowSrcSysIn = 3
            BlockSrcSysIn = 4
            AllowSrcCompIn = 5
            BlockSrcCompIn = 6
            AllowMsgIdOut = 016, 0,,
            BlockMsgIdOut = 8
            AllowSrcSysOut = 9
            BlockSrcSysOut = 10
            AllowSrcCompOut = 11
            BlockSrcCompOut = 12
            [UdpEndpoint alpha]
            Mode = Server
            Address = 0.0.0.0
            Port = 14550
            Filter = 30,31
            [UdpEndpoint free]
            Mode = Normal
            Address = [::1]
            [UdpEndpoint next]
            Mode = Normal
            Address = [::1]
            [UdpEndpoint other]
            Mode = Normal
            Address = 10.0.0.7
            [TcpEndpoint delta]
            Address = 127.0.0.1
            Port = 25760
            RetryTimeout = 0
            Group = radio links?
            [UartEndpoint alpha]
            Device = /dev/ttyS1
            """;

    private final Shell shell = new Shell("config");

    @TempDir
    private Path directory = Path.of(".");

    private int run(String text) throws IOException {
        return shell.run(
                "import",
                Files.writeString(directory.resolve("router.conf"), text).toString());
    }

    /** The translation as our own reader understands it. */
    private String asRead(String text) throws IOException {
        assertThat(run(text)).as(shell.err()).isZero();
        Path toml = Files.writeString(directory.resolve("ours.toml"), shell.out());
        Shell reader = new Shell("config");
        assertThat(reader.run("show", "--config", toml.toString()))
                .as(reader.err() + shell.out())
                .isZero();
        return reader.out().replaceAll(" +# .*", "");
    }

    @Test
    void everyOptionIsTranslatedOrNoted() throws IOException {
        String read = asRead(EVERYTHING);

        assertThat(read)
                .contains("directory = \"/some/p\\u0022a\\u005cth\"", "mode = \"armed\"", "keep_free_mib = 2")
                .contains("max_files = 12", "system_id = 7")
                .contains("""
                        [[link]]
                        name = "tcp-server"
                        type = "tcp"
                        listen = "0.0.0.0:5790"
                        forward = true
                        """)
                .contains("""
                        name = "alpha"
                        type = "serial"
                        device = "/dev/ttyS1"
                        baud = 52000
                        flow_control = true
                        forward = true
                        group = "radio_links_"
                        accept_messages = [0, 1]
                        refuse_messages = [2]
                        accept_systems = [3]
                        refuse_systems = [4]
                        accept_components = [5]
                        refuse_components = [6]
                        send_messages = [16, 0]
                        withhold_messages = [8]
                        send_systems = [9]
                        withhold_systems = [10]
                        send_components = [11]
                        withhold_components = [12]
                        """)
                .contains("""
                        name = "alpha-2"
                        type = "udp"
                        listen = "0.0.0.0:14550"
                        forward = true
                        send_messages = [30, 31]
                        """)
                .contains("name = \"free\"\ntype = \"udp\"\nconnect = \"[::1]:14551\"\n")
                .contains("name = \"next\"\ntype = \"udp\"\nconnect = \"[::1]:14550\"\n")
                .contains("name = \"other\"\ntype = \"udp\"\nconnect = \"10.0.0.7:14550\"\n")
                .containsPattern("\\[tlog]\nenabled = true\n")
                .contains("""
                        name = "delta"
                        type = "tcp"
                        connect = "127.0.0.1:25760"
                        forward = true
                        group = "radio_links_-2"
                        """);
        for (String noted : new String[] {
            "MavlinkDialect",
            "DeDuplicationPeriod",
            "SnifferSysid",
            "ReportStats",
            "DebugLogLevel",
            "Baud",
            "RetryTimeout"
        }) {
            assertThat(shell.err()).containsPattern("router\\.conf:[0-9]+: " + noted + ": ");
            assertThat(shell.out()).containsPattern("(?m)^# .*router\\.conf:[0-9]+: " + noted + ": ");
        }
        assertThat(shell.err()).doesNotContain("not known");
    }

    @Test
    void defaultsOfTheirsHold() throws IOException {
        assertThat(asRead("")).contains("listen = \"0.0.0.0:5760\"");
        assertThat(asRead("[UartEndpoint a]\nDevice=/dev/ttyS0\n[General]\nTcpServerPort=0\n"))
                .contains("baud = 115200")
                .doesNotContain("tcp-server");
    }

    /** Lists may be as long as mavlink-router's own. */
    @Test
    void longListsAreTaken() throws IOException {
        String ids = IntStream.rangeClosed(0, 255).mapToObj(String::valueOf).collect(Collectors.joining(", "));

        assertThat(asRead(
                        "[UartEndpoint a]\nDevice=/dev/ttyS0\nAllowMsgIdIn=" + ids + "\nBlockSrcSysOut=" + ids + '\n'))
                .contains("accept_messages = [" + ids + "]", "withhold_systems = [" + ids + "]");
        assertThat(run("[UartEndpoint a]\nDevice=/dev/ttyS0\nAllowMsgIdIn=" + ids + ",256\n"))
                .isEqualTo(ExitCode.CONFIG);
        assertThat(shell.err()).contains("router.conf:3: AllowMsgIdIn: \"257 numbers\" is not allowed: at most 256");
    }

    @Test
    void broadcastAddressesAreBroadcast() throws IOException {
        assertThat(asRead("[UdpEndpoint b]\nMode=Normal\nAddress=192.168.1.255\nPort=14550\n"))
                .contains("broadcast = \"192.168.1.255:14550\"");
        assertThat(asRead("[UdpEndpoint b]\nMode=Normal\nAddress=255.255.255.255\n"))
                .contains("broadcast = \"255.255.255.255:14550\"");
        assertThat(shell.err()).doesNotContain("not translated");
    }

    @Test
    void whatMavlogdHasNotIsNotedAndLeftOut() throws IOException {
        String read =
                asRead("[UdpEndpoint b]\nMode=Normal\nAddress=239.255.145.50\nPort=14550\nNovelty=1\n[Odd x]\na=b\n");

        assertThat(read).doesNotContain("239.255.145.50");
        assertThat(shell.err())
                .contains("router.conf:3: Address: a multicast group needs a network interface")
                .contains("router.conf:5: Novelty is not known")
                .contains("router.conf:6: the section [odd] is not known");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Device=/dev/ttyS0 | 1: "Device=/dev/ttyS0" is in no section; allowed: a line such as [General] before it
            [General | 1: "[General" is not a section; allowed: [Kind] or [Kind name]
            [General]~Log | 2: "Log" is not a setting; allowed: key = value
            [General]~TcpServerPort=70000 | 2: TcpServerPort: "70000" is not allowed: a whole number from 0 to 65535
            [General]~LogMode=never | 2: LogMode: "never" is not allowed: always, while-armed
            [General]~ReportStats=yes | 2: ReportStats: "yes" is not allowed: true, false, 1 or 0
            [UartEndpoint a]~Baud=1 | 1: Device is missing in [uartendpoint a]
            [UartEndpoint a]~Device=tty | 2: Device: "tty" is not allowed: an absolute path
            [UartEndpoint a]~Device=/d~AllowSrcSysIn=1,256 | 3: AllowSrcSysIn: "256" is not allowed: a whole number from 0 to 255
            [UartEndpoint a]~Device=/d~AllowMsgIdIn=1,0x10 | 3: AllowMsgIdIn: "0x10" is not allowed: a whole number from 0 to 16777215
            [UdpEndpoint a]~Mode=Server~Address=::1~Port=1 | 3: Address: "::1" is not allowed: an IP address, IPv6 in brackets
            [UdpEndpoint a]~Mode=Server~Address=1.2.3.4 | 1: Port is missing in [udpendpoint a]
            [TcpEndpoint a]~Port=1 | 1: Address is missing in [tcpendpoint a]
            """)
    void mistakesAreToldWithTheirPlace(String text, String problem) throws IOException {
        assertThat(run(text.replace('~', '\n'))).isEqualTo(ExitCode.CONFIG);

        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).contains("router.conf:" + problem);
    }

    /** Any file is translated to a configuration that our reader accepts, or refused with a reason. */
    @Test
    void damagedFilesAreRefusedOrGiveAGoodConfiguration() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int translated = 0;
        for (int i = 0; i < 60; i++) {
            StringBuilder text = new StringBuilder(EVERYTHING);
            for (int n = random.nextInt(4); n >= 0; n--) {
                text.setCharAt(
                        random.nextInt(text.length()), (char) (random.nextInt(12) == 0 ? 7 : 32 + random.nextInt(96)));
            }
            Shell each = new Shell("config");
            Path in = Files.writeString(directory.resolve("damaged.conf"), text);
            int code = each.run("import", in.toString());
            assertThat(code).as("seed " + seed + ": " + text).isIn(ExitCode.OK, ExitCode.CONFIG);
            if (code == ExitCode.OK) {
                translated++;
                Path toml = Files.writeString(directory.resolve("damaged.toml"), each.out());
                Shell reader = new Shell("config");
                assertThat(reader.run("show", "--config", toml.toString()))
                        .as("seed " + seed + ": " + reader.err() + each.out())
                        .isZero();
            } else {
                assertThat(each.err()).as("seed " + seed).contains("damaged.conf:");
            }
        }
        assertThat(translated).as("seed " + seed).isPositive();
    }

    @Test
    void filesThatCannotBeRead() throws IOException {
        assertThat(shell.run("import", directory.resolve("none").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(run("#".repeat(300 * 1024))).isEqualTo(ExitCode.FAILED);
        assertThat(shell.err()).contains("larger than 256 KiB");
        assertThat(shell.run("import")).isEqualTo(ExitCode.USAGE);
    }
}
