package org.mavlogd.wiring;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.config.Settings;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.control.Endpoint;
import org.mavlogd.fetch.CardFetch;
import org.mavlogd.fetch.FetchChannels;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchDisk;
import org.mavlogd.fetch.FetchStore;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.RemoteLog;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.FlightListener;

/** The part of the daemon that fetches logs from vehicles' cards. */
public final class FetchAfterFlight {
    /** Subdirectory of the log directory. */
    public static final String DIRECTORY = "fetched";

    private final CardFetch.Settings settings;
    private final int ownComponentId;
    private final Metrics metrics;
    private final NanoClock clock;
    private final MemoryBudget memory;
    private final FetchStore store;
    private final Optional<FetchChannels> requests;

    /**
     * @param room space that recording does not need: else the keeper would delete recorded logs in favour of fetched
     *     ones
     */
    FetchAfterFlight(Settings all, FetchStore.Room room, SharedParts shared) {
        this.settings = all.fetch();
        this.clock = shared.clock();
        this.memory = shared.memory();
        this.metrics = shared.metrics();
        boolean mayBeAsked = all.http().tokens().commands().isPresent();
        this.requests = mayBeAsked ? Optional.of(new FetchChannels(settings.maxTotalBytes())) : Optional.empty();
        this.ownComponentId = all.vehicles().ownComponentId();
        this.store = new FetchStore(
                FetchDisk.REAL,
                all.logDirectory().resolve(DIRECTORY),
                new CountedRoom(room, memory, metrics),
                settings.maxTotalBytes(),
                clock,
                metrics.part("fetch.store", Recovery.CONTINUES));
    }

    /** Adds whether a vehicle is known, and counts deletions. The store's thread. */
    private static final class CountedRoom implements FetchStore.Room {
        private final FetchStore.Room room;
        private final MemoryBudget memory;
        private final Counter deletedFiles;
        private final Counter deletedBytes;

        CountedRoom(FetchStore.Room room, MemoryBudget memory, Metrics metrics) {
            this.room = room;
            this.memory = memory;
            this.deletedFiles = metrics.counter("fetch.deleted.files", "Fetched logs deleted to make room");
            this.deletedBytes = metrics.counter("fetch.deleted.bytes", "Bytes of fetched logs deleted to make room");
        }

        @Override
        public long spareBytes() throws IOException {
            return room.spareBytes();
        }

        @Override
        public boolean isKnown(int systemId) {
            return memory.isKnown(systemId);
        }

        @Override
        public void onDeleted(long bytes) {
            deletedFiles.increment();
            deletedBytes.add(bytes);
        }
    }

    /** Whether logs are fetched at all: after flights, or on request. */
    boolean isNeeded() {
        return settings.afterDisarm() || requests.isPresent();
    }

    /** The commands to request logs; none if requests are not allowed. */
    List<Endpoint> commands() {
        return requests.map(channels -> new FetchCommands(channels, store).endpoints())
                .orElse(List.of());
    }

    /** To be run by a thread that may block. */
    FetchStore agent() {
        return store;
    }

    /** Makes listeners for the flights of one link's vehicles. */
    FlightListener.Factory forLink(String link) {
        CardFetch.VehicleCardLogs cardLogs = cardLogs(link);
        ContainedPart part = metrics.part("fetch." + link, Recovery.PAUSES);
        return requests.map(channels -> CardFetch.factory(
                        cardLogs, ownComponentId, part, channels.forLink(link, memory::beside), clock))
                .orElseGet(() -> CardFetch.factory(cardLogs, ownComponentId, part));
    }

    private CardFetch.VehicleCardLogs cardLogs(String link) {
        CountedFetch.Counters counters = CountedFetch.Counters.register(metrics, link);
        return new CardFetch.VehicleCardLogs() {
            @Override
            public boolean areWanted() {
                return settings.afterDisarm();
            }

            @Override
            public long delayNs() {
                return settings.delayNs();
            }

            @Override
            public MemoryShare memory(int systemId) {
                return memory.beside(systemId);
            }

            @Override
            public FetchClient client(FetchTarget vehicle) {
                return new CountedFetch(store.client(vehicle, link), counters);
            }

            @Override
            public FetchClient client(FetchTarget vehicle, List<RemoteLog> chosen) {
                return new CountedFetch(store.client(vehicle, link, chosen), counters);
            }
        };
    }
}
