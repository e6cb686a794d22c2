package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sections {@code [upload]} and {@code [[target]]}. */
class UploadSettingsTest {
    private static final String S3 = "[[target]]\nname = \"a\"\ntype = \"s3\"\nbucket = \"logs\"\n";
    private static final String PUT = "[[target]]\nname = \"b\"\ntype = \"put\"\nurl = \"https://x.example/logs/\"\n";

    @TempDir
    private Path directory;

    private UploadSettings load(String text) throws IOException, ConfigException {
        return UploadSettings.load(Files.writeString(directory.resolve("c.toml"), text));
    }

    private String problem(String text) {
        ConfigException problem = catchThrowableOfType(ConfigException.class, () -> load(text));
        return String.join("\n", Objects.requireNonNull(problem).problems());
    }

    @Test
    void readsTargetsAndNetworks() throws IOException, ConfigException {
        UploadSettings settings = load(
                "[upload]\nmax_kb_s = 500\norder = \"oldest\"\ninterfaces = [\"wlan*\"]\nnetworks = [\"192.168.0.0/16\", \"fd00::/8\"]\n"
                        + S3 + PUT);

        assertThat(settings.maxBytesPerS()).isEqualTo(500_000);
        assertThat(settings.order()).isEqualTo(UploadSettings.Order.OLDEST);
        assertThat(settings.targets()).extracting(UploadTarget::name).containsExactly("a", "b");
        assertThat(settings.targets().get(1).url()).hasToString("https://x.example/logs");
        assertThat(settings.network().interfaces().get(0).matcher("wlan0").matches())
                .isTrue();
        assertThat(settings.network().interfaces().get(0).matcher("eth0").matches())
                .isFalse();
        UploadSettings.Prefix four = settings.network().networks().get(0);
        assertThat(four.contains(InetAddress.getByName("192.168.255.1").getAddress()))
                .isTrue();
        assertThat(four.contains(InetAddress.getByName("192.169.0.1").getAddress()))
                .isFalse();
        assertThat(four.contains(InetAddress.getByName("fd00::1").getAddress())).isFalse();
        assertThat(settings.network()
                        .networks()
                        .get(1)
                        .contains(InetAddress.getByName("fdff::1").getAddress()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "key = \"{vehicle}/x\"| lacks {name}",
                "key = \"../{name}\"| does not fit",
                "key = \"/{name}\"| does not fit",
                "key = \"{name}/{nam}\"| there is no \"{nam}\"",
                "url = \"http://x.example\"| is not encrypted",
                "url = \"ftp://x.example\"| is not the address of a server",
                "url = \"https://user:word@x.example\"| has a user",
                "url = \"https://user:word@my_server/logs\"| has a user",
                "url = \"https://user:pass@word@x.example\"| has a user",
                "url = \"https://x.example/?token=word\"| has a user",
                "url = \"https://user:^word@x.example\"| is not the address of a server",
                "email = \"a@b\"| is not for type \"s3\"",
                "part_mib = 4| 4 is out of range",
                "files = []| is empty"
            })
    void tellsWhatIsWrongWithATarget(String line, String problem) {
        assertThat(problem(S3 + line + "\n"))
                .contains("target[1]")
                .contains(problem.strip())
                .doesNotContain("word@", "=word");
    }

    @Test
    void tellsWhatIsMissingOrThereTwice() {
        assertThat(problem("[[target]]\nname = \"a\"\ntype = \"s3\"\n")).contains("target[1].bucket: is required");
        assertThat(problem("[[target]]\nname = \"a\"\ntype = \"put\"\n")).contains("target[1].url: is required");
        assertThat(problem("[[target]]\nname = \"a\"\ntype = \"command\"\ncommand = [\"cp\"]\n"))
                .contains("does not begin with an absolute path");
        assertThat(problem(S3 + S3)).contains("target[2].name: is taken by another target");
        assertThat(problem("[upload]\nnetworks = [\"10.0.0.0/33\"]\n" + S3)).contains("at most 32 bits");
        assertThat(problem("[upload]\nnetworks = [\"10.0.0/8\"]\n" + S3)).contains("upload.networks");
    }

    @Test
    void thisComputerMayBeReachedWithoutTls() throws IOException, ConfigException {
        for (String url : new String[] {"http://127.0.0.1:9000", "http://localhost", "http://[::1]:9000"}) {
            assertThat(load(S3 + "url = \"" + url + "\"\n").targets()).hasSize(1);
        }
        assertThat(load(S3 + "url = \"http://10.0.0.1\"\nplain_http = true\n").targets())
                .hasSize(1);
    }
}
