package org.mavlogd.page;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.PageSettings;
import org.mavlogd.text.Words;

/** Gets the recorder's status, at most four times a second for all browsers together. Event loop. */
final class RecorderStatus {
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int OK = 200;
    private static final int MAX_REASON = 200;

    private final Optional<PageSettings.Recorder> recorder;
    private final RecorderClient client;
    private @Nullable Future<byte[]> latest;
    private long askedNs;

    RecorderStatus(RecorderClient client, Optional<PageSettings.Recorder> recorder) {
        this.client = client;
        this.recorder = recorder;
    }

    boolean isKnown() {
        return recorder.isPresent();
    }

    void answer(RoutingContext request) {
        if (recorder.isEmpty()) {
            Answers.json(request, OK, notReachable("no recorder is configured for this page"));
            return;
        }
        long nowNs = System.nanoTime();
        if (latest == null || nowNs - askedNs > FRESH_NS) {
            askedNs = nowNs;
            latest = ask(recorder.get());
        }
        latest.onSuccess(status -> Answers.json(request, OK, status));
    }

    /** Gets the status; never fails. */
    private Future<byte[]> ask(PageSettings.Recorder from) {
        return client.send(from, HttpMethod.GET, "/status", from.token())
                .map(answer -> answer.status() == OK
                        ? answer.body().getBytes()
                        : notReachable("it answers with status " + answer.status()))
                .otherwise(failure -> notReachable(Words.line(String.valueOf(failure.getMessage()), MAX_REASON)));
    }

    private static byte[] notReachable(String reason) {
        return Json.object(json -> {
            json.writeStringField("recorder", "not reachable");
            json.writeStringField("reason", reason);
        });
    }
}
