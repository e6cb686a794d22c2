package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that takes longer than the server keeps silent connections open, such as the report of a log of 4 GiB. */
class WorkersSystemTest {
    private static final int IDLE_S = 1;
    private static final long SILENCE_MS = 300;
    private static final long WORK_MS = 2500;
    private static final int TIMEOUT_MS = 50_000;

    private final Vertx vertx = Vertx.vertx();
    private final Workers workers = new Workers("test", SILENCE_MS);
    private int port;

    @BeforeEach
    void serve() throws Exception {
        Router router = Router.router(vertx);
        router.get("/made")
                .handler(request -> workers.answer(request, wanted -> {
                    TimeUnit.MILLISECONDS.sleep(WORK_MS);
                    wanted.check();
                    return Json.object(json -> json.writeStringField("made", "yes"));
                }));
        router.get("/failed")
                .handler(request -> workers.answer(request, wanted -> {
                    TimeUnit.MILLISECONDS.sleep(WORK_MS);
                    throw new Problem(422, "no log");
                }))
                .failureHandler(Answers::failure);
        port = vertx.createHttpServer(
                        new HttpServerOptions().setIdleTimeout(IDLE_S).setCompressionSupported(true))
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .actualPort();
    }

    @AfterEach
    void stop() throws Exception {
        workers.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    @Test
    void anAnswerThatTakesLongArrivesBehindInterimResponses() throws Exception {
        String answer = answer("/made", "HTTP/1.1");

        assertThat(answer).startsWith("HTTP/1.1 100 ").contains("HTTP/1.1 200 ").endsWith("{\"made\":\"yes\"}");
        assertThat(answer.indexOf(" 200 ")).isGreaterThan(answer.lastIndexOf(" 100 "));
    }

    @Test
    void soDoesAnError() throws Exception {
        assertThat(answer("/failed", "HTTP/1.1")).contains("HTTP/1.1 422 ").endsWith("{\"error\":\"no log\"}");
    }

    /** HTTP/1.0 has no interim responses; the connection is closed as before. */
    @Test
    void aClientOfHttp10GetsNoInterimResponse() throws Exception {
        assertThat(answer("/made", "HTTP/1.0")).doesNotContain(" 100 ");
    }

    private String answer(String path, String version) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            String request = "GET " + path + " " + version + "\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
