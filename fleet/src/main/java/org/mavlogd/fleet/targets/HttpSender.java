package org.mavlogd.fleet.targets;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.mavlogd.config.UploadSecret;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.text.Words;

/**
 * Sends requests to one server and reads answers of bounded length. Never follows redirections, which could lead
 * anywhere. Cancels a request that makes no progress. Owned by one thread.
 */
final class HttpSender {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
    private static final int MAX_ANSWER = 64 << 10;
    private static final int MAX_REASON = 200;
    private static final long LOOK_MS = 500;

    private final HttpClient client;
    private final UploadSecret secret;
    private final long stallNs;

    /** The server's answer, with the start of a long body. */
    record Answer(int status, HttpResponse<?> head, String body) {
        boolean isGood() {
            return status / 100 == 2;
        }

        String header(String name) {
            return head.headers().firstValue(name).orElse("");
        }
    }

    /** Opens a body, once for each request. */
    interface Body {
        InputStream open() throws IOException;
    }

    HttpSender(UploadTarget settings, long stallNs) throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1);
        if (!settings.caFile().isEmpty()) {
            builder.sslContext(Authorities.context(settings.caFile()));
        }
        this.client = builder.build();
        this.secret = settings.secret();
        this.stallNs = stallNs;
    }

    HttpRequest.Builder request(URI address) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (!secret.isEmpty()) {
            try {
                request.header("Authorization", secret.read());
            } catch (IllegalArgumentException e) {
                throw new IOException(secret.place() + ": does not hold the value of a header", e);
            }
        }
        return request;
    }

    /** Sends a request without a body. */
    Answer send(HttpRequest.Builder request, String method) throws IOException, InterruptedException {
        return await(request.method(method, HttpRequest.BodyPublishers.noBody()).build(), new Stall(stallNs));
    }

    /** Sends a request with a body of this length. */
    Answer send(HttpRequest.Builder request, String method, Body body, long length)
            throws IOException, InterruptedException {
        Stall stall = new Stall(stallNs);
        Supplier<InputStream> source = () -> {
            try {
                return stall.observed(body.open());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        HttpRequest.BodyPublisher publisher = length == 0
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofInputStream(source), length);
        return await(request.method(method, publisher).build(), stall);
    }

    /** Receives the start of an answer's body. The rest is not read: an endless answer counts as complete. */
    private static final class Start implements HttpResponse.BodySubscriber<String> {
        private final ByteArrayOutputStream start = new ByteArrayOutputStream();
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private Optional<Flow.Subscription> subscription = Optional.empty();

        @Override
        public CompletionStage<String> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = Optional.of(given);
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] bytes = new byte[Math.min(buffer.remaining(), MAX_ANSWER - start.size())];
                buffer.get(bytes);
                start.writeBytes(bytes);
            }
            if (start.size() == MAX_ANSWER) {
                subscription.ifPresent(Flow.Subscription::cancel);
                onComplete();
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(start.toString(StandardCharsets.UTF_8));
        }
    }

    private Answer await(HttpRequest request, Stall stall) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request, head -> new Start());
        while (true) {
            try {
                HttpResponse<String> complete = answer.get(LOOK_MS, TimeUnit.MILLISECONDS);
                return new Answer(complete.statusCode(), complete, complete.body());
            } catch (TimeoutException e) {
                if (stall.isReached()) {
                    answer.cancel(true);
                    throw stall.failure();
                }
            } catch (InterruptedException e) {
                answer.cancel(true);
                throw e;
            } catch (ExecutionException | CancellationException e) {
                throw failure(request.uri(), e);
            }
        }
    }

    private static IOException failure(URI address, Throwable e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        while (!(cause instanceof IOException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        if (cause instanceof ConnectException) {
            text = "no connection to " + address.getHost() + ": " + reason(cause);
        }
        return new IOException(Words.line(text, MAX_REASON), e);
    }

    /** Java's client often gives only the kind of exception. */
    private static String reason(Throwable noConnection) {
        if (noConnection.getCause() instanceof UnresolvedAddressException) {
            return "its name is not known";
        }
        return noConnection.getMessage() == null ? "it is not reachable, or refuses" : noConnection.getMessage();
    }

    /** Converts an unsuccessful answer to an exception for the file. */
    static IOException refusal(Answer answer) {
        String text = "the server answers with status " + answer.status();
        String body = answer.body().strip();
        String line = Words.line(body.isEmpty() || body.startsWith("<") ? text : text + ": " + body, MAX_REASON);
        return switch (answer.status()) {
            case 400, 409, 411, 413, 415, 422 -> new RefusedException(line);
            default -> new IOException(line);
        };
    }

    /** Joins bytes, a stream, and bytes. */
    static InputStream joined(InputStream before, InputStream middle, InputStream after) {
        return new SequenceInputStream(new SequenceInputStream(before, middle), after);
    }
}
