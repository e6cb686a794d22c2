package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.PageSettings;
import org.mavlogd.tools.Main;

/** The command, its settings, and the page's requests to the recorder. */
class PageCommandSystemTest {
    private static final String LINK = "\n[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:0\"\n";

    @TempDir
    private Path directory;

    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return Main.commandLine().setErr(new PrintWriter(err, true)).execute(words);
    }

    private Path config(String text) throws IOException {
        return Files.writeString(directory.resolve("mavlogd.toml"), text + LINK);
    }

    @Test
    void bothCommandsAreAmongTheOthers() {
        assertThat(Main.commandLine().getSubcommands()).containsKeys("info", "page", "report", "help");
    }

    @Test
    void saysInOneLineWhyItDoesNotStart() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            assertThat(run("page", "--directory", directory.toString(), "--listen", address))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("mavlogd page: " + address).hasLineCount(1);
        }
    }

    @Test
    void reportsAtItsStartThatSubfoldersAreNotRead() throws IOException {
        Path card = Files.createDirectories(directory.resolve("the card's/log"));
        Files.createDirectory(card.resolve("2026-11-21"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            run("page", "--directory", directory.toString(), card.toString(), "--listen", address);
        }

        assertThat(err.toString().lines())
                .hasSize(3)
                .anyMatch(line -> line.endsWith("mavlogd page --directory " + directory + "/*/"))
                .anyMatch(
                        line -> line.startsWith("mavlogd page: " + card + ": no logs here, and subfolders are not read")
                                && line.endsWith("mavlogd page --directory '" + directory + "/the card'\\''s/log'/*/"));
    }

    @Test
    void refusesWhatCannotBeServed() throws IOException {
        assertThat(run("page", "--directory", directory.resolve("none").toString()))
                .isEqualTo(1);
        assertThat(run("page", "--directory", directory.toString(), "--listen", "nowhere"))
                .isEqualTo(2);
        assertThat(run("page", "--directory", directory.toString(), "--listen", "0.0.0.0:0"))
                .isEqualTo(1);
        assertThat(run("page", "--config", config("[page]\ncontrl = true\n").toString()))
                .isEqualTo(78);

        assertThat(err.toString().lines())
                .hasSize(4)
                .allMatch(line -> line.startsWith("mavlogd page: "))
                .anyMatch(line -> line.contains("no such directory"))
                .anyMatch(line -> line.contains("token_file"))
                .anyMatch(line -> line.contains("did you mean \"control\"?"));
    }

    @Test
    void readsItsSectionAndWhereTheRecorderIs() throws IOException, ConfigException {
        Path token = secret("token", PageFixture.TOKEN + "\n");
        PageSettings settings =
                PageSettings.load(config("[log]\ndirectory = \"/logs\"\n[http]\nlisten = \"127.0.0.1:7\"\n"
                        + "[page]\nlisten = \"[::1]:8\"\ncontrol = true\nhosts = [\"boat\"]\ntoken_file = \"" + token
                        + "\"\n"));

        assertThat(settings.listen()).hasToString("[::1]:8");
        assertThat(settings.token()).contains(PageFixture.TOKEN);
        assertThat(settings.control()).isTrue();
        assertThat(settings.hosts()).containsExactly("boat");
        assertThat(settings.logDirectory()).isEqualTo(Path.of("/logs"));
        assertThat(settings.recorder().orElseThrow().port()).isEqualTo(7);
    }

    @Test
    void onlyAPageThatMayChangeThingsReadsTheTokenOfCommands() throws IOException, ConfigException {
        String http = "[http]\nlisten = \"127.0.0.1:7\"\ncommand_token_file = \"" + directory.resolve("absent")
                + "\"\n[page]\ncontrol = ";

        assertThat(PageSettings.load(config(http + "false\n"))
                        .recorder()
                        .orElseThrow()
                        .commandToken())
                .isEmpty();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> PageSettings.load(config(http + "true\n")))
                .withMessageContaining("command_token_file");
    }

    private Path secret(String name, String content) throws IOException {
        Path file = Files.writeString(directory.resolve(name), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void passesTheRecordersStatusOnWithItsToken() throws IOException {
        AtomicReference<String> authorization = new AtomicReference<>("");
        HttpServer recorder = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        recorder.createContext("/status", exchange -> {
            authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] status = "{\"recording\":true}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, status.length);
            exchange.getResponseBody().write(status);
            exchange.close();
        });
        recorder.start();
        Path token = secret("token", "recorders-own-token");
        Path config =
                config("[http]\nlisten = \"127.0.0.1:" + recorder.getAddress().getPort() + "\"\ntoken_file = \"" + token
                        + "\"\n[page]\nlisten = \"127.0.0.1:0\"\n");
        try (PageFixture page = new PageFixture(directory, any -> load(config))) {
            assertThat(PageFixture.text(page.get("/api/v1/status"))).isEqualTo("{\"recording\":true}");
            assertThat(authorization.get()).isEqualTo("Bearer recorders-own-token");
        } finally {
            recorder.stop(0);
        }
        try (PageFixture page = new PageFixture(directory, any -> load(config))) {
            JsonObject status = new JsonObject(PageFixture.text(page.get("/api/v1/status")));
            assertThat(status.getString("recorder")).isEqualTo("not reachable");
            assertThat(status.getString("reason")).isNotBlank();
        }
    }

    private static PageSettings load(Path config) {
        try {
            return PageSettings.load(config);
        } catch (ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void servesHttpsWithACookieForItAlone() throws Exception {
        Path certificate = copy("certificate.pem");
        Path key = copy("key.pem");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Path token = secret("token", PageFixture.TOKEN);
        Path config = config("[page]\nlisten = \"127.0.0.1:0\"\ntls_certificate = \"" + certificate + "\"\ntls_key = \""
                + key + "\"\ntoken_file = \"" + token + "\"\n");
        try (PageFixture page = new PageFixture(directory, any -> load(config))) {
            HttpRequest login = HttpRequest.newBuilder(URI.create("https://localhost:" + page.port() + "/api/v1/login"))
                    .header("X-Mavlogd", "1")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"" + PageFixture.TOKEN + "\"}"))
                    .build();
            HttpResponse<String> response = HttpClient.newBuilder()
                    .sslContext(trusting(certificate))
                    .build()
                    .send(login, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(204);
            assertThat(response.headers().firstValue("Set-Cookie").orElse("")).contains("Secure");
        }
    }

    private Path copy(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(PageCommandSystemTest.class.getResourceAsStream(name))) {
            Files.copy(in, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        return directory.resolve(name);
    }

    private static SSLContext trusting(Path certificate) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                    "page", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
