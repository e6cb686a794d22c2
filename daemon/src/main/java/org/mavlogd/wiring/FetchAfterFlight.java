package org.mavlogd.wiring;

import java.nio.file.Path;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.contain.Recovery;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchDisk;
import org.mavlogd.fetch.FetchSettings;
import org.mavlogd.fetch.FetchStore;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.OwnLogs;

/** The part of the daemon that fetches vehicles' own logs. */
public final class FetchAfterFlight {
    /** Below the directory of the logs. */
    public static final String DIRECTORY = "fetched";

    private final FetchSettings settings;
    private final FetchStore store;

    /** @param room what recording leaves: else the keeper would delete recorded logs for the sake of fetched ones */
    FetchAfterFlight(
            FetchSettings settings, Path logDirectory, FetchStore.Room room, NanoClock clock, Metrics metrics) {
        this.settings = settings;
        this.store = new FetchStore(
                FetchDisk.REAL,
                logDirectory.resolve(DIRECTORY),
                room,
                settings.maxTotalBytes(),
                clock,
                metrics.part("fetch.store", Recovery.CONTINUES));
    }

    /** To be run by a thread that may wait. */
    FetchStore agent() {
        return store;
    }

    OwnLogs forLink(String link) {
        return new OwnLogs() {
            @Override
            public boolean areWanted() {
                return settings.afterDisarm();
            }

            @Override
            public long delayNs() {
                return settings.delayNs();
            }

            @Override
            public FetchClient client(FetchTarget vehicle) {
                return store.client(vehicle, link);
            }
        };
    }
}
