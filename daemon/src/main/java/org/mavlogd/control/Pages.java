package org.mavlogd.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Metrics;

/** Finds the page of a path and calls it. Owned by the control thread. */
final class Pages {
    private static final Endpoint.Response FAILED =
            Endpoint.Response.text(500, "This page failed; the reason is in the log. Try again in a minute.");

    private final Map<String, Page> pages = new LinkedHashMap<>();

    /** A page with the part that contains its errors. */
    private record Page(Endpoint endpoint, ContainedPart part) {}

    Pages(List<Endpoint> endpoints) {
        this(endpoints, new Metrics());
    }

    Pages(List<Endpoint> endpoints, Metrics metrics) {
        for (Endpoint endpoint : endpoints) {
            String path = endpoint.path();
            if (!path.startsWith("/") || pages.put(path, page(endpoint, metrics)) != null) {
                throw new IllegalArgumentException("endpoint path " + path + " is not absolute, or there twice");
            }
        }
    }

    private static Page page(Endpoint endpoint, Metrics metrics) {
        return new Page(endpoint, metrics.part("http" + endpoint.path(), Recovery.CONTINUES));
    }

    Endpoint.Response respond(String path) {
        return respond(path, Endpoint.Request.PLAIN);
    }

    Endpoint.Response respond(String path, Endpoint.Request request) {
        Page page = pages.get(path);
        if (page == null) {
            return Endpoint.Response.text(404, "Not found. There is:\n" + String.join("\n", pages.keySet()));
        }
        return page.part().get(() -> page.endpoint().respond(request), FAILED);
    }

    /** How a path may be requested; an unknown path like a page. */
    Endpoint.Access access(String path) {
        Page page = pages.get(path);
        return page == null ? Endpoint.Access.PAGE : page.endpoint().access();
    }
}
