package org.mavlogd.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the page of a path and makes it. Owned by the control thread. */
final class Pages {
    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);

    private final Map<String, Page> pages = new LinkedHashMap<>();

    /** A page, and what is known of its trouble. */
    private record Page(Endpoint endpoint, ProblemLog problems) {}

    Pages(List<Endpoint> endpoints) {
        for (Endpoint endpoint : endpoints) {
            String path = endpoint.path();
            if (!path.startsWith("/") || pages.put(path, new Page(endpoint, new ProblemLog(LOG))) != null) {
                throw new IllegalArgumentException("endpoint path " + path + " is not absolute, or there twice");
            }
        }
    }

    Response respond(String path) {
        Page page = pages.get(path);
        if (page == null) {
            return Response.text(404, "Not found. There is:\n" + String.join("\n", pages.keySet()));
        }
        try {
            Response response = page.endpoint().respond();
            page.problems().resolved("HTTP page " + path + " works again");
            return response;
        } catch (RuntimeException | Error e) {
            // A page that fails is no reason to stop recording, be the cause as bad as it may.
            page.problems().report("HTTP page " + path + " failed: " + e);
            LOG.debug("HTTP page {} failed", path, e);
            return Response.text(500, "This page failed; the reason is in the log.");
        }
    }
}
