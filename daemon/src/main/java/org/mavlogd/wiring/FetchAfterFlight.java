package org.mavlogd.wiring;

import org.agrona.concurrent.NanoClock;
import org.mavlogd.config.Settings;
import org.mavlogd.contain.Recovery;
import org.mavlogd.fetch.AfterFlight;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchDisk;
import org.mavlogd.fetch.FetchStore;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.FlightListener;

/** The part of the daemon that fetches vehicles' own logs. */
public final class FetchAfterFlight {
    /** Below the directory of the logs. */
    public static final String DIRECTORY = "fetched";

    private final AfterFlight.Settings settings;
    private final int ownComponentId;
    private final Metrics metrics;
    private final FetchStore store;

    /** @param room what recording leaves: else the keeper would delete recorded logs for the sake of fetched ones */
    FetchAfterFlight(Settings all, FetchStore.Room room, NanoClock clock, Metrics metrics) {
        this.settings = all.fetch();
        this.ownComponentId = all.vehicles().ownComponentId();
        this.metrics = metrics;
        this.store = new FetchStore(
                FetchDisk.REAL,
                all.logDirectory().resolve(DIRECTORY),
                room,
                settings.maxTotalBytes(),
                clock,
                metrics.part("fetch.store", Recovery.CONTINUES));
    }

    /** To be run by a thread that may wait. */
    FetchStore agent() {
        return store;
    }

    /** Follows the flights of one link's vehicles. */
    FlightListener.Factory forLink(String link) {
        return AfterFlight.factory(ownLogs(link), ownComponentId, metrics.part("fetch." + link, Recovery.PAUSES));
    }

    private AfterFlight.OwnLogs ownLogs(String link) {
        CountedFetch.Counters counters = CountedFetch.Counters.register(metrics, link);
        return new AfterFlight.OwnLogs() {
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
                return new CountedFetch(store.client(vehicle, link), counters);
            }
        };
    }
}
