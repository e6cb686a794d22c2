package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
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

    static Stream<Arguments> mistakes() {
        String nmea = "[[nmea]]\nname = \"x\"\n";
        return Stream.of(
                Arguments.of(
                        "[system]\nexclude = [\"gpus\"]", "system.exclude: \"gpus\" does not fit; allowed: an array"),
                Arguments.of("[system]\nexclude = \"gpu\"", "expected an array, found the string \"gpu\""),
                Arguments.of("[system]\ninterval_ms = 99", "99 is out of range"),
                Arguments.of("[iio]\ninterval_ms = 4", "4 is out of range"),
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
                        Stream.iterate(1, i -> i + 1)
                                .limit(17)
                                .map(i -> "[[nmea]]\nname = \"n" + i + "\"\ntype = \"udp\"\nlisten = \"a:" + i + "\"\n")
                                .reduce("", String::concat),
                        "17 are too many"));
    }
}
