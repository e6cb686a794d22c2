package org.mavlogd.wiring;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.control.Endpoint;
import org.mavlogd.control.StatusServer;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;

/**
 * The HTTP pages about all other stages, if enabled. An error while they start is contained, because recording has
 * priority. Started and closed by one thread.
 */
final class Pages implements AutoCloseable {
    private final StatusServer.Settings settings;
    private final SharedParts shared;
    private final ContainedPart part;
    private final Supplier<List<Endpoint>> content;
    private @Nullable StatusServer server;

    private record Page(String path, Supplier<Endpoint.Response> content) implements Endpoint {
        @Override
        public Endpoint.Response respond() {
            return content.get();
        }
    }

    Pages(StatusServer.Settings settings, SharedParts shared, ContainedPart part, Supplier<List<Endpoint>> content) {
        this.settings = settings;
        this.shared = shared;
        this.part = part;
        this.content = content;
    }

    void start() {
        settings.listen().ifPresent(this::start);
    }

    private void start(InetSocketAddress address) {
        try {
            StatusServer started = new StatusServer(
                    address.getHostString(),
                    address.getPort(),
                    settings.tokens(),
                    content.get(),
                    shared.metrics(),
                    shared.memory().share(Requester.HTTP_CLIENT));
            server = started;
            started.start();
        } catch (Throwable e) {
            part.contain(e);
        }
    }

    /** The address of the server; empty while it does not listen. */
    Optional<InetSocketAddress> address() {
        StatusServer running = server;
        return running == null ? Optional.empty() : running.address();
    }

    @Override
    public void close() {
        StatusServer running = server;
        if (running != null) {
            running.close();
        }
    }

    /** The content of the pages. */
    static List<Endpoint> endpoints(DaemonStatus status, Metrics metrics) {
        return List.of(
                new Page("/status", () -> Endpoint.Response.json(200, StatusJson.of(status))),
                new Page("/healthz", () -> health(status)),
                new Page("/api/v1/status", () -> Endpoint.Response.json(200, StatusDocument.of(status))),
                new MetricsPage(metrics));
    }

    /** 200 while everything that should be recorded is recorded; else 503 with one line for each problem. */
    private static Endpoint.Response health(DaemonStatus status) {
        List<String> problems = status.problems();
        return problems.isEmpty()
                ? Endpoint.Response.text(200, "ok")
                : Endpoint.Response.text(503, String.join("\n", problems));
    }
}
