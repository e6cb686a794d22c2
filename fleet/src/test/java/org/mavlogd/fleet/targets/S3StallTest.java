package org.mavlogd.fleet.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.TestCertificate;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.fleet.state.Version;

/** Tests a server that no longer reads: the kernel would keep the connection, and the write would wait for ever. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class S3StallTest {
    /** More than the kernel buffers. */
    private static final int MANY = 64 << 20;

    private static final int FEW = 1000;

    @TempDir
    private Path directory = Path.of(".");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicLong moved = new AtomicLong();

    @AfterEach
    void end() {
        ended.countDown();
        threads.shutdownNow();
    }

    /** Waits until the test ends. */
    private void hang(HttpExchange exchange) {
        try (exchange) {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
        }
    }

    /** Starts a server that permits nothing but PUT. */
    private HttpServer server(Optional<SSLContext> tls, HttpHandler put) throws IOException {
        HttpServer server = TestCertificate.server(tls);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            if (exchange.getRequestMethod().equals("PUT")) {
                put.handle(exchange);
            } else {
                exchange.sendResponseHeaders(403, -1);
                exchange.close();
            }
        });
        server.start();
        return server;
    }

    /** Sends a log; each read of it waits for {@code delayNs}. */
    private Transfer send(UploadTarget settings, int bytes, long stallNs, long delayNs) throws IOException {
        Path log = Files.write(directory.resolve("a.ulg"), new byte[bytes]);
        String sha256 = Digests.sha256(log, bytes);
        Throttle throttle = new Throttle() {
            @Override
            public void pass(int count) throws IOException {
                try {
                    moved.addAndGet(count);
                    assertThat(ended.await(delayNs, TimeUnit.NANOSECONDS)).isFalse();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }

            @Override
            public void check() {}
        };
        Shipment shipment =
                new Shipment(log, bytes, sha256, sha256, "a.ulg", "a.ulg", "application/octet-stream", throttle);
        S3Target target = new S3Target(settings, Duration.ofSeconds(30), stallNs);
        try {
            return target.send(shipment, Transfer.of(new Version(bytes, 1), sha256), transfer -> {});
        } finally {
            target.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServerThatStopsReadingEndsTheRequest(boolean isTls) throws IOException, InterruptedException {
        TestCertificate certificate = new TestCertificate(directory.resolve("tls"), "ip:127.0.0.1");
        HttpServer server = server(isTls ? Optional.of(certificate.context()) : Optional.empty(), this::hang);
        String url = (isTls ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort();
        UploadTarget settings =
                S3Settings.of(directory, url, isTls ? certificate.pem().toString() : "", MANY);

        assertThatThrownBy(() -> send(settings, MANY, TimeUnit.SECONDS.toNanos(8), 0))
                .hasMessage("no data was transferred for 8 s");

        assertThat(moved.get()).isPositive().isLessThan(MANY);
        server.stop(0);
    }

    @Test
    void waitingForTheRateLimitIsNoStall() throws IOException {
        HttpServer server = server(Optional.empty(), S3StallTest::receive);
        UploadTarget settings = S3Settings.of(
                directory, "http://127.0.0.1:" + server.getAddress().getPort(), "", MANY);

        Transfer sent = send(settings, FEW, TimeUnit.SECONDS.toNanos(6), TimeUnit.SECONDS.toNanos(8));

        assertThat(sent.status()).isEqualTo(Transfer.Status.SENT);
        assertThat(moved.get()).isGreaterThanOrEqualTo(FEW);
        server.stop(0);
    }
}
