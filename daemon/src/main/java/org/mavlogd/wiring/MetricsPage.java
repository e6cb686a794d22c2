package org.mavlogd.wiring;

import java.util.Locale;
import org.mavlogd.control.Endpoint;
import org.mavlogd.metrics.Metrics;

/** All metrics, in Prometheus' text format or in OpenMetrics, as the client requests. */
record MetricsPage(Metrics metrics) implements Endpoint {
    private static final String OPEN_METRICS = "application/openmetrics-text";

    @Override
    public String path() {
        return "/metrics";
    }

    @Override
    public Response respond() {
        return new Response(200, Metrics.TEXT, metrics.scrape());
    }

    @Override
    public Response respond(Request request) {
        return isOpenMetrics(request.accept())
                ? new Response(200, Metrics.OPEN_METRICS, metrics.scrapeOpenMetrics())
                : respond();
    }

    /** Whether OpenMetrics is accepted with a weight above 0. Prometheus itself lists it first. */
    private static boolean isOpenMetrics(String accept) {
        for (String choice : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = choice.strip().split("\\s*;\\s*", -1);
            if (parts[0].equals(OPEN_METRICS)) {
                return java.util.Arrays.stream(parts).noneMatch(part -> part.matches("q=0(\\.0*)?"));
            }
        }
        return false;
    }
}
