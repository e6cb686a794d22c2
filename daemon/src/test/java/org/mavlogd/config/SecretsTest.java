package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and tokens: where they are read from, what is refused, and that no message shows them. */
class SecretsTest {
    private static final String SECRET = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path secret(String content, String permissions) throws IOException {
        return secret(content.getBytes(StandardCharsets.ISO_8859_1), permissions);
    }

    private Path secret(byte[] content, String permissions) throws IOException {
        Path file = directory.resolve("secret");
        Files.deleteIfExists(file);
        Files.write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    private List<String> problems(String section) {
        return new ConfigText(directory).problems(section + "\n" + ConfigText.LINK);
    }

    private List<String> keyProblems(Path file) {
        return problems("[signing]\nkey_file = \"" + file + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------"})
    void takesAKeyThatOnlyItsOwnerReads(String permissions) throws Exception {
        Path file = secret(SECRET + "\n", permissions);

        Settings settings = new ConfigText(directory)
                .load("[signing]\nkey_file = \"" + file + "\"\npolicy = \"mixed\"\n" + ConfigText.LINK);

        assertThat(settings.signing().key()).isPresent();
        assertThat(settings.toString()).doesNotContain("0011").doesNotContain("[0, 17");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-rw-rw-", "rwx--x---", "rw--w----"})
    void refusesAKeyThatOthersReach(String permissions) throws IOException {
        Path file = secret(SECRET, permissions);

        assertThat(keyProblems(file))
                .singleElement()
                .asString()
                .startsWith("c.toml:2:1: signing.key_file: secret can be read by others than its owner (mode 0")
                .contains("chmod 600")
                .doesNotContain("0011");
    }

    @Test
    void refusesAKeyOfAnotherUser() throws IOException {
        Path file = secret(SECRET, "rw-------");
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root can give files away");
        Files.setAttribute(file, "unix:uid", 4711);

        assertThat(keyProblems(file)).singleElement().asString().contains("belongs to user 4711, neither to root");
    }

    @Test
    void rootTakesTheFilesOfTheServicesUser() throws Exception {
        Path file = secret(SECRET, "rw-------");
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root can give files away");
        Files.setOwner(
                file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("daemon"));

        assertThat(new SecretFile(Map.of(), "daemon", Optional.empty()).read(file.toString()))
                .hasSize(SECRET.length());
        assertThatThrownBy(() -> new SecretFile(Map.of()).read(file.toString()))
                .hasMessageContaining("neither to root");
    }

    @Test
    void commandsBesideTheServiceDoWithoutItsCredentials() throws Exception {
        Path config = Files.writeString(
                directory.resolve("c.toml"),
                "[signing]\nkey_file = \"credential:key\"\n[http]\ntoken_file = \"credential:token\"\n"
                        + ConfigText.LINK);
        List<String> leftOut = new ArrayList<>();

        Settings settings = Settings.loadBesideService(config, leftOut::add);

        assertThat(settings.signing().key()).isEmpty();
        assertThat(leftOut).containsExactly("credential:key", "credential:token");
        assertThat(EffectiveConfig.lines(config)).anyMatch(line -> line.contains("credential:key"));
        assertThatThrownBy(() -> Settings.load(config)).hasMessageContaining("CREDENTIALS_DIRECTORY is not set");
    }

    @Test
    void refusesWhatIsNoFile() throws IOException {
        assertThat(keyProblems(directory)).singleElement().asString().contains("is not a file");
        assertThat(keyProblems(directory.resolve("none")))
                .singleElement()
                .asString()
                .contains("no such file");
        assertThat(keyProblems(secret("", "rw-------")))
                .singleElement()
                .asString()
                .contains("is empty");
        assertThat(keyProblems(secret("x".repeat(5000), "rw-------")))
                .singleElement()
                .asString()
                .contains("is longer than 4096 bytes");
        assertThat(problems("[signing]\nkey_file = \"relative\""))
                .singleElement()
                .asString()
                .contains("is not an absolute path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a passphrase without its prefix, of some length",
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddee",
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddeefg",
                "passphrase:",
                "passphrase:   \n",
                "passphrase: one\ntwo",
                "0000000000000000000000000000000000000000000000000000000000000000"
            })
    void refusesWhatIsNoKeyWithoutShowingIt(String content) throws IOException {
        assertThat(keyProblems(secret(content, "rw-------")))
                .singleElement()
                .asString()
                .contains("signing.key_file: the ")
                .doesNotContain("aabb")
                .doesNotContain("prefix, of")
                .doesNotContain("two");
    }

    private boolean isUnreadable(String text) throws IOException {
        Path config = Files.writeString(
                directory.resolve("unreadable.toml"),
                text + "\n[[link]]\nname = \"air\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n");
        try {
            Settings.load(config);
            throw new AssertionError("taken");
        } catch (ConfigException e) {
            return e.isUnreadable();
        }
    }

    @Test
    void fileThatCannotBeReadMayBeThereLaterAndOneThatIsWrongStaysWrong() throws IOException {
        String missing = "key_file = \"" + directory.resolve("not-mounted/key") + "\"";
        String wrong = "key_file = \"" + secret("passphrase:", "rw-------") + "\"";

        assertThat(isUnreadable("[signing]\n" + missing)).isTrue();
        assertThat(isUnreadable("[signing]\n" + missing + "\n[http]\n" + missing.replace("key_", "token_")))
                .isTrue();
        assertThat(isUnreadable("[signing]\n" + wrong)).isFalse();
        assertThat(isUnreadable("[signing]\n" + missing + "\n[http]\nlisten = 5"))
                .isFalse();
        assertThat(isUnreadable("[signing]\nkey_file = \"credential:none\"")).isFalse();
    }

    @Test
    void takesEachFormOfAKey() {
        assertThatCode(() -> SigningSection.key(SECRET.getBytes(StandardCharsets.US_ASCII)))
                .doesNotThrowAnyException();
        assertThatCode(() -> SigningSection.key("passphrase: caf\u00e9\r\n".getBytes(StandardCharsets.UTF_8)))
                .doesNotThrowAnyException();
        byte[] raw = new byte[32];
        raw[31] = (byte) 0xFF;
        assertThatCode(() -> SigningSection.key(raw)).doesNotThrowAnyException();
        assertThatThrownBy(() -> SigningSection.key(new byte[32])).hasMessageContaining("all zeros");
    }

    @Test
    void takesACredentialOfSystemd() throws Exception {
        Path file = secret(SECRET, "r--r-----"); // an access list for the service's user shows up as these permissions
        SecretFile secrets = new SecretFile(Map.of("CREDENTIALS_DIRECTORY", directory.toString()));

        assertThat(secrets.read("credential:" + file.getFileName()))
                .isEqualTo(SECRET.getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> new SecretFile(Map.of()).read("credential:key"))
                .hasMessageContaining("CREDENTIALS_DIRECTORY is not set");
        secret(SECRET, "r--r--r--");
        assertThatThrownBy(() -> secrets.read("credential:secret")).hasMessageContaining("can be read by others");
        assertThat(problems("[signing]\nkey_file = \"credential:../secret\""))
                .singleElement()
                .asString()
                .contains("does not name a credential");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:9650", "192.168.1.5:9650", "[::]:9650", "boat.local:9650", "[fe80::1]:9650"})
    void wantsATokenForAnyAddressButLoopback(String listen) throws Exception {
        assertThat(problems("[http]\nlisten = \"" + listen + "\""))
                .containsExactly("c.toml:2:1: http.listen: is not loopback, and there is no token_file; "
                        + "allowed: 127.0.0.1, [::1] or a token_file");
        assertThat(problems("[http]\nlisten = \"" + listen + "\"\ntoken_file = \"\""))
                .singleElement()
                .asString()
                .startsWith("c.toml:3:1: http.token_file: is needed because listen is not loopback");
        Path file = secret("0123456789abcdef", "rw-------");
        Settings settings = new ConfigText(directory)
                .load("[http]\nlisten = \"" + listen + "\"\ntoken_file = \"" + file + "\"\n" + ConfigText.LINK);
        assertThat(settings.http().tokens().pages()).isPresent();
        assertThat(settings.toString()).doesNotContain("0123456789abcdef");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9650", "127.8.8.8:9650", "[::1]:9650", "localhost:9650", ""})
    void wantsNoTokenOnLoopback(String listen) {
        assertThat(problems("[http]\nlisten = \"" + listen + "\"")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "with space 0123456789", "two\nlines0123456789", "umlaut-\u00e9-0123456789"})
    void refusesWhatIsNoToken(String content) throws IOException {
        Path file = secret(content, "rw-------");

        assertThat(problems("[http]\ntoken_file = \"" + file + "\""))
                .singleElement()
                .asString()
                .contains("http.token_file: the file does not hold a token")
                .doesNotContain("0123456789");
    }

    @Test
    void checksATokensPermissionsAsWell() throws IOException {
        Path file = secret("0123456789abcdef", "rw-r--r--");

        assertThat(problems("[http]\ntoken_file = \"" + file + "\""))
                .singleElement()
                .asString()
                .contains("can be read by others");
    }
}
