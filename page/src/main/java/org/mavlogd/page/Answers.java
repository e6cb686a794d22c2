package org.mavlogd.page;

import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.mavlogd.series.NoSuchFieldInLog;
import org.mavlogd.series.SeriesStore;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.ULogException;

/** The answers of the API, including errors. */
final class Answers {
    private static final Logger LOG = Logger.getLogger(Answers.class.getName());
    private static final int MAX_TEXT = 500;

    private Answers() {}

    static void json(RoutingContext request, int status, byte[] object) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            request.request().connection().close(); // tells the browser that the answer is incomplete
            return;
        }
        response.setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .putHeader("Cache-Control", "no-store")
                .end(Buffer.buffer(object));
    }

    /** Handles failures of all routes: an exception of a handler, or a status alone. */
    static void failure(RoutingContext request) {
        Throwable cause = request.failure();
        if (cause instanceof SeriesStore.NotWanted) {
            return; // nobody waits for the answer
        }
        Problem problem = cause == null ? ofStatus(request.statusCode()) : problem(cause);
        json(request, problem.status(), Json.error(Words.line(problem.text(), MAX_TEXT)));
    }

    private static Problem ofStatus(int status) {
        return switch (status) {
            case 404 -> new Problem(404, "this address does not exist");
            case 405 -> new Problem(405, "this address does not support that method");
            case 413 -> new Problem(413, "the request's body is too large");
            default -> new Problem(status < 400 ? 500 : status, "the request is not understood");
        };
    }

    private static Problem problem(Throwable cause) {
        if (cause instanceof Problem problem) {
            return problem;
        }
        if (cause instanceof NoSuchFieldInLog) {
            return new Problem(404, String.valueOf(cause.getMessage()));
        }
        if (cause instanceof NoSuchFileException) {
            return new Problem(404, "there is no such log any more");
        }
        if (cause instanceof ULogException) {
            return new Problem(422, String.valueOf(cause.getMessage()));
        }
        if (cause instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
            return problem(unchecked.getCause());
        }
        if (cause instanceof VertxException) {
            return new Problem(400, "the request is not understood: " + cause.getMessage());
        }
        if (cause instanceof IllegalArgumentException) {
            return new Problem(400, String.valueOf(cause.getMessage()));
        }
        if (cause instanceof IOException failure) {
            return new Problem(500, "the log cannot be read: " + failure.getMessage());
        }
        if (cause instanceof OutOfMemoryError) {
            return new Problem(500, "not enough memory for this");
        }
        LOG.log(Level.SEVERE, "internal error, please report this", cause);
        return new Problem(500, "internal error, please report this: " + cause);
    }
}
