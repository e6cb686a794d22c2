package org.mavlogd.page;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.PageSettings;
import org.mavlogd.text.Words;

/** Asks the recorder for its status, for all browsers together not more often than four times a second. Event loop. */
final class RecorderStatus {
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int TIMEOUT_MS = 2000;
    private static final int OK = 200;
    private static final int MAX_REASON = 200;
    private static final int MAX_BYTES = 4 << 20;

    private final Optional<PageSettings.Recorder> recorder;
    private final HttpClient client;
    private @Nullable Future<byte[]> latest;
    private long askedNs;

    RecorderStatus(Vertx vertx, Optional<PageSettings.Recorder> recorder) {
        this.recorder = recorder;
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setConnectTimeout(TIMEOUT_MS)
                .setReadIdleTimeout(2)
                .setMaxChunkSize(64 * 1024)
                .setDecompressionSupported(false));
    }

    boolean isKnown() {
        return recorder.isPresent();
    }

    void answer(RoutingContext request) {
        if (recorder.isEmpty()) {
            Answers.json(request, OK, notReachable("this page knows of no recorder"));
            return;
        }
        long nowNs = System.nanoTime();
        if (latest == null || nowNs - askedNs > FRESH_NS) {
            askedNs = nowNs;
            latest = ask(recorder.get());
        }
        latest.onSuccess(status -> Answers.json(request, OK, status));
    }

    /** Never fails. */
    private Future<byte[]> ask(PageSettings.Recorder from) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(reachable(from.host()))
                .setPort(from.port())
                .setURI("/status")
                .setTimeout(TIMEOUT_MS);
        from.token().ifPresent(token -> options.putHeader("Authorization", "Bearer " + token));
        return client.request(options)
                .compose(request -> request.send())
                .compose(RecorderStatus::body)
                .otherwise(failure -> notReachable(Words.line(String.valueOf(failure.getMessage()), MAX_REASON)));
    }

    private static Future<byte[]> body(HttpClientResponse response) {
        if (response.statusCode() != OK) {
            return Future.succeededFuture(notReachable("it answers with status " + response.statusCode()));
        }
        Buffer body = Buffer.buffer();
        response.handler(part -> {
            if (body.length() + part.length() > MAX_BYTES) {
                response.request().reset();
            } else {
                body.appendBuffer(part);
            }
        });
        return response.end().map(end -> body.getBytes());
    }

    /** An address to listen on is not always one to ask. */
    private static String reachable(String host) {
        return switch (host) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "::1";
            default -> host;
        };
    }

    private static byte[] notReachable(String reason) {
        return Json.object(json -> {
            json.writeStringField("recorder", "not reachable");
            json.writeStringField("reason", reason);
        });
    }
}
