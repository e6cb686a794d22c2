package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;

/** Valid configurations that do not work on this computer. */
class ConfigWarningsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private List<String> warnings(String text) throws IOException, ConfigException {
        String log = text.contains("[log]") ? "" : "[log]\ndirectory = \"" + directory.resolve("a/b") + "\"\n";
        Path file = Files.writeString(directory.resolve("mavlogd.toml"), log + text);
        return ConfigWarnings.of(Settings.load(file), file);
    }

    private static String udp(String name, String address) {
        return "[[link]]\nname = \"" + name + "\"\ntype = \"udp\"\nlisten = \"" + address + "\"\n";
    }

    private static String serial(String name, String device, int baud) {
        return "[[link]]\nname = \"" + name + "\"\ntype = \"serial\"\ndevice = \"" + device + "\"\nbaud = " + baud
                + "\n";
    }

    @Test
    void nothingIsSaidOfWhatWorks() throws Exception {
        assertThat(warnings(udp("air", "127.0.0.1:14540") + udp("sea", "127.0.0.2:14540") + "[http]\nlisten = \"\"\n"))
                .isEmpty();
    }

    @Test
    void portsThatTwoSectionsWant() throws Exception {
        assertThat(warnings(udp("air", "127.0.0.1:14540")
                        + udp("sea", "0.0.0.0:14540")
                        + "[[link]]\nname = \"t\"\ntype = \"tcp\"\nlisten = \"127.0.0.1:9650\"\n"))
                .containsExactly(
                        "link \"sea\": UDP port 14540 is used by link \"air\" as well; only one of them gets it",
                        "http.listen: TCP port 9650 is used by link \"t\" as well; only one of them gets it");
        assertThat(warnings(udp("air", "127.0.0.1:14540") + "[page]\nlisten = \"127.0.0.1:9650\"\n"))
                .containsExactly("page.listen: TCP port 9650 is used by http.listen as well; only one of them gets it");
    }

    @Test
    void portsThatAreTheSameUnderOtherNames() throws Exception {
        assertThat(warnings(udp("air", "localhost:14540") + udp("sea", "127.0.0.1:14540")))
                .containsExactly(
                        "link \"sea\": UDP port 14540 is used by link \"air\" as well; only one of them gets it");
        String wlan = "interface = \"wlan0\"\n";
        assertThat(warnings(udp("air", "0.0.0.0:14540") + wlan + udp("sea", "127.0.0.1:14540")))
                .containsExactly(
                        "link \"sea\": UDP port 14540 is used by link \"air\" as well; only one of them gets it");
        assertThat(warnings(
                        udp("air", "0.0.0.0:14540") + wlan + udp("sea", "0.0.0.0:14540") + "interface = \"eth0\"\n"))
                .isEmpty();
        Path alias = Files.createSymbolicLink(directory.resolve("autopilot"), Path.of("/dev/null"));
        assertThat(warnings(serial("fc", "/dev/null", 921600) + serial("aux", alias.toString(), 921600)))
                .containsExactly(
                        "link \"aux\": device " + alias + " is used by link \"fc\" as well; only one of them gets it");
    }

    @Test
    void slowLinksWhereNothingIsRecordedMayBeSlow() throws Exception {
        assertThat(warnings(udp("air", "127.0.0.1:14540")
                        + "forward = true\n"
                        + serial("radio", "/dev/null", 57600)
                        + "record = false\nforward = true\n"))
                .isEmpty();
    }

    @Test
    void devicesThatAreNotThereOrTooSlow() throws Exception {
        assertThat(warnings(serial("fc", "/dev/null", 57600)))
                .singleElement()
                .asString()
                .startsWith("link \"fc\": 57600 baud carry 5.8 KB/s");
        assertThat(warnings(serial("fc", "/dev/no-such-port", 921600)))
                .singleElement()
                .asString()
                .startsWith("link \"fc\": there is no device /dev/no-such-port now");
    }

    @Test
    void directoriesThatCannotBe() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        assertThat(warnings(udp("air", "127.0.0.1:14540") + "[log]\ndirectory = \"" + file + "/logs\"\n"))
                .containsExactly("log.directory: " + file + " is not a directory");
        Path key = Files.write(
                Files.createFile(
                        directory.resolve("key"),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
                "passphrase: a long secret".getBytes(StandardCharsets.UTF_8));
        assertThat(warnings(udp("air", "127.0.0.1:14540") + "[signing]\nkey_file = \"" + key + "\"\nstate_file = \""
                        + file + "/state\"\n"))
                .containsExactly("signing.state_file: " + file + " is not a directory");
        Path closed = Files.createDirectory(
                directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        Assumptions.assumeFalse(Files.isWritable(closed), "root may write everywhere");
        assertThat(warnings(udp("air", "127.0.0.1:14540") + "[log]\ndirectory = \"" + closed + "/logs\"\n"))
                .singleElement()
                .asString()
                .startsWith("log.directory: user ")
                .contains("may not write in " + closed);
    }

    @Test
    void limitsThatContradictEachOther() throws Exception {
        assertThat(warnings(udp("air", "127.0.0.1:14540")
                        + "[log]\ndirectory = \"" + directory + "\"\nmax_total_mib = 500\nkeep_free_mib = 10\n"
                        + "[fetch]\nafter_disarm = true\n"))
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("log.max_total_mib: a file may grow beyond these 500 MiB"),
                        text -> assertThat(text).startsWith("log.keep_free_mib: 10 is below reserve_mib, 32"),
                        text -> assertThat(text).startsWith("fetch.max_total_mib: more than log.max_total_mib"));
    }

    @Test
    void retentionThatWaitsForUploadsToNowhere() throws Exception {
        String log = "[log]\ndirectory = \"" + directory + "\"\nretention = \"only_uploaded\"\n";

        assertThat(warnings(udp("air", "127.0.0.1:14540") + log))
                .singleElement()
                .asString()
                .startsWith("log.retention: \"only_uploaded\" without a [[target]]");
        assertThat(warnings(udp("air", "127.0.0.1:14540") + log
                        + "[[target]]\nname = \"copy\"\ntype = \"command\"\ncommand = [\"/bin/true\", \"{file}\"]\n"))
                .isEmpty();
    }
}
