package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;

/** With a token configured, no page is served without it, and refusals are counted. */
@Timeout(120)
class TokenSystemTest {
    private static final String TOKEN = "0123456789abcdef-._~+/=";

    private final Metrics metrics = new Metrics();
    private final StatusServer server = new StatusServer(
            "127.0.0.1",
            0,
            new StatusServer.Tokens(Optional.of(AccessToken.of(TOKEN)), Optional.empty()),
            List.of(PagesTest.page("/status", () -> Endpoint.Response.text(200, "inside"))),
            metrics,
            MemoryShare.unlimited());
    private InetSocketAddress address = new InetSocketAddress(0);

    @BeforeEach
    void start() {
        server.start();
        await().atMost(Duration.ofSeconds(50)).until(() -> server.address().isPresent());
        address = server.address().orElseThrow();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String get(String path, String headers) throws IOException {
        return send("GET", path, headers);
    }

    private String send(String method, String path, String headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            socket.setSoTimeout(50_000);
            OutputStream out = socket.getOutputStream();
            out.write((method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER  "})
    void answersWhoHasTheToken(String scheme) throws IOException {
        assertThat(get("/status", "Authorization: " + scheme + TOKEN + "\r\n"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("inside");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Authorization: Bearer\r\n",
                "Authorization: Bearer \r\n",
                "Authorization: Bearer 0123456789abcdef-._~+/\r\n",
                "Authorization: Bearer 0123456789abcdef-._~+/==\r\n",
                "Authorization: Basic 0123456789abcdef-._~+/=\r\n",
                "Authorization: 0123456789abcdef-._~+/=\r\n",
                "Authorization: Bearer x\r\nAuthorization: Bearer 0123456789abcdef-._~+/=\r\n"
            })
    void refusesOtherHeaders(String headers) throws IOException {
        for (String path : List.of("/status", "/none", "/status?token=" + TOKEN)) {
            assertThat(get(path, headers))
                    .startsWith("HTTP/1.1 401 Unauthorized")
                    .contains("www-authenticate: Bearer")
                    .doesNotContain("inside")
                    .doesNotContain(TOKEN);
        }
        assertThat(metrics.scrape()).contains("mavlogd_http_refused_requests_total{cause=\"token\"} 3.0");
    }

    @Test
    void countsWhatItRefuses() throws IOException {
        assertThat(get("/status", "Host: twice\r\n")).startsWith("HTTP/1.1 400");

        assertThat(metrics.scrape())
                .contains("mavlogd_http_refused_requests_total{cause=\"request\"} 1.0")
                .contains("mavlogd_http_requests_total 1.0");
    }

    /** Commands have their own token: a reader's token does not allow commands, nor a commander's token reading. */
    @Test
    void commandsNeedTheirOwnTokenAndPost() throws IOException {
        String commands = "fedcba9876543210";
        try (StatusServer both = new StatusServer(
                "127.0.0.1",
                0,
                new StatusServer.Tokens(Optional.of(AccessToken.of(TOKEN)), Optional.of(AccessToken.of(commands))),
                List.of(
                        PagesTest.page("/status", () -> Endpoint.Response.text(200, "inside")),
                        command("/state", Endpoint.Access.COMMAND_STATUS),
                        command("/do", Endpoint.Access.COMMAND)),
                new Metrics(),
                MemoryShare.unlimited())) {
            both.start();
            await().atMost(Duration.ofSeconds(50)).until(() -> both.address().isPresent());
            address = both.address().orElseThrow();
            String reads = "Authorization: Bearer " + TOKEN + "\r\n";
            String acts = "Authorization: Bearer " + commands + "\r\n";

            assertThat(get("/status", reads)).startsWith("HTTP/1.1 200");
            assertThat(get("/status", acts)).startsWith("HTTP/1.1 401");
            assertThat(get("/state", reads)).startsWith("HTTP/1.1 401");
            assertThat(get("/state?a=b%20c&a=d", acts))
                    .startsWith("HTTP/1.1 200")
                    .contains("done b c");
            assertThat(get("/state?a=%zz", acts)).startsWith("HTTP/1.1 200").contains("done null");
            assertThat(send("POST", "/state", acts)).startsWith("HTTP/1.1 405").contains("allow: GET, HEAD");
            assertThat(get("/do", acts)).startsWith("HTTP/1.1 405").contains("allow: POST");
            assertThat(send("POST", "/do?a=1", reads)).startsWith("HTTP/1.1 401");
            assertThat(send("POST", "/do?a=1", "")).startsWith("HTTP/1.1 401");
            assertThat(send("POST", "/do?a=1", acts)).startsWith("HTTP/1.1 200").contains("done 1");
            assertThat(send("POST", "/do?a=1", acts + "Content-Length: 0\r\n")).contains("done 1");
        }
    }

    @Test
    void withoutATokenForCommandsNobodyMayCommand() throws IOException {
        try (StatusServer open = new StatusServer(
                "127.0.0.1",
                0,
                StatusServer.Tokens.NONE,
                List.of(command("/do", Endpoint.Access.COMMAND)),
                new Metrics(),
                MemoryShare.unlimited())) {
            open.start();
            await().atMost(Duration.ofSeconds(50)).until(() -> open.address().isPresent());
            address = open.address().orElseThrow();

            assertThat(send("POST", "/do", "")).startsWith("HTTP/1.1 401");
            assertThat(send("POST", "/do", "Authorization: Bearer \r\n")).startsWith("HTTP/1.1 401");
        }
    }

    private static Endpoint command(String path, Endpoint.Access access) {
        return new Endpoint() {
            @Override
            public String path() {
                return path;
            }

            @Override
            public Access access() {
                return access;
            }

            @Override
            public Response respond() {
                return respond(Request.PLAIN);
            }

            @Override
            public Response respond(Request request) {
                return Response.text(200, "done " + request.parameters().get("a"));
            }
        };
    }
}
