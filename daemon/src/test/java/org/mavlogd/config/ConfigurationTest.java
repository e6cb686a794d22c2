package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several files and the environment make one configuration. */
class ConfigurationTest {
    @TempDir
    private Path directory = Path.of(".");

    private Path main(String text) throws IOException {
        return Files.writeString(directory.resolve("mavlogd.toml"), text);
    }

    private void more(String name, String text) throws IOException {
        Files.createDirectories(directory.resolve("conf.d"));
        Files.writeString(directory.resolve("conf.d").resolve(name), text);
    }

    private Settings load(Path file, String... environment) throws ConfigException {
        Map<String, String> variables = new TreeMap<>(Map.of("PATH", "/bin", "MAVLOGD_SOCKET", "/run/x"));
        for (int i = 0; i < environment.length; i += 2) {
            variables.put(environment[i], environment[i + 1]);
        }
        return Settings.load(file, variables);
    }

    @Test
    void laterFilesTakePrecedenceKeyByKeyAndAddLinks() throws IOException, ConfigException {
        Path file = main(ConfigText.LINK + "[log]\ndirectory = \"/a\"\nstandalone = true\n");
        more("20-b.toml", "[log]\ndirectory = \"/c\"\n");
        more(
                "10-a.toml",
                "[log]\ndirectory = \"/b\"\nstandalone = false\n[[link]]\nname = \"two\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14601\"\n");
        more(".hidden.toml", "nonsense");
        more("30-c.toml.dpkg-old", "nonsense");

        Settings settings = load(file);

        assertThat(settings.logDirectory()).isEqualTo(Path.of("/c"));
        assertThat(settings.links()).hasSize(2);
        assertThat(EffectiveConfig.lines(file))
                .anyMatch(line -> line.matches("directory = \"/c\" +# .*conf.d/20-b.toml:2:1"))
                .anyMatch(line -> line.matches("standalone = false +# .*conf.d/10-a.toml:3:1"))
                .anyMatch(line -> line.matches("mode = \"always\" +# default"));
    }

    @Test
    void whatItShowsIsAConfigurationThatSaysTheSame() throws IOException, ConfigException {
        Path file = main(ConfigText.LINK + "[log]\ndirectory = \"/a \\\"b\\\" \\\\ c\"\n");
        List<String> lines = EffectiveConfig.lines(file);

        Path copy = Files.write(Files.createDirectory(directory.resolve("copy")).resolve("mavlogd.toml"), lines);

        assertThat(load(copy).logDirectory()).isEqualTo(Path.of("/a \"b\" \\ c"));
        assertThat(EffectiveConfig.lines(copy).stream().map(ConfigurationTest::withoutOrigin))
                .isEqualTo(lines.stream().map(ConfigurationTest::withoutOrigin).toList());
    }

    private static String withoutOrigin(String line) {
        return line.replaceAll(" +# (default|/).*", "");
    }

    @Test
    void variablesTakePrecedenceOverFiles() throws IOException, ConfigException {
        Path file = main(ConfigText.LINK + "[log]\ndirectory = \"/a\"\n");

        Settings settings = load(
                file,
                "MAVLOGD_LOG_DIRECTORY",
                "/data # 1",
                "MAVLOGD_LOG_STANDALONE",
                "true",
                "MAVLOGD_HTTP_LISTEN",
                "127.0.0.1:9700");

        assertThat(settings.logDirectory()).isEqualTo(Path.of("/data # 1"));
        assertThat(settings.standalone().enabled()).isTrue();
    }

    @Test
    void everyMistakeIsToldWithItsFileAndLine() throws IOException {
        Path file = main(ConfigText.LINK + "[log]\nmode = \"never\"\n");
        more("10-a.toml", "\n[log]\nrotate_mib = \"x\"\n");
        more("20-b.toml", "[lgo]\nmode = 1\n");
        more("30-c.toml", "[log\n");

        assertThatThrownBy(() -> load(
                        file,
                        "MAVLOGD_LGO_MODE",
                        "1",
                        "MAVLOGD_LOG_MODES",
                        "always",
                        "MAVLOGD_LINK_NAME",
                        "x",
                        "MAVLOGD_LOG_LEAD_OUT_S",
                        "soon",
                        "MAVLOGD_LOG_",
                        "1"))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .satisfiesExactly(
                                        line -> assertThat(line).contains("mavlogd.toml:", ": log.mode: \"never\""),
                                        line -> assertThat(line).contains("conf.d/10-a.toml:3:1: log.rotate_mib"),
                                        line -> assertThat(line).contains("conf.d/20-b.toml:1:1: lgo: unknown section"),
                                        line -> assertThat(line).contains("conf.d/30-c.toml:1:"),
                                        line -> assertThat(line).startsWith("MAVLOGD_LGO_MODE: names no section"),
                                        line -> assertThat(line)
                                                .startsWith("MAVLOGD_LINK_NAME: [[link]]: cannot be set"),
                                        line -> assertThat(line).startsWith("MAVLOGD_LOG_: names no key"),
                                        line -> assertThat(line).startsWith("MAVLOGD_LOG_LEAD_OUT_S: log.lead_out_s: "),
                                        line -> assertThat(line)
                                                .startsWith("MAVLOGD_LOG_MODES: log.modes: unknown key")));
    }

    @Test
    void tooManyFilesAreRefused() throws IOException {
        Path file = main(ConfigText.LINK);
        for (int i = 0; i < 65; i++) {
            more(i + ".toml", "");
        }

        assertThatThrownBy(() -> load(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds 65 files; at most 64");
    }
}
