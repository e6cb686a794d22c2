package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Any file is read in a short time and gives few lines of problems. */
@Timeout(20)
class SettingsHostileFileTest {
    @TempDir
    private Path directory;

    private ConfigText config;

    @BeforeEach
    void prepare() {
        config = new ConfigText(directory);
    }

    @Test
    void refusesAHugeFile() {
        byte[] huge = "#".repeat(ConfigFile.MAX_BYTES + 1).getBytes(StandardCharsets.UTF_8);

        assertThat(config.problems(huge)).containsExactly("c.toml: is larger than 256 KiB; not a configuration");
    }

    @Test
    void takesAFileOfTheGreatestSize() throws ConfigException {
        String comment = "#".repeat(ConfigFile.MAX_BYTES - ConfigText.LINK.length());

        assertThat(config.load(ConfigText.LINK + comment).links()).hasSize(1);
    }

    @Test
    void refusesAFileWithoutEnd() {
        assertThatThrownBy(() -> Settings.load(Path.of("/dev/zero")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("/dev/zero: is larger than 256 KiB; not a configuration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a=", "[[", "a."})
    void survivesDeepNesting(String piece) {
        String deep = piece.repeat(100_000 / piece.length());

        assertThat(config.problems("a = " + deep))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(400));
        assertThat(config.problems(deep + "a = 1"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(400));
    }

    @Test
    void tellsFiftyOfManyProblemsAndCountsTheRest() {
        StringBuilder text = new StringBuilder(ConfigText.LINK);
        for (int i = 0; i < 5_000; i++) {
            text.append("key_").append(i).append(" = 1\n");
        }

        List<String> problems = config.problems(text.toString());

        assertThat(problems).hasSize(Problems.MAX_TOLD + 1);
        assertThat(problems.get(0)).startsWith("c.toml:5:1: link[1].key_0: unknown key");
        assertThat(problems.get(Problems.MAX_TOLD)).isEqualTo("c.toml: and 4950 more problems");
    }

    @Test
    void refusesMoreLinksThanThirtyTwo() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 33; i++) {
            text.append("[[link]]\nname = \"l").append(i).append("\"\ntype = \"tcp\"\nconnect = \"h:");
            text.append(i + 1).append("\"\n");
        }

        assertThat(config.problems(text.toString()))
                .containsExactly("c.toml:129:1: link: 33 links are too many; allowed: 1 to 32 [[link]]");
    }

    @Test
    void showsLongAndWildTextShortAndOnOneLine() {
        String wild = "\\u0007\\n\\u202e" + "x".repeat(10_000);

        List<String> problems = config.problems("[log]\nmode = \"" + wild + "\"\n" + ConfigText.LINK);

        assertThat(problems)
                .containsExactly("c.toml:2:1: log.mode: \"\\u0007\\u000a\\u202e" + "x".repeat(57)
                        + "...\" is not one of the choices; allowed: \"always\" or \"armed\"");
    }

    @Test
    void tellsWhereTheTextIsNotUtf8() {
        byte[] text = "[log]\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(config.problems(text)).containsExactly("c.toml:2:6: not UTF-8 text");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void survivesRandomBytesAndBrokenConfigurations(long seed) {
        Random random = new Random(seed);
        byte[] noise = new byte[random.nextInt(20_000)];
        random.nextBytes(noise);
        byte[] broken = (ConfigText.LINK + "[log]\nmode = \"armed\"\n[http]\nlisten = \"h:1\"\n")
                .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 6; i++) {
            broken[random.nextInt(broken.length)] = (byte) (' ' + random.nextInt(95));
        }

        assertFewPlainLines(config.problems(noise));
        assertFewPlainLines(config.problems(new String(noise, StandardCharsets.ISO_8859_1)));
        assertFewPlainLines(config.problems(broken));
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    private static void assertFewPlainLines(List<String> problems) {
        assertThat(problems)
                .hasSizeLessThanOrEqualTo(Problems.MAX_TOLD + 1)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("c.toml:")
                        .hasSizeLessThan(600)
                        .doesNotContainPattern("\\p{Cntrl}"));
    }
}
