package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsProblemsTest {
    private static final String ADDRESS = "allowed: \"host:port\" with a port from 1 to 65535, IPv6 in brackets";
    private static final String SECTIONS =
            "allowed: " + Settings.SECTIONS.stream().map(Section::header).collect(Collectors.joining(", "));

    @TempDir
    private Path directory;

    private ConfigText config;

    @BeforeEach
    void prepare() {
        config = new ConfigText(directory);
    }

    @ParameterizedTest
    @MethodSource("sectionMistakes")
    void tellsWhereAndWhatIsWrong(String text, String problem) {
        assertThat(config.problems(text + "\n" + ConfigText.LINK)).containsExactly(problem);
    }

    static Stream<Arguments> sectionMistakes() {
        return Stream.of(
                arguments(
                        "[log]\ndirectory = 5",
                        "c.toml:2:1: log.directory: expected a string in quotes, found the whole number 5; allowed: a path in quotes"),
                arguments(
                        "[log]\ndirectory = \"\"",
                        "c.toml:2:1: log.directory: the path is empty; allowed: a path in quotes"),
                arguments(
                        "[log]\ndirectory = \"a\\u0000b\"",
                        "c.toml:2:1: log.directory: \"a\\u0000b\" cannot be a path; allowed: a path in quotes"),
                arguments(
                        "[log]\n  mode = \"sometimes\"",
                        "c.toml:2:3: log.mode: \"sometimes\" is not one of the choices; allowed: \"always\" or \"armed\""),
                arguments(
                        "[log]\nmode = true",
                        "c.toml:2:1: log.mode: expected a string in quotes, found true; allowed: \"always\" or \"armed\""),
                arguments(
                        "[log]\nlead_out_s = 3601",
                        "c.toml:2:1: log.lead_out_s: 3601 is out of range; allowed: a whole number from 0 to 3600"),
                arguments(
                        "[log]\nardupilot_files = []",
                        "c.toml:2:1: log.ardupilot_files: is empty: no file of the log would be written; allowed: an array of \"bin\", \"ulg\" or both"),
                arguments(
                        "[log]\nardupilot_files = [\"ulg\", \"ulg\"]",
                        "c.toml:2:1: log.ardupilot_files: lists one of them twice; allowed: an array of \"bin\", \"ulg\" or both"),
                arguments(
                        "[log]\nardupilot_files = [\"csv\"]",
                        "c.toml:2:1: log.ardupilot_files: \"csv\" is not one of the choices; allowed: an array of \"bin\", \"ulg\" or both"),
                arguments(
                        "[log]\nardupilot_files = \"ulg\"",
                        "c.toml:2:1: log.ardupilot_files: expected an array, found the string \"ulg\"; allowed: an array of \"bin\", \"ulg\" or both"),
                arguments(
                        "[log]\nreserve_mib = 0",
                        "c.toml:2:1: log.reserve_mib: 0 is out of range; allowed: a whole number from 1 to 1073741824"),
                arguments(
                        "[log]\nmax_files = 1000001",
                        "c.toml:2:1: log.max_files: 1000001 is out of range; allowed: a whole number from 0 to 1000000"),
                arguments(
                        "[log]\nkeep_free_mib = -5",
                        "c.toml:2:1: log.keep_free_mib: -5 is out of range; allowed: a whole number from 0 to 1073741824"),
                arguments(
                        "[log]\nmax_total_mib = \"1 GiB\"",
                        "c.toml:2:1: log.max_total_mib: expected a whole number, found the string \"1 GiB\"; allowed: a whole number from 0 to 1073741824"),
                arguments(
                        "[log]\nlead_out_s = -1",
                        "c.toml:2:1: log.lead_out_s: -1 is out of range; allowed: a whole number from 0 to 3600"),
                arguments(
                        "[log]\nlead_out_s = 1.5",
                        "c.toml:2:1: log.lead_out_s: expected a whole number, found the number 1.5; allowed: a whole number from 0 to 3600"),
                arguments(
                        "[log]\nlead_out_s = \"10\"",
                        "c.toml:2:1: log.lead_out_s: expected a whole number, found the string \"10\"; allowed: a whole number from 0 to 3600"),
                arguments(
                        "[log]\nlead_out_s = 2026-01-01",
                        "c.toml:2:1: log.lead_out_s: expected a whole number, found a date or time; allowed: a whole number from 0 to 3600"),
                arguments(
                        "[vehicle]\n\nsystem_id = 256",
                        "c.toml:3:1: vehicle.system_id: 256 is out of range; allowed: a whole number from 0 to 255"),
                arguments(
                        "[vehicle]\nsystem_id = 4294967297",
                        "c.toml:2:1: vehicle.system_id: 4294967297 is out of range; allowed: a whole number from 0 to 255"),
                arguments(
                        "[vehicle]\nsystem_id = [1, 2]",
                        "c.toml:2:1: vehicle.system_id: expected a whole number, found an array; allowed: a whole number from 0 to 255"),
                arguments(
                        "[vehicle]\nsilence_timeout_s = 0",
                        "c.toml:2:1: vehicle.silence_timeout_s: 0 is out of range; allowed: a whole number from 1 to 600"),
                arguments(
                        "[mavlink]\ncomponent_id = 0",
                        "c.toml:2:1: mavlink.component_id: 0 is out of range; allowed: a whole number from 1 to 255"),
                arguments(
                        "[recorder]\nring_mib = 24",
                        "c.toml:2:1: recorder.ring_mib: 24 is not a power of two; allowed: a power of two from 1 to 256"),
                arguments(
                        "[recorder]\nring_mib = 512",
                        "c.toml:2:1: recorder.ring_mib: 512 is out of range; allowed: a power of two from 1 to 256"),
                arguments(
                        "[recorder]\nwrite_batch_kib = 3",
                        "c.toml:2:1: recorder.write_batch_kib: 3 is out of range; allowed: a whole number from 4 to 1024"),
                arguments(
                        "[log]\nrotate_mib = 1048577",
                        "c.toml:2:1: log.rotate_mib: 1048577 is out of range; allowed: a whole number from 0 to 1048576"),
                arguments(
                        "[log]\nrotate_min = -1",
                        "c.toml:2:1: log.rotate_min: -1 is out of range; allowed: a whole number from 0 to 10080"),
                arguments(
                        "[recorder]\nforce_interval_ms = 10001",
                        "c.toml:2:1: recorder.force_interval_ms: 10001 is out of range; allowed: a whole number from 50 to 10000"),
                arguments(
                        "[http]\nlisten = \"9650\"",
                        "c.toml:2:1: http.listen: \"9650\" has no port; allowed: \"host:port\" with a port from 0 to 65535, IPv6 in brackets, or \"\" for none"),
                arguments(
                        "[http]\nlisten = {}",
                        "c.toml:2:1: http.listen: expected a string in quotes, found a table; allowed: \"host:port\" with a port from 0 to 65535, IPv6 in brackets, or \"\" for none"),
                arguments(
                        "[log]\ndirectry = \"x\"",
                        "c.toml:2:1: log.directry: unknown key (did you mean \"directory\"?); allowed: directory, mode, lead_out_s, rotate_mib, rotate_min, ardupilot_files, standalone, standalone_after_s, keep_free_mib, max_total_mib, max_files, reserve_mib, retention"),
                arguments(
                        "[log]\nmoed = \"armed\"",
                        "c.toml:2:1: log.moed: unknown key (did you mean \"mode\"?); allowed: directory, mode, lead_out_s, rotate_mib, rotate_min, ardupilot_files, standalone, standalone_after_s, keep_free_mib, max_total_mib, max_files, reserve_mib, retention"),
                arguments(
                        "[log]\nbaud = 9600",
                        "c.toml:2:1: log.baud: unknown key (it belongs under [[link]]); allowed: directory, mode, lead_out_s, rotate_mib, rotate_min, ardupilot_files, standalone, standalone_after_s, keep_free_mib, max_total_mib, max_files, reserve_mib, retention"),
                arguments(
                        "[log]\n\"x\\ny\" = 1",
                        "c.toml:2:1: log.x\\u000ay: unknown key; allowed: directory, mode, lead_out_s, rotate_mib, rotate_min, ardupilot_files, standalone, standalone_after_s, keep_free_mib, max_total_mib, max_files, reserve_mib, retention"),
                arguments(
                        "system_id = 1",
                        "c.toml:1:1: system_id: unknown key (it belongs under [vehicle]); " + SECTIONS),
                arguments(
                        "[vehicel]\nsystem_id = 1",
                        "c.toml:1:1: vehicel: unknown section (did you mean \"vehicle\"?); " + SECTIONS),
                arguments(
                        "[record]\nmode = \"armed\"",
                        "c.toml:1:1: record: unknown section (did you mean \"recorder\"?); " + SECTIONS),
                arguments("[weather]", "c.toml:1:1: weather: unknown section; " + SECTIONS),
                arguments("log = 5", "c.toml:1:1: log: expected [log], found the whole number 5; allowed: [log]"),
                arguments(
                        "[[log]]\nmode = \"armed\"",
                        "c.toml:1:1: log: expected [log], found an array; allowed: [log]"));
    }

    @ParameterizedTest
    @MethodSource("linkMistakes")
    void tellsWhatIsWrongWithALink(String text, List<String> problems) {
        assertThat(config.problems(text)).containsExactlyElementsOf(problems);
    }

    static Stream<Arguments> linkMistakes() {
        String first = ConfigText.LINK; // four lines
        String name = "allowed: 1 to 32 letters, digits, \"_\" and \"-\"";
        return Stream.of(
                arguments("", List.of("c.toml:1:1: link: there is no link; allowed: 1 to 32 [[link]]")),
                arguments("link = []", List.of("c.toml:1:1: link: there is no link; allowed: 1 to 32 [[link]]")),
                arguments(
                        "link = 3",
                        List.of("c.toml:1:1: link: expected [[link]], found the whole number 3; allowed: [[link]]")),
                arguments(
                        "link = [3]",
                        List.of("c.toml:1:9: link: expected [[link]], found the whole number 3; allowed: [[link]]")),
                arguments(
                        "[link]\nname = \"a\"\ntype = \"udp\"\nlisten = \"x\"",
                        List.of(
                                "c.toml:1:1: link: expected [[link]], found a table; allowed: [[link]]",
                                "c.toml:4:1: link.listen: \"x\" has no port; " + ADDRESS)),
                arguments(
                        "[[link]]",
                        List.of(
                                "c.toml:1:1: link[1].name: is required; " + name,
                                "c.toml:1:1: link[1].type: is required; allowed: \"udp\" or \"tcp\" or \"serial\"")),
                arguments(
                        "[[link]]\nname = \"two words\"\ntype = \"udp\"\nlisten = \"h:1\"",
                        List.of("c.toml:2:1: link[1].name: \"two words\" is not valid; " + name)),
                arguments(
                        "[[link]]\nname = \"" + "n".repeat(33) + "\"\ntype = \"udp\"\nlisten = \"h:1\"",
                        List.of("c.toml:2:1: link[1].name: \"" + "n".repeat(33) + "\" is not valid; " + name)),
                arguments(
                        "[[link]]\nname = \"a\"\ntype = \"usb\"\nbaud = 5",
                        List.of(
                                "c.toml:3:1: link[1].type: \"usb\" is not one of the choices; allowed: \"udp\" or \"tcp\" or \"serial\"",
                                "c.toml:4:1: link[1].baud: 5 is out of range; allowed: a whole number from 1200 to 4000000")),
                arguments(
                        first + "[[link]]\nname = \"a\"\ntype = \"tcp\"\nconnect = \"h:1\"",
                        List.of(
                                "c.toml:6:1: link[2].name: is the same as in link[1]; allowed: one that no other link has")),
                arguments(
                        first + "[[link]]\nname = \"b\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"",
                        List.of(
                                "c.toml:8:1: link[2].listen: is the same as in link[1]; allowed: one that no other link has")),
                arguments(
                        first + "connect = \"127.0.0.1:1\"",
                        List.of("c.toml:5:1: link[1].connect: listen is set, too; allowed: either listen or connect")),
                arguments(
                        first + "broadcast = \"239.255.145.50:14551\"",
                        List.of(
                                "c.toml:4:1: link[1].listen: broadcast is set, too; allowed: one of listen, connect, broadcast and multicast",
                                "c.toml:5:1: link[1].broadcast: \"239.255.145.50\" is a multicast address; allowed: a broadcast address, as in \"192.168.1.255:14550\"")),
                arguments(
                        first + "[[link]]\nname = \"b\"\ntype = \"udp\"\nbroadcast = \"10.0.0.255:14550\"",
                        List.of(
                                "c.toml:8:1: link[2].broadcast: has the port that link[1] listens on, which would hear it; allowed: a port that no link listens on")),
                arguments(
                        "[[link]]\nname = \"a\"\ntype = \"udp\"\nmulticast = \"239.255.145.50:14550\"",
                        List.of(
                                "c.toml:1:1: link[1].interface: multicast needs it; allowed: the name of a network interface, up to 15 characters, as \"ip link\" shows it, or \"\"")),
                arguments(
                        "[[link]]\nname = \"a\"\ntype = \"tcp\"\nconnect = \"h:1\"\ninterface = \"a b\"",
                        List.of(
                                "c.toml:5:1: link[1].interface: \"a b\" is not valid; allowed: the name of a network interface, up to 15 characters, as \"ip link\" shows it, or \"\"")),
                arguments(
                        "\n[[link]]\nname = \"a\"\ntype = \"tcp\"",
                        List.of(
                                "c.toml:2:1: link[1].listen: neither listen nor connect is set; allowed: either one, as \"host:port\" with a port from 1 to 65535, IPv6 in brackets")),
                arguments(
                        "\n[[link]]\nname = \"a\"\ntype = \"udp\"",
                        List.of(
                                "c.toml:2:1: link[1].listen: there is no address; allowed: one of listen, connect, broadcast and multicast")),
                arguments(
                        "[[link]]\nname = \"a\"\ntype = \"tcp\"\nconnect = \"h:1\"\nrecvmmsg = true\nbaud = 9600",
                        List.of(
                                "c.toml:5:1: link[1].recvmmsg: does not apply to type \"tcp\"; allowed: name, type, listen, connect, interface, and keys of forwarding",
                                "c.toml:6:1: link[1].baud: does not apply to type \"tcp\"; allowed: name, type, listen, connect, interface, and keys of forwarding")),
                arguments(
                        "[[link]]\nname = \"a\"\ntype = \"serial\"\nlisten = \"h:1\"",
                        List.of(
                                "c.toml:1:1: link[1].device: is required; allowed: an absolute path in quotes",
                                "c.toml:4:1: link[1].listen: does not apply to type \"serial\"; allowed: name, type, device, baud, flow_control, and keys of forwarding")),
                arguments(
                        "[[link]]\nname = \"a\"\ntype = \"serial\"\ndevice = \"ttyS0\"\nflow_control = \"no\"",
                        List.of(
                                "c.toml:4:1: link[1].device: \"ttyS0\" is not an absolute path; allowed: an absolute path in quotes",
                                "c.toml:5:1: link[1].flow_control: expected true or false, found the string \"no\"; allowed: true or false")),
                arguments(
                        first + "devise = \"/dev/x\"",
                        List.of(
                                "c.toml:5:1: link[1].devise: unknown key (did you mean \"device\"?); allowed: name, type, listen, connect, broadcast, multicast, interface, recvmmsg, device, baud, flow_control, forward, record, group, sniffer, accept_messages, refuse_messages, accept_systems, refuse_systems, accept_components, refuse_components, send_messages, withhold_messages, send_systems, withhold_systems, send_components, withhold_components")),
                arguments(
                        first + "record = false",
                        List.of(
                                "c.toml:5:1: link[1].record: neither records nor forwards; allowed: record = true or forward = true")),
                arguments(
                        first + "sniffer = true\nrefuse_systems = [3]\ngroup = \"\"",
                        List.of(
                                "c.toml:5:1: link[1].sniffer: has no effect without forward = true; allowed: forward = true, or no sniffer",
                                "c.toml:6:1: link[1].refuse_systems: has no effect without forward = true; allowed: forward = true, or no refuse_systems")),
                arguments(
                        first
                                + "forward = true\nsend_messages = [\"HEARTBEET\"]\naccept_systems = [256]\ngroup = \"a b\"",
                        List.of(
                                "c.toml:6:1: link[1].send_messages: no message is called \"HEARTBEET\"; allowed: an array of up to 256 names of messages in quotes, or numbers from 0 to 16777215",
                                "c.toml:7:1: link[1].accept_systems: 256 is out of range; allowed: an array of up to 256 whole numbers from 0 to 255",
                                "c.toml:8:1: link[1].group: \"a b\" is not valid; allowed: up to 32 letters, digits, \"_\" and \"-\", or \"\"")));
    }

    @ParameterizedTest
    @MethodSource("badAddresses")
    void tellsWhatIsWrongWithAnAddress(String address, String what) {
        String text = "[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"" + address + "\"";

        assertThat(config.problems(text)).containsExactly("c.toml:4:1: link[1].listen: " + what + "; " + ADDRESS);
    }

    static Stream<Arguments> badAddresses() {
        String brackets = "an IPv6 address needs brackets, as in \"[::1]:9650\"";
        return Stream.of(
                arguments("", "\"\" has no port"),
                arguments(":14550", "\":14550\" has no host (0.0.0.0 listens on all addresses)"),
                arguments("h:", "\"h:\": the port is not a number"),
                arguments("h:x", "\"h:x\": the port is not a number"),
                arguments("h:+5", "\"h:+5\": the port is not a number"),
                arguments("h:0", "port 0 is out of range (1 to 65535)"),
                arguments("h:65536", "port 65536 is out of range (1 to 65535)"),
                arguments("::1:14550", "\"::1:14550\": " + brackets),
                arguments("[::g]:1", "\"[::g]:1\": not an IPv6 address between the brackets"),
                arguments("[127.0.0.1]:1", "\"[127.0.0.1]:1\": not an IPv6 address between the brackets"),
                arguments("[]:1", "\"[]:1\": not an IPv6 address between the brackets"),
                arguments("127.0.0.256:1", "\"127.0.0.256\" is neither an address nor a host name"),
                arguments("127.0.1:1", "\"127.0.1\" is neither an address nor a host name"),
                arguments("*:1", "\"*\" is neither an address nor a host name"),
                arguments("-h:1", "\"-h\" is neither an address nor a host name"),
                arguments("a..b:1", "\"a..b\" is neither an address nor a host name"),
                arguments("udp//h:1", "\"udp//h\" is neither an address nor a host name"));
    }

    @ParameterizedTest
    @MethodSource("syntaxMistakes")
    void tellsWhereTheSyntaxIsBroken(String text, String problem) {
        assertThat(config.problems(text)).containsExactly(problem);
    }

    static Stream<Arguments> syntaxMistakes() {
        return Stream.of(
                arguments("[log\nmode = \"armed\"\n", "c.toml:1:5: Unexpected end of line, expected ]"),
                arguments("[log]\nmode =\n", "c.toml:2:7: Unexpected end of line, expected a value"),
                arguments("[log]\nmode = armed\n", "c.toml:2:8: Unexpected 'a', expected a value"),
                arguments(
                        ConfigText.LINK + "name = \"b\"\n", "c.toml:5:1: name previously defined at line 2, column 1"));
    }

    @Test
    void tellsAllProblemsAtOnceInTheOrderOfTheFile() {
        List<String> problems = config.problems("""
                colour = "red"
                [http]
                listen = "localhost"
                [log]
                mode = "never"
                lead_out = 5
                [[link]]
                name = "a"
                type = "udp"
                listen = "0.0.0.0:14550"
                connect = "10.0.0.1:14550"
                [[link]]
                name = "a"
                type = "serial"
                baud = 300
                """);

        assertThat(problems)
                .extracting(problem -> problem.substring(0, problem.indexOf(';')))
                .containsExactly(
                        "c.toml:1:1: colour: unknown key",
                        "c.toml:3:1: http.listen: \"localhost\" has no port",
                        "c.toml:5:1: log.mode: \"never\" is not one of the choices",
                        "c.toml:6:1: log.lead_out: unknown key (did you mean \"lead_out_s\"?)",
                        "c.toml:11:1: link[1].connect: listen is set, too",
                        "c.toml:12:1: link[2].device: is required",
                        "c.toml:13:1: link[2].name: is the same as in link[1]",
                        "c.toml:15:1: link[2].baud: 300 is out of range");
    }

    @Test
    void tellsOtherMistakesBesideBrokenLinesButNotWhatThoseLinesMayHold() {
        List<String> problems =
                config.problems("[http]\nlisten = \n[vehicle]\nsystem_id = 300\n[[link]]\nname = a\ntype = \"udp\"\n");

        assertThat(problems)
                .containsExactly(
                        "c.toml:2:10: Unexpected end of line, expected a value",
                        "c.toml:4:1: vehicle.system_id: 300 is out of range; allowed: a whole number from 0 to 255",
                        "c.toml:6:8: Unexpected 'a', expected a value");
    }

    @Test
    void messageOfTheExceptionIsAllProblems() {
        assertThatThrownBy(() -> config.load("[log]\nmode = 1\nlead_out_s = 2.5\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("c.toml:1:1: link: there is no link")
                .hasMessageContaining("c.toml:2:1: log.mode: ")
                .hasMessageContaining("c.toml:3:1: log.lead_out_s: ");
    }

    @Test
    void tellsWhyAFileCannotBeRead() throws IOException {
        Path missing = directory.resolve("missing.toml");
        assertThatThrownBy(() -> Settings.load(missing))
                .isInstanceOf(ConfigException.class)
                .hasMessage(missing + ": cannot be read: no such file");

        Path folder = Files.createDirectory(directory.resolve("folder.toml"));
        assertThatThrownBy(() -> Settings.load(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(folder + ": cannot be read: ")
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.isUnreadable())
                                .as("may be readable later")
                                .isFalse());

        Path below = missing.resolveSibling("file").resolve("c.toml");
        Files.writeString(missing.resolveSibling("file"), "");
        assertThatThrownBy(() -> Settings.load(below))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.isUnreadable())
                                .as("may be readable later")
                                .isFalse());
    }
}
