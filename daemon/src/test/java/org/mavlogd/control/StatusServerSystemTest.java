package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;

@Timeout(120)
class StatusServerSystemTest {
    private static final String END = "Host: localhost\r\nConnection: close\r\n\r\n";
    private static final int TIMEOUT_MS = 50_000;

    private final AtomicInteger served = new AtomicInteger();
    private final List<String> threads = new ArrayList<>();
    private final Metrics metrics = new Metrics();
    private final List<Endpoint> pages = List.of(
            PagesTest.page("/status", () -> {
                served.incrementAndGet();
                threads.add(Thread.currentThread().getName());
                return Endpoint.Response.json(200, "{\"name\":\"caf\u00e9\"}");
            }),
            PagesTest.page("/large", () -> {
                served.incrementAndGet();
                return Endpoint.Response.text(200, "x".repeat(1 << 20));
            }),
            PagesTest.page("/broken", () -> {
                throw new IllegalStateException("on purpose");
            }));

    private StatusServer server =
            new StatusServer("127.0.0.1", 0, StatusServer.Tokens.NONE, pages, metrics, MemoryShare.unlimited());
    private InetSocketAddress address = new InetSocketAddress(0);

    @BeforeEach
    void start() {
        server.start();
        address = awaitAddress(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void servesAPageToAnOrdinaryClient() throws Exception {
        HttpResponse<String> response = get("/status?x=1");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"name\":\"caf\u00e9\"}");
        assertThat(response.headers().firstValue("content-type")).contains("application/json");
        assertThat(response.headers().firstValue("cache-control")).contains("no-store");
        assertThat(threads).containsExactly("control");
    }

    @Test
    void answersHeadWithTheLengthAndWithoutTheBody() throws IOException {
        String answer = exchange("HEAD /status HTTP/1.1\r\n" + END);

        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("content-length: 16\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void answersSeveralRequestsOnOneConnection() throws IOException {
        try (Socket socket = connect()) {
            for (int i = 0; i < 3; i++) {
                send(socket, request("GET /status HTTP/1.1"));
                assertThat(readResponse(socket)).startsWith("HTTP/1.1 200 OK").endsWith("{\"name\":\"caf\u00e9\"}");
            }
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws IOException {
        String answer = exchange(
                request("GET /status HTTP/1.1") + request("GET /none HTTP/1.1") + "GET /broken HTTP/1.1\r\n" + END);

        assertThat(answer).containsSubsequence("HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 500 ");
    }

    @Test
    void makesNoMorePagesThanTheClientReads() throws Exception {
        try (Socket socket = connect()) {
            send(socket, request("GET /large HTTP/1.1").repeat(HttpConnection.MAX_PIPELINED));

            // The kernel's buffers hold some megabytes, never as many as 64.
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(50))
                    .until(served::get, count -> count < 40);
            assertThat(get("/status").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void cutsOffAClientThatSendsTooManyRequestsAtOnce() throws Exception {
        try (Socket socket = connect()) {
            send(socket, request("GET /status HTTP/1.1").repeat(50_000));
            drain(socket); // returns when the server closes the connection
        } catch (java.net.SocketException e) {
            assertThat(e).hasMessageMatching(".*(reset|pipe).*"); // the server closed while the test sent
        }

        assertThat(served.get()).isLessThanOrEqualTo(HttpConnection.MAX_PIPELINED);
        assertThat(metrics.total("http.refused.requests")).isEqualTo(1);
        assertThat(get("/status").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, 405",
        "PUT, 405",
        "DELETE, 405",
        "OPTIONS, 405",
        "TRACE, 405",
        "CONNECT, 405",
        "BREW, 405",
    })
    void refusesOtherMethods(String method, int status) throws IOException {
        String answer = exchange(method + " /status HTTP/1.1\r\n" + END);

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("allow: GET, HEAD\r\n");
        assertThat(served).hasValue(0);
    }

    @Test
    void closesTheConnectionAfterARequestWithABody() throws IOException {
        String answer =
                exchange(request("POST /status HTTP/1.1\r\nContent-Length: 41") + request("GET /status HTTP/1.1"));

        assertThat(answer).startsWith("HTTP/1.1 405 ").contains("connection: close\r\n");
        assertThat(answer.indexOf("HTTP/1.1", 1)).isNegative();
        assertThat(served).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /status HTTP/1.1|Host: evil.example|403",
                "GET /status HTTP/1.1|Host: evil.example:9650|403",
                "GET /status HTTP/1.1|Host: 10.1.2.3|403",
                "GET /status HTTP/1.1|X: no host|400",
                "GET /status HTTP/1.1|Host: localhost\\r\\nHost: localhost|400",
                "GET status HTTP/1.1|Host: localhost|400",
                "GET http://localhost/status HTTP/1.1|Host: localhost|400",
                "GET /status HTTP/2.0|Host: localhost|400",
                "GET /status|Host: localhost|400",
                "nonsense|Host: localhost|400",
                "GET /status HTTP/1.1|Host : localhost|400",
                "GET /status/ HTTP/1.1|Host: localhost|404",
                "GET /../status HTTP/1.1|Host: localhost|404",
                "GET /broken HTTP/1.1|Host: localhost|500",
                "GET /status HTTP/1.0|X: no host|200",
                "GET /status HTTP/1.1|Host: LOCALHOST:1|200",
            })
    void judgesRequests(String line, String header, int status) throws IOException {
        String answer = exchange(line + "\r\n" + header.replace("\\r\\n", "\r\n") + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(served.get()).isEqualTo(status == 200 ? 1 : 0);
    }

    @Test
    void boundsRequestLineAndHeaders() throws IOException {
        String longLine = "GET /" + "a".repeat(StatusServer.MAX_LINE_LENGTH) + " HTTP/1.1\r\n" + END;
        String longHeader = "GET /status HTTP/1.1\r\nX: " + "a".repeat(StatusServer.MAX_HEADERS_LENGTH) + "\r\n" + END;
        String manyHeaders = "GET /status HTTP/1.1\r\n" + "X: aaaaaaaaaaaaaa\r\n".repeat(600) + END;

        assertThat(exchange(longLine)).startsWith("HTTP/1.1 414 ");
        assertThat(exchange(longHeader)).startsWith("HTTP/1.1 431 ");
        assertThat(exchange(manyHeaders)).startsWith("HTTP/1.1 431 ");
    }

    @Test
    void survivesRandomBytes() throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            byte[] noise = new byte[4096];
            new Random(seed).nextBytes(noise);
            try (Socket socket = connect()) {
                socket.getOutputStream().write(noise);
                socket.shutdownOutput();
                drain(socket);
            }
        }

        assertThat(get("/status").statusCode()).isEqualTo(200);
    }

    @Test
    void refusesMoreConnectionsThanItsLimitAndTakesNewOnesAfterwards() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < StatusServer.MAX_CONNECTIONS; i++) {
                Socket socket = connect();
                open.add(socket);
                send(socket, request("GET /status HTTP/1.1"));
                assertThat(readResponse(socket)).startsWith("HTTP/1.1 200 OK");
            }
            try (Socket oneTooMany = connect()) {
                assertThat(oneTooMany.getInputStream().read()).isEqualTo(-1);
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }

        await().atMost(Duration.ofSeconds(50))
                .ignoreExceptions()
                .until(() -> get("/status").statusCode() == 200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "GET /status HTTP/1.1\r\nHost: local", "GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n"})
    void closesConnectionsThatTakeTooLong(String sent) throws IOException {
        restartWithTimeout(200);

        try (Socket socket = connect()) {
            send(socket, sent);
            drain(socket); // returns when the server closes the connection
        }
    }

    @Test
    void closesConnectionsThatSendAByteNowAndThen() throws IOException {
        restartWithTimeout(300);

        try (Socket socket = connect()) {
            send(socket, "GET /status HTTP/1.1\r\n");
            await().atMost(Duration.ofSeconds(50))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> isClosedAfter(socket, "X"));
        }
    }

    @Test
    void closesConnectionsThatDoNotReadTheirAnswer() throws IOException {
        restartWithTimeout(300);

        try (Socket socket = connect()) {
            send(socket, request("GET /large HTTP/1.1").repeat(20));
            await().atMost(Duration.ofSeconds(50))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> isClosedAfter(socket, "X"));
        }
    }

    @Test
    void servesAsSoonAsATakenPortIsFree() throws Exception {
        try (LogLines lines = new LogLines(StatusServer.class)) {
            ServerSocket other = new ServerSocket(0, 1, address.getAddress());
            int port = other.getLocalPort();
            try (other;
                    StatusServer second = new StatusServer(
                            "127.0.0.1", port, StatusServer.Tokens.NONE, pages, metrics, MemoryShare.unlimited())) {
                second.start();
                await().atMost(Duration.ofSeconds(50)).until(() -> metrics.total("http.listen.failures") >= 3);
                assertThat(second.address()).isEmpty();

                other.close();

                assertThat(awaitAddress(second).getPort()).isEqualTo(port);
            }
            assertThat(lines.all()).hasSize(2);
            assertThat(lines.all().get(0))
                    .startsWith("WARNING HTTP cannot listen on 127.0.0.1 port " + port)
                    .contains("Address already in use", "logs are recorded without it", "[http] listen");
            assertThat(lines.all().get(1)).startsWith("INFO status at http://127.0.0.1:" + port + "/status (after ");
        }
    }

    @Test
    void triesAgainWhileItsAddressOrNameIsNotThere() {
        // 192.0.2.0/24 is reserved for documentation: no computer has such an address.
        for (String host : List.of("no-such-host.invalid", "192.0.2.1")) {
            long before = metrics.total("http.listen.failures");
            try (LogLines lines = new LogLines(StatusServer.class);
                    StatusServer absent = new StatusServer(
                            host, 0, StatusServer.Tokens.NONE, pages, metrics, MemoryShare.unlimited())) {
                absent.start();

                await().atMost(Duration.ofSeconds(50)).until(() -> metrics.total("http.listen.failures") >= before + 2);

                assertThat(lines.all()).singleElement().asString().contains("HTTP cannot listen on " + host);
            }
        }
    }

    @Test
    void closesPortConnectionsAndThread() throws IOException {
        try (Socket socket = connect()) {
            send(socket, request("GET /status HTTP/1.1"));
            readResponse(socket);

            server.close();

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
        // Netty's thread ends a moment after it reports that it has ended.
        Awaitility.await()
                .atMost(Duration.ofSeconds(50))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .doesNotContain("control"));
    }

    private void restartWithTimeout(long timeoutMs) {
        server.close();
        server = new StatusServer(
                "127.0.0.1",
                0,
                StatusServer.Tokens.NONE,
                pages,
                metrics,
                new StatusServer.Limits(timeoutMs, MemoryShare.unlimited()));
        server.start();
        address = awaitAddress(server);
    }

    private static InetSocketAddress awaitAddress(StatusServer server) {
        await().atMost(Duration.ofSeconds(50)).until(() -> server.address().isPresent());
        return server.address().orElseThrow();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(50)).build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(address, TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private String exchange(String request) throws IOException {
        try (Socket socket = connect()) {
            send(socket, request);
            return drain(socket);
        }
    }

    /** A request without "Connection: close". */
    private static String request(String line) {
        return line + "\r\nHost: localhost\r\n\r\n";
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isClosedAfter(Socket socket, String text) {
        try {
            send(socket, text);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Reads until the server closes the connection. A reset counts as the end: the server closes without reading
     * everything.
     */
    private static String drain(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[8192];
        try {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                text.append(new String(buffer, 0, read, StandardCharsets.UTF_8));
            }
        } catch (java.net.SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        return text.toString();
    }

    private static String readResponse(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        String lengthName = "content-length: ";
        int start = head.indexOf(lengthName) + lengthName.length();
        int length = Integer.parseInt(head.substring(start, head.indexOf("\r", start)));
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
