package org.mavlogd.app;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.mavlogd.control.Endpoint;
import org.mavlogd.control.Response;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.RecordingStatus;
import org.mavlogd.vehicle.VehicleStatus;

/** The pages of the status server. */
final class StatusPages {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private record Page(String path, Supplier<Response> content) implements Endpoint {
        @Override
        public Response respond() {
            return content.get();
        }
    }

    private StatusPages() {}

    static List<Endpoint> of(Daemon daemon, Metrics metrics) {
        return List.of(
                new Page("/status", () -> Response.json(200, StatusJson.of(daemon))),
                new Page("/healthz", () -> health(daemon)),
                new Page("/metrics", () -> new Response(200, PROMETHEUS, metrics.scrape())));
    }

    /** 200 while everything that should be recorded is; else 503 with one line for each thing that is wrong. */
    private static Response health(Daemon daemon) {
        List<String> problems = new ArrayList<>();
        if (!daemon.space().problem().isEmpty()) {
            problems.add("disk: " + daemon.space().problem());
        }
        for (RecordingStatus recording : daemon.recordings()) {
            if (!recording.problem().isEmpty()) {
                problems.add("vehicle " + recording.systemId() + ": " + recording.problem());
            }
        }
        for (VehicleStatus vehicle : daemon.vehicles()) {
            if (!vehicle.detail().isEmpty()) {
                problems.add("vehicle " + vehicle.systemId() + " on " + vehicle.link() + ": " + vehicle.detail());
            }
        }
        daemon.signingProblem().ifPresent(problems::add);
        return problems.isEmpty() ? Response.text(200, "ok") : Response.text(503, String.join("\n", problems));
    }
}
