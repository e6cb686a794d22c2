package org.mavlogd.page;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.Optional;
import org.mavlogd.config.PageSettings;

/** Sends requests to the recorder's HTTP server, and receives answers of bounded length and time. Event loop. */
final class RecorderClient {
    private static final int TIMEOUT_MS = 2000;
    private static final int MAX_BYTES = 4 << 20;

    private final HttpClient client;

    /** The recorder's answer. */
    record Answer(int status, Buffer body) {}

    RecorderClient(Vertx vertx) {
        // A connection for each request: a kept one could be closed by either side while the next request is being
        // sent.
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setConnectTimeout(TIMEOUT_MS)
                .setKeepAlive(false)
                .setMaxChunkSize(64 * 1024)
                .setDecompressionSupported(false));
    }

    /** Sends a request; fails if the recorder is unreachable, too slow, or sends too much. */
    Future<Answer> send(PageSettings.Recorder to, HttpMethod method, String path, Optional<String> token) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(reachable(to.host()))
                .setPort(to.port())
                .setURI(path)
                .setTimeout(TIMEOUT_MS);
        token.ifPresent(secret -> options.putHeader("Authorization", "Bearer " + secret));
        return client.request(options).compose(request -> request.send()).compose(RecorderClient::body);
    }

    private static Future<Answer> body(HttpClientResponse response) {
        Buffer body = Buffer.buffer();
        response.handler(part -> {
            if (body.length() + part.length() > MAX_BYTES) {
                response.request().reset();
            } else {
                body.appendBuffer(part);
            }
        });
        return response.end().map(end -> new Answer(response.statusCode(), body));
    }

    /** The address for requests, which differs for wildcard listening addresses. */
    private static String reachable(String host) {
        return switch (host) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "::1";
            default -> host;
        };
    }
}
