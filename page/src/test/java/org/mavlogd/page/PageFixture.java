package org.mavlogd.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mavlogd.config.PageSettings;
import org.mavlogd.series.RawLog;

/** A page with a temporary directory, and a client for it. */
final class PageFixture implements AutoCloseable {
    static final String TOPIC = "one";
    static final String FORMAT = TOPIC + ":uint64_t timestamp;float a;double[2] b;";
    static final String TOKEN = "correct-horse-battery";

    private static final int TIMEOUT_MS = 50_000;

    private final PageServer server;
    private final int port;
    private final Path logs;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofMillis(TIMEOUT_MS))
            .build();

    PageFixture(Path directory, UnaryOperator<PageSettings> change) throws IOException {
        logs = Files.createDirectories(directory.resolve("logs"));
        PageSettings settings =
                change.apply(PageSettings.ofDirectory(logs).withListen(PageSettings.address("127.0.0.1:0")));
        server = new PageServer(settings, List.of(logs), directory.resolve("cache"));
        port = server.start();
    }

    static PageSettings withToken(PageSettings from) {
        return changed(from, Optional.of(TOKEN), from.control());
    }

    static PageSettings withControl(PageSettings from) {
        return changed(from, from.token(), true);
    }

    private static PageSettings changed(PageSettings from, Optional<String> token, boolean control) {
        return new PageSettings(
                from.listen(),
                token,
                List.of("boat.example"),
                control,
                from.tls(),
                from.tiles(),
                from.logDirectory(),
                from.recorder(),
                from.origins());
    }

    int port() {
        return port;
    }

    Path logs() {
        return logs;
    }

    /** A log of 1000 samples, one every 10 ms, whose field a counts up. */
    static RawLog log() {
        RawLog log = new RawLog().format(FORMAT).info("units_one", "a=m/s").subscribe(TOPIC, 0, 3);
        for (int i = 0; i < 1000; i++) {
            log.sample(3, 1_000_000 + 10_000L * i, i, -i, 0.5);
        }
        return log.text('4', 2_000_000, "<script>alert(1)</script>");
    }

    Path add(String name, byte[] content) {
        try {
            return Files.write(logs.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HttpResponse<byte[]> get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    HttpResponse<byte[]> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMillis(TIMEOUT_MS))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** Sends raw bytes, which may be no valid request, and returns the whole answer. */
    String raw(String request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * Sends like {@link #raw(String)}, but returns when the answer contains {@code until}; the connection may still be
     * open.
     */
    String raw(String request, String until) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            StringBuilder answer = new StringBuilder();
            for (int next;
                    answer.indexOf(until) < 0 && (next = socket.getInputStream().read()) >= 0; ) {
                answer.append((char) next);
            }
            return answer.toString();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
