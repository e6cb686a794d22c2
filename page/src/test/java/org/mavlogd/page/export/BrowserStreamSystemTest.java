package org.mavlogd.page.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An export that sends less than a chunk in the time after which the server closes silent connections. */
class BrowserStreamSystemTest {
    private static final int IDLE_S = 1;
    private static final long SILENCE_MS = 300;
    private static final int TIMEOUT_MS = 50_000;

    private final Vertx vertx = Vertx.vertx();

    /** Writes an answer on a thread. */
    @FunctionalInterface
    private interface Export {
        void run(BrowserStream out) throws IOException, InterruptedException;
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    @Test
    void anExportOfFewBytesInALongTimeArrives() throws Exception {
        String answer = answer(out -> {
            out.write(new byte[64 * 1024]);
            for (int i = 0; i < 25 * IDLE_S; i++) {
                TimeUnit.MILLISECONDS.sleep(100);
                out.write('a' + i % 26);
            }
        });

        assertThat(answer).contains("HTTP/1.1 200 ").endsWith("\r\n0\r\n\r\n");
        assertThat(answer.replaceAll("\\r\\n[0-9a-f]+\\r\\n", "")).contains("abcdefghijklmnopqrstuvwxy");
    }

    private String answer(Export export) throws Exception {
        HttpServer server = vertx.createHttpServer(
                        new HttpServerOptions().setIdleTimeout(IDLE_S).setCompressionSupported(true))
                .requestHandler(request -> {
                    Context loop = vertx.getOrCreateContext();
                    BrowserStream out = new BrowserStream(request, loop, () -> true, SILENCE_MS);
                    new Thread(() -> write(out, export)).start();
                });
        int port = server.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .actualPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            String request = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void write(BrowserStream out, Export export) {
        try {
            out.begin("text/plain", "export.txt");
            export.run(out);
            out.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
