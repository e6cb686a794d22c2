package org.mavlogd.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.mavlogd.control.Endpoint;
import org.mavlogd.control.Response;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.figures.RecordingStatus;
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

    static List<Endpoint> of(DaemonStatus status, Metrics metrics) {
        return List.of(
                new Page("/status", () -> Response.json(200, StatusJson.of(status))),
                new Page("/healthz", () -> health(status)),
                new Page("/metrics", () -> new Response(200, PROMETHEUS, metrics.scrape())));
    }

    /** 200 while everything that should be recorded is; else 503 with one line for each thing that is wrong. */
    private static Response health(DaemonStatus status) {
        List<String> problems = new ArrayList<>();
        if (!status.space().problem().isEmpty()) {
            problems.add("disk: " + status.space().problem());
        }
        for (RecordingStatus recording : status.recordings()) {
            if (!recording.problem().isEmpty()) {
                problems.add("vehicle " + recording.systemId() + ": " + recording.problem());
            }
        }
        for (VehicleStatus vehicle : status.vehicles()) {
            if (!vehicle.detail().isEmpty()) {
                problems.add("vehicle " + vehicle.systemId() + " on " + vehicle.link() + ": " + vehicle.detail());
            }
        }
        status.signingProblem().ifPresent(problems::add);
        problems.addAll(status.partProblems());
        return problems.isEmpty() ? Response.text(200, "ok") : Response.text(503, String.join("\n", problems));
    }
}
