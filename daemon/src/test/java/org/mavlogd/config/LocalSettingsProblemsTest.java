package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LocalSettingsProblemsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("mistakes")
    void tellsWhatIsWrong(String text, String problem) {
        assertThat(new ConfigText(directory).problems(ConfigText.LINK + text))
                .hasSize(1)
                .first()
                .asString()
                .contains(problem);
    }

    @Test
    void tellsAllThatIsWrongWithATopicAtOnce() {
        String text = "[[topic]]\nname = \"a\"\nfields = [\"float x\"]\n[[topic]]\nname = \"a\"\n"
                + "fields = [\"int x\", \"float timestamp\", \"float y " + "u".repeat(33) + "\"]";

        assertThat(new ConfigText(directory).problems(ConfigText.LINK + text))
                .hasSize(4)
                .anyMatch(problem -> problem.contains("topic[2].name: is taken by another topic"))
                .anyMatch(problem -> problem.contains("field \"x\": type \"int\""))
                .anyMatch(problem -> problem.contains("\"timestamp\" is there already"))
                .anyMatch(problem -> problem.contains("of field \"y\", allowed: up to 32 characters"));
    }

    /** Also errors in the types of keys, which could hide errors behind them. */
    @Test
    void aBadNameOrFieldHidesNoOtherMistakeOfItsTopic() {
        String text =
                "[[topic]]\nname = \"a b\"\nfields = [\"x\", 7, \"int y\", \"float z\", \"float z\", \"float[0] v\","
                        + " \"int w " + "u".repeat(33) + "\"]\ncolour = 1\n[[topic]]\nname = \"gpsd_a\"\nfields = []\n";

        assertThat(new ConfigText(directory).problems(ConfigText.LINK + text))
                .hasSize(11)
                .anyMatch(problem -> problem.contains("topic[1].name: \"a b\" is not valid"))
                .anyMatch(problem -> problem.contains("topic[1].fields: \"x\" is not valid"))
                .anyMatch(problem -> problem.contains("expected a string in quotes, found the whole number 7"))
                .anyMatch(problem -> problem.contains("field \"y\": type \"int\""))
                .anyMatch(problem -> problem.contains("field \"z\" is listed twice"))
                .anyMatch(problem -> problem.contains("field \"v\" is an array of no length"))
                .anyMatch(problem -> problem.contains("of field \"w\", allowed: up to 32 characters"))
                .anyMatch(problem -> problem.contains("field \"w\": type \"int\""))
                .anyMatch(problem -> problem.contains("topic[1].colour: unknown key"))
                .anyMatch(problem -> problem.contains("topic[2].name: topic \"gpsd_a\": names that begin with gpsd_"))
                .anyMatch(problem -> problem.contains("topic[2].fields: topic \"unnamed\": it has no field"));
    }

    /** A line that is not TOML is reported with the errors in the topic's other lines, and hides only its own. */
    @Test
    void aBrokenLineHidesNoMistakeOfOtherLines() {
        String text = """
                [[topic]]
                name = "a b"
                fields = [float x]
                [[topic]]
                name = 5
                fields = ["int x"]
                [[topic]]
                name = "c
                fields = ["int y"]
                """;

        assertThat(new ConfigText(directory).problems(ConfigText.LINK + text))
                .anyMatch(problem -> problem.startsWith("c.toml:6:") && problem.contains("\"a b\" is not valid"))
                .anyMatch(problem -> problem.startsWith("c.toml:7:"))
                .anyMatch(problem -> problem.startsWith("c.toml:9:") && problem.contains("found the whole number 5"))
                .anyMatch(problem -> problem.startsWith("c.toml:10:") && problem.contains("type \"int\""))
                .anyMatch(problem -> problem.startsWith("c.toml:12:"))
                .anyMatch(problem -> problem.startsWith("c.toml:13:") && problem.contains("field \"y\""));
    }

    @ParameterizedTest
    @MethodSource("mistakesOfTexts")
    void tellsWhatIsWrongWithTexts(String text, String problem) {
        tellsWhatIsWrong(text, problem);
    }

    static Stream<Arguments> mistakesOfTexts() {
        return Stream.of(
                Arguments.of(
                        "[tags]\nids = { winch = 7 }", "tags.ids: io_service and winch both have 7; allowed: a table"),
                Arguments.of("[tags]\nids = { a = 20, b = 20 }", "tags.ids: a and b both have 20"),
                Arguments.of("[tags]\nids = { winch = 65536 }", "\"winch\": 65536 is out of range"),
                Arguments.of("[tags]\nids = { \"a b\" = 70 }", "\"a b\" is not valid"),
                Arguments.of("[tags]\nids = [1]", "expected a table, found an array"),
                Arguments.of("[tags]\nwinch = 70", "tags.winch: unknown key; allowed: ids, max_per_s, burst"),
                Arguments.of("[tags]\nmax_per_s = 0", "0 is out of range"),
                Arguments.of("[events]\nlevel = \"debug\"", "\"debug\" is not one of the choices"),
                Arguments.of("[journal]\nenabled = true", "journal.enabled: but there are neither units nor other_tag"),
                Arguments.of(
                        "[journal]\nunits = { \"a.service\" = \"camera\" }",
                        "journal.units: \"camera\" is not a tag; allowed: unassigned, mavlink_handler"),
                Arguments.of("[journal]\nunits = { \"camerad\" = \"ulg\" }", "\"camerad\" is not valid"),
                Arguments.of("[journal]\nunits = { \"a.service\" = 3 }", "expected a string in quotes"),
                Arguments.of("[journal]\nother_tag = \"x\"", "journal.other_tag: \"x\" is not a tag"),
                Arguments.of("[syslog]\nlisten = \"0.0.0.0:514\"", "\"0.0.0.0\" is not loopback"),
                Arguments.of("[syslog]\nlisten = \"192.168.1.2:514\"", "is not loopback"),
                Arguments.of("[syslog]\nsocket = \"syslog.sock\"", "is not an absolute path"),
                Arguments.of("[syslog]\nsocket = \"/" + "x".repeat(107) + "\"", "the path has 108 bytes"),
                Arguments.of("[syslog]\nmode = \"0888\"", "\"0888\" is not valid"),
                Arguments.of("[syslog]\nlisten = \"127.0.0.1:0\"", "port 0 is out of range"),
                Arguments.of("[syslog]\ntags = { camerad = \"camera\" }", "syslog.tags: \"camera\" is not a tag"));
    }

    static Stream<Arguments> mistakes() {
        String nmea = "[[nmea]]\nname = \"x\"\n";
        return Stream.of(
                Arguments.of(
                        "[system]\nexclude = [\"gpus\"]", "system.exclude: \"gpus\" is not valid; allowed: an array"),
                Arguments.of("[system]\nexclude = \"gpu\"", "expected an array, found the string \"gpu\""),
                Arguments.of("[system]\ninterval_ms = 99", "99 is out of range"),
                Arguments.of("[iio]\ninterval_ms = 4", "4 is out of range"),
                Arguments.of(
                        "[messages]\ninclude = [\"ATTITDE\"]", "matches no known message (did you mean \"ATTITUDE\"?)"),
                Arguments.of(
                        "[messages]\nexclude = [\"WINCH_?\"]",
                        "messages.exclude: \"WINCH_?\" matches no known message"),
                Arguments.of("[messages]\ninclude = [\"A B\"]", "\"A B\" is not valid"),
                Arguments.of("[messages]\nmax_hz = 1001", "1001 is out of range"),
                Arguments.of(
                        "[messages]\nlimits = [\"ATTITUDE\"]",
                        "expected { message = \"NAME\", max_hz = 5 }, found the string"),
                Arguments.of(
                        "[messages]\nlimits = [{ message = \"ATTITUDE\" }]", "max_hz must be a whole number from 0"),
                Arguments.of("[messages]\nlimits = [{ max_hz = 1 }]", "message must be a name"),
                Arguments.of(
                        "[messages]\nlimits = [{ message = \"ATTITUDE\", max_hz = 1, hz = 2 }]", "unknown key \"hz\""),
                Arguments.of(
                        "[messages]\nlimits = [{ message = \"ATTITDE\", max_hz = 1 }]",
                        "messages.limits: \"ATTITDE\" matches no"),
                Arguments.of("[messages]\nsenders = \"all\"", "\"all\" is not one of the choices"),
                Arguments.of("[messages]\ndefinitions = [\"my.xml\"]", "\"my.xml\" is not an absolute path"),
                Arguments.of(
                        "[messages]\ndefinitions = [\"/nowhere/my.xml\"]",
                        "messages.definitions: /nowhere/my.xml: cannot be read: no such file; allowed: a file of MAVLink"),
                Arguments.of("[iio]\ninclude = [7]", "expected a string in quotes, found the whole number 7"),
                Arguments.of("[gpsd]\nconnect = \"localhost\"", "has no port"),
                Arguments.of(nmea + "type = \"udp\"\nconnect = \"a:1\"\nlisten = \"a:1\"", "does not apply to type"),
                Arguments.of(nmea + "type = \"udp\"", "listen: is required"),
                Arguments.of(nmea + "type = \"tcp\"", "neither listen nor connect"),
                Arguments.of(nmea + "type = \"serial\"", "device: is required"),
                Arguments.of(nmea + "type = \"udp\"\nlisten = \"127.0.0.1:14550\"", "is taken by another link"),
                Arguments.of("[[nmea]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"a:1\"", "is taken by another link"),
                Arguments.of("[[nmea]]\nname = \"gpsd\"\ntype = \"udp\"\nlisten = \"a:1\"", "is taken by another link"),
                Arguments.of(
                        "[publish]\nudp = \"0.0.0.0:9651\"",
                        "publish.udp: \"0.0.0.0\" is not loopback: whoever reaches it could write into the log; allowed: "
                                + "\"127.0.0.1:port\""),
                Arguments.of("[publish]\nudp = \"192.168.1.2:9651\"", "is not loopback"),
                Arguments.of("[publish]\nudp = \"127.0.0.1:0\"", "port 0 is out of range"),
                Arguments.of("[publish]\nsocket = \"publish.sock\"", "is not an absolute path"),
                Arguments.of(
                        "[publish]\nsocket = \"/" + "x".repeat(107) + "\"",
                        "the path has 108 bytes; allowed: an absolute path in quotes of at most 107 bytes"),
                Arguments.of("[publish]\nmode = \"0880\"", "\"0880\" is not valid; allowed: three octal digits"),
                Arguments.of("[publish]\nmode = 660", "expected a string in quotes"),
                Arguments.of("[publish]\ngroup = \"a b\"", "is not valid"),
                Arguments.of("[publish]\nring_mib = 3", "3 is not a power of two"),
                Arguments.of("[[topic]]\nname = \"a\"", "topic[1].fields: is required"),
                Arguments.of("[[topic]]\nfields = [\"float x\"]", "topic[1].name: is required"),
                Arguments.of("[[topic]]\nname = \"a b\"\nfields = [\"float x\"]", "\"a b\" is not valid"),
                Arguments.of(
                        "[[topic]]\nname = \"a\"\nfields = [\"x\"]",
                        "\"x\" is not valid; allowed: an array of up to 256"),
                Arguments.of("[[topic]]\nname = \"a\"\nfields = []", "it has no field but the timestamp"),
                Arguments.of(
                        "[[topic]]\nname = \"a\"\nfields = [\"int x\"]",
                        "topic[1].fields: field \"x\": type \"int\", allowed: int8_t,"),
                Arguments.of("[[topic]]\nname = \"gpsd_a\"\nfields = [\"float x\"]", "are mavlogd's own"),
                Arguments.of(
                        "[[topic]]\nname = \"a\"\nfields = [\"float x\", \"float x\"]", "field \"x\" is listed twice"),
                Arguments.of(
                        "[[topic]]\nname = \"a\"\nfields = [\"float x " + "u".repeat(33) + "\"]",
                        "allowed: up to 32 characters"),
                Arguments.of(
                        "[[topic]]\nname = \"a\"\nfields = [\"float x\"]\n[[topic]]\nname = \"a\"\nfields = [\"float x\"]",
                        "topic[2].name: is taken by another topic"),
                Arguments.of(
                        Stream.iterate(1, i -> i + 1)
                                .limit(17)
                                .map(i -> "[[nmea]]\nname = \"n" + i + "\"\ntype = \"udp\"\nlisten = \"a:" + i + "\"\n")
                                .reduce("", String::concat),
                        "17 are too many"));
    }
}
