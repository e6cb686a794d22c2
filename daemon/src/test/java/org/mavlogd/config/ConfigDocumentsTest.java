package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.link.LinkSettings;

/** The statements about keys in shipped files and documents match the code. */
class ConfigDocumentsTest {
    private static final Path DEFAULT_CONFIG = Path.of("..", "config", "mavlogd.toml");
    private static final Path DEMO_CONFIG = Path.of("..", "config", "demo.toml");
    private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");

    /** A line that sets a key, commented out or not. */
    private static final Pattern SETTING = Pattern.compile("#?([a-z_]+) = (.+)");

    private static final Pattern HEADER = Pattern.compile("#?(\\[+[a-z]+]+)");

    @TempDir
    private Path directory;

    @Test
    void defaultConfigurationSaysEveryKeyUnderItsSection() throws IOException {
        List<String> documented = settings(DEFAULT_CONFIG);

        for (Section section : Settings.SECTIONS) {
            for (Key<?> key : section.keys()) {
                String name = section.header() + " " + key.name();
                assertThat(documented).as(name).anyMatch(line -> line.startsWith(name + " = "));
            }
        }
    }

    @Test
    void defaultConfigurationSaysTheTrueDefaults() throws IOException {
        Set<String> seen = new HashSet<>();
        for (String line : settings(DEFAULT_CONFIG)) {
            String key = line.substring(0, line.indexOf(" = "));
            // An example further below may have another value.
            if (seen.add(key)) {
                defaultOf(key).ifPresent(value -> assertThat(line).endsWith(" = " + value));
            }
        }
    }

    @Test
    void defaultConfigurationLoadsAsTheDefaults() throws ConfigException {
        Settings settings = Settings.load(DEFAULT_CONFIG);

        Settings bare = new ConfigText(directory)
                .load("[[link]]\nname = \"udp\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14600\"\n");
        assertThat(settings).isEqualTo(bare);
    }

    @Test
    void defaultConfigurationLoadsWithEveryCommentMarkTakenAway() throws IOException, ConfigException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(DEFAULT_CONFIG)) {
            boolean isSetting =
                    SETTING.matcher(line).matches() || HEADER.matcher(line).matches();
            lines.add(isSetting ? line.replaceFirst("^#", "") : line);
        }

        Settings settings = new ConfigText(directory).load(String.join("\n", lines));

        assertThat(settings.links())
                .extracting(LinkSettings::name)
                .containsExactly(
                        "udp", "udp-out", "everybody", "group", "router", "tcp-in", "telem2", "boat-1", "boat-2");
        Settings byDefault = Settings.load(DEFAULT_CONFIG);
        assertThat(settings.logDirectory()).isEqualTo(byDefault.logDirectory());
        assertThat(settings.store()).isEqualTo(byDefault.store());
        assertThat(settings.space()).isEqualTo(byDefault.space());
        assertThat(settings.blocks()).isEqualTo(byDefault.blocks());
        assertThat(settings.standalone()).isEqualTo(byDefault.standalone());
        assertThat(settings.vehicles()).isEqualTo(byDefault.vehicles());
    }

    @Test
    void demoConfigurationListensOnLoopbackAndLogsIntoTheWorkingDirectory() throws ConfigException {
        Settings settings = Settings.load(DEMO_CONFIG);

        assertThat(settings.logDirectory()).isEqualTo(Path.of("demo-logs"));
        assertThat(settings.http().listen()).contains(InetSocketAddress.createUnresolved("127.0.0.1", 9650));
        assertThat(settings.links()).containsExactly(new LinkSettings.UdpListen("demo", "127.0.0.1", 14540, true));
    }

    @Test
    void documentHasTheTableOfEverySection() throws IOException {
        String document = Files.readString(DOCUMENT);

        for (Section section : Settings.SECTIONS) {
            assertThat(document).contains(table(section));
        }
    }

    private static String table(Section section) {
        StringBuilder table = new StringBuilder("## `" + section.header() + "`: " + section.why() + "\n\n");
        table.append("| key | default | allowed | purpose |\n|---|---|---|---|\n");
        for (Key<?> key : section.keys()) {
            String byDefault = key.defaultToml().map(value -> '`' + value + '`').orElse("none");
            table.append("| `" + key.name() + "` | " + byDefault + " | "
                    + key.type().allowed() + " | " + key.why() + " |\n");
        }
        return table.toString();
    }

    /** Each as {@code [section] key = value}. */
    private static List<String> settings(Path file) throws IOException {
        List<String> settings = new ArrayList<>();
        String header = "";
        for (String line : Files.readAllLines(file)) {
            Matcher setting = SETTING.matcher(line);
            if (HEADER.matcher(line).matches()) {
                header = line.replaceFirst("^#", "");
            } else if (setting.matches()) {
                settings.add(header + " " + setting.group(1) + " = " + setting.group(2));
            }
        }
        return settings;
    }

    private static Optional<String> defaultOf(String name) {
        for (Section section : Settings.SECTIONS) {
            for (Key<?> key : section.keys()) {
                if (name.equals(section.header() + " " + key.name())) {
                    return key.defaultToml();
                }
            }
        }
        throw new AssertionError("the file says a key that there is not: " + name);
    }
}
