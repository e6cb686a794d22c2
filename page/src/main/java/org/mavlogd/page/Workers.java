package org.mavlogd.page;

import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.mavlogd.series.SeriesStore.Wanted;

/**
 * One or a few threads that process requests in order, outside the event loop. If too many wait, further ones are
 * refused; work whose request has ended is not started.
 */
final class Workers implements AutoCloseable {
    private static final int MAX_WAITING = 32;
    private static final long STOP_S = 2;
    // The server closes connections that are silent for 60 s. More often would be too often: some clients accept only
    // five interim responses.
    private static final long SILENCE_MS = 45_000;

    private final ThreadPoolExecutor thread;
    private final String refusal;
    private final long silenceMs;

    /** Computes a result, and checks from time to time whether it is still wanted. */
    @FunctionalInterface
    interface Work<T> {
        T run(Wanted wanted) throws Exception;
    }

    Workers(String name) {
        this(name, SILENCE_MS);
    }

    /** @param silenceMs time after which a client without an answer is shown that one will follow */
    Workers(String name, long silenceMs) {
        this.silenceMs = silenceMs;
        thread = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), work -> daemon(work, name));
        refusal = "busy with " + MAX_WAITING + " requests before this one; try again";
    }

    /** Workers for long operations: at most {@code threads} at a time; further ones are refused. */
    Workers(String name, int threads) {
        silenceMs = SILENCE_MS;
        thread = new ThreadPoolExecutor(
                0, threads, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> daemon(work, name));
        refusal = "busy with " + threads + " such requests; try again when one is done";
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Answers with the JSON that the work returns. */
    void answer(RoutingContext request, Work<byte[]> work) {
        run(request, work, json -> Answers.json(request, 200, json));
    }

    /** Does the work, and passes its result on in the event loop. */
    <T> void run(RoutingContext request, Work<T> work, Consumer<T> then) {
        AtomicBoolean isGone = new AtomicBoolean();
        request.response().closeHandler(closed -> isGone.set(true));
        Context loop = request.vertx().getOrCreateContext();
        try {
            thread.execute(() -> {
                if (!isGone.get()) {
                    run(request, loop, () -> !isGone.get(), work, then);
                }
            });
        } catch (RejectedExecutionException e) {
            request.response().putHeader("Retry-After", "1");
            throw new Problem(503, refusal);
        }
        keepOpen(request);
    }

    /** Sends interim responses, which clients skip, until the answer starts: RFC 9110, section 15.2. */
    private void keepOpen(RoutingContext request) {
        if (request.request().version() == HttpVersion.HTTP_1_0) {
            return; // it has no interim responses
        }
        HttpServerResponse response = request.response();
        long timer = request.vertx().setPeriodic(silenceMs, id -> {
            if (!response.headWritten() && !response.closed()) {
                response.writeContinue();
            }
        });
        request.addEndHandler(ended -> request.vertx().cancelTimer(timer));
    }

    private static <T> void run(RoutingContext request, Context loop, Wanted wanted, Work<T> work, Consumer<T> then) {
        try {
            T result = work.run(wanted);
            loop.runOnContext(done -> then(request, result, then));
        } catch (Throwable e) { // otherwise the request would stay unanswered
            loop.runOnContext(done -> request.fail(e));
        }
    }

    private static <T> void then(RoutingContext request, T result, Consumer<T> then) {
        try {
            then.accept(result);
        } catch (RuntimeException e) {
            request.fail(e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(STOP_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
