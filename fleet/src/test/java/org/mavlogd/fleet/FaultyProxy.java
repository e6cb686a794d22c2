package org.mavlogd.fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A proxy that applies typical faults of networks and servers to chosen requests. */
public final class FaultyProxy implements AutoCloseable {
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "content-length", "expect", "transfer-encoding", "upgrade");
    /**
     * Whether the Host header is passed on, which Java must be allowed to do; servers that check signatures need it.
     */
    private static final boolean PASSES_HOST =
            "host".equals(System.getProperty("jdk.httpclient.allowRestrictedHeaders"));

    /** The fault of a request. */
    public sealed interface Fault {
        /** The request is passed on. */
        record None() implements Fault {}

        /** The connection is closed after half of the request body. */
        record CutInside() implements Fault {}

        /** The server receives the request, and the connection is closed before its answer. */
        record CutBeforeAnswer() implements Fault {}

        /** The server does not receive the request, and the proxy answers; without a body if {@code code} is empty. */
        record Answer(int status, String code) implements Fault {}

        /** One bit of the request body is flipped. */
        record Flip() implements Fault {}

        /** One bit of the answer's body is flipped. */
        record FlipAnswer() implements Fault {}

        /** The connection is closed after half of the answer's body. */
        record CutAnswer() implements Fault {}

        /** Headers of the answer are replaced. */
        record Header(Map<String, String> values) implements Fault {
            public Header(String name, String value) {
                this(Map.of(name, value));
            }
        }

        /** The answer is delayed. */
        record Late(long ms) implements Fault {}
    }

    public static final Fault NONE = new Fault.None();

    /** One request as received. */
    public record Request(String method, String path, String query, Map<String, List<String>> headers) {
        public boolean isPart() {
            return method.equals("PUT") && query.contains("partNumber=");
        }
    }

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String scheme;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final int target;
    public final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Fault> faults = request -> NONE;

    /** Starts a proxy before the server on port {@code target}. */
    public FaultyProxy(int target) throws IOException {
        this(target, Optional.empty());
    }

    /** @param tls TLS of the proxy itself; empty for plain HTTP */
    FaultyProxy(int target, Optional<SSLContext> tls) throws IOException {
        this.target = target;
        scheme = tls.isPresent() ? "https" : "http";
        server = TestCertificate.server(tls);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public void faults(Function<Request, Fault> function) {
        faults = function;
    }

    public String url() {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        Request request = new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                query == null ? "" : query,
                exchange.getRequestHeaders());
        requests.add(request);
        Fault fault = faults.apply(request);
        if (fault instanceof Fault.CutInside) {
            String length = exchange.getRequestHeaders().getFirst("Content-Length");
            var unused = exchange.getRequestBody().readNBytes(length == null ? 0 : Integer.parseInt(length) / 2);
            exchange.close();
            return;
        }
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (fault instanceof Fault.Answer answer) {
            answer(exchange, answer);
            return;
        }
        if (fault instanceof Fault.Flip && body.length > 0) {
            body[body.length / 2] ^= 1;
        }
        try {
            pass(exchange, request, body, fault);
        } catch (InterruptedException e) {
            exchange.close();
        }
    }

    private static void answer(HttpExchange exchange, Fault.Answer answer) throws IOException {
        byte[] body = ("<?xml version=\"1.0\"?><Error><Code>" + answer.code()
                        + "</Code><Message>made for a test</Message></Error>")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        boolean hasBody =
                !exchange.getRequestMethod().equals("HEAD") && !answer.code().isEmpty();
        exchange.sendResponseHeaders(answer.status(), hasBody ? body.length : -1);
        if (hasBody) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private void pass(HttpExchange exchange, Request request, byte[] body, Fault fault)
            throws IOException, InterruptedException {
        String uri = "http://127.0.0.1:" + target + request.path()
                + (request.query().isEmpty() ? "" : '?' + request.query());
        HttpRequest.Builder on = HttpRequest.newBuilder(URI.create(uri))
                .method(
                        request.method(),
                        body.length == 0 && !request.method().equals("PUT")
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        request.headers().forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!OF_CONNECTIONS.contains(lower) && (PASSES_HOST || !lower.equals("host"))) {
                values.forEach(value -> on.header(name, value));
            }
        });
        HttpResponse<byte[]> answer = http.send(on.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (fault instanceof Fault.Late late) {
            var unused = closed.await(late.ms(), TimeUnit.MILLISECONDS);
        }
        if (fault instanceof Fault.CutBeforeAnswer) {
            exchange.close();
            return;
        }
        answer.headers().map().forEach((name, values) -> {
            if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT)) && !name.startsWith(":")) {
                values.forEach(value -> exchange.getResponseHeaders().add(name, value));
            }
        });
        if (fault instanceof Fault.Header header) {
            header.values().forEach(exchange.getResponseHeaders()::set);
        }
        boolean isHead = request.method().equals("HEAD");
        if (isHead) {
            answer.headers()
                    .firstValue("content-length")
                    .ifPresent(length -> exchange.getResponseHeaders().set("Content-Length", length));
        }
        exchange.sendResponseHeaders(
                answer.statusCode(), isHead || answer.body().length == 0 ? -1 : answer.body().length);
        byte[] content = answer.body();
        if (fault instanceof Fault.FlipAnswer && content.length > 0) {
            content[content.length / 2] ^= 1;
        }
        if (!isHead && content.length > 0) {
            int length = fault instanceof Fault.CutAnswer ? content.length / 2 : content.length;
            exchange.getResponseBody().write(content, 0, length);
        }
        exchange.close();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
