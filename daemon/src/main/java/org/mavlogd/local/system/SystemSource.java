package org.mavlogd.local.system;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.Rescan;
import org.mavlogd.local.TopicSource;

abstract class SystemSource implements TopicSource {
    /** Devices seldom change, and searching them allocates. */
    private static final long RESCAN_NS = TimeUnit.SECONDS.toNanos(30);

    final Path root;
    final Outlet outlet;
    final Rescan rescan = new Rescan(RESCAN_NS);
    private final long periodNs;

    SystemSource(SystemSettings settings, Outlet outlet) {
        this.root = settings.root();
        this.outlet = outlet;
        this.periodNs = settings.periodNs();
    }

    @Override
    public final String name() {
        return outlet.source();
    }

    @Override
    public final long periodNs() {
        return periodNs;
    }
}
