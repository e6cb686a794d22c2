package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.config.PageSettings;
import org.mavlogd.foxglove.FoxgloveServer;

/** Tests who may open the WebSocket for Foxglove, and for which logs. */
class FoxgloveSecuritySystemTest {
    @TempDir
    private Path directory = Path.of(".");

    @SuppressWarnings("NullAway.Init")
    private PageFixture page;

    @BeforeEach
    void start() throws IOException {
        page = new PageFixture(directory, FoxgloveSecuritySystemTest::withOrigin);
        page.add("a.ulg", FoxgloveSystemTest.log().bytes());
    }

    @AfterEach
    void stop() {
        page.close();
    }

    private static PageSettings withOrigin(PageSettings from) {
        return new PageSettings(
                from.listen(),
                from.token(),
                from.hosts(),
                from.control(),
                from.tls(),
                from.tiles(),
                from.logDirectory(),
                from.recorder(),
                List.of("https://viewer.example"));
    }

    @Test
    void noMoreThanSomeClientsComeAndGo() {
        List<FoxgloveClient> clients = new ArrayList<>();
        for (int i = 0; i < FoxgloveServer.MAX_CLIENTS; i++) {
            clients.add(new FoxgloveClient(page.port(), "?log=a.ulg"));
        }
        assertThatThrownBy(() -> new FoxgloveClient(page.port(), "?log=a.ulg")).isInstanceOf(CompletionException.class);
        assertThat(status("?log=a.ulg")).isEqualTo(503);
        clients.forEach(FoxgloveClient::close);
        clients.get(0).await(() -> status("?log=a.ulg") == 101);
    }

    @ParameterizedTest
    @CsvSource({
        "?log=none.ulg, 404",
        "?log=..%2Fa.ulg, 404",
        "?log=a.ulg&speed=0, 400",
        "?log=a.ulg&speed=101, 400",
        "?log=a.ulg&speed=x, 400",
        "?log=a.ulg&log=a.ulg, 400",
        "?log=a.ulg&speed=0.5, 101"
    })
    void wrongWishesAreRefused(String query, int status) {
        assertThat(status(query)).isEqualTo(status);
    }

    /** The connection can be used after a refused request. */
    @Test
    void afterARefusalTheConnectionGoesOn() throws IOException {
        String refused = "GET /foxglove?log=none.ulg HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                + "Sec-WebSocket-Protocol: " + FoxgloveServer.PROTOCOL + "\r\n\r\n";
        String next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        assertThat(page.raw(refused + next)).startsWith("HTTP/1.1 404").endsWith("ok\n");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:9651, 101",
        "http://127.0.0.1, 101",
        "https://[::1]:1, 101",
        "https://viewer.example, 101",
        "https://VIEWER.example, 101",
        "http://viewer.example, 403",
        "https://viewer.example.evil.example, 403",
        "https://evil.example, 403",
        "https://app.foxglove.dev, 403",
        "null, 403",
        "file://, 403",
        "localhost, 403"
    })
    void webPagesOfOthersMustBeListed(String origin, int status) throws IOException {
        assertThat(page.raw(
                        "GET /foxglove?log=a.ulg HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                                + "Sec-WebSocket-Protocol: " + FoxgloveServer.PROTOCOL + "\r\nOrigin: " + origin
                                + "\r\n\r\n",
                        "\r\n"))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void thereMustBeAWebSocketOfTheSubProtocol() {
        assertThat(page.get("/foxglove").statusCode()).isEqualTo(400);
        assertThat(page.get("/healthz").statusCode()).isEqualTo(200);
        WebSocket.Builder other =
                HttpClient.newHttpClient().newWebSocketBuilder().subprotocols("other");
        URI address = URI.create("ws://127.0.0.1:" + page.port() + "/foxglove?log=a.ulg");
        assertThatThrownBy(() ->
                        other.buildAsync(address, new WebSocket.Listener() {}).join())
                .isInstanceOf(CompletionException.class);
    }

    @Test
    void whoMustLogInMayDoSoByHeaderOrAddress() throws IOException {
        try (PageFixture locked = new PageFixture(directory.resolve("locked"), PageFixture::withToken)) {
            locked.add("a.ulg", FoxgloveSystemTest.log().bytes());
            assertThat(status(locked, "?log=a.ulg")).isEqualTo(401);
            assertThat(status(locked, "?log=a.ulg", "Authorization", "Bearer " + PageFixture.TOKEN))
                    .isEqualTo(101);
            assertThat(status(locked, "?log=a.ulg&token=" + PageFixture.TOKEN)).isEqualTo(101);
            for (int i = 0; i < 5; i++) {
                assertThat(status(locked, "?log=a.ulg&token=wrong-wrong-wrong")).isEqualTo(401);
            }
            assertThat(status(locked, "?log=a.ulg&token=" + PageFixture.TOKEN)).isEqualTo(429);
        }
    }

    private int status(String query) {
        return status(page, query);
    }

    /** The status of the answer to a WebSocket request; the connection is not used any more. */
    private static int status(PageFixture page, String query, String... headers) {
        StringBuilder more = new StringBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            more.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        try {
            String head = page.raw(
                    "GET /foxglove" + query + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" + more
                            + "Sec-WebSocket-Protocol: " + FoxgloveServer.PROTOCOL + "\r\n\r\n",
                    "\r\n");
            return Integer.parseInt(head.substring(9, 12));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
