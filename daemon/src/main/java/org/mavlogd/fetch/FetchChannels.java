package org.mavlogd.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Latest;

/**
 * The vehicles whose logs may be requested. Each link's thread adds and removes the vehicles of its link; any thread
 * may look them up.
 */
public final class FetchChannels {
    private final long maxTotalBytes;
    private final List<OfLink> links = new ArrayList<>();

    /** @param maxTotalBytes of all fetched logs together; 0 for no limit */
    public FetchChannels(long maxTotalBytes) {
        this.maxTotalBytes = maxTotalBytes;
    }

    /**
     * The part of one link. All are made before the first link starts.
     *
     * @param memory gives a share for the list of a vehicle's logs, by system id; called by the link's thread
     */
    public OfLink forLink(String link, IntFunction<MemoryShare> memory) {
        OfLink its = new OfLink(link, memory, maxTotalBytes);
        links.add(its);
        return its;
    }

    /** All vehicles that are heard; a vehicle that is heard on two links is listed twice. */
    public List<FetchChannel> all() {
        return links.stream().flatMap(link -> link.vehicles.get().stream()).toList();
    }

    /** The vehicle with these ids on this link. */
    public Optional<FetchChannel> find(String link, int systemId, int componentId) {
        return all().stream()
                .filter(channel -> {
                    FetchStatus status = channel.status();
                    return status.link().equals(link)
                            && status.vehicle().systemId() == systemId
                            && status.vehicle().componentId() == componentId;
                })
                .findFirst();
    }

    /** The vehicles of one link. Owned by the link's thread. */
    public static final class OfLink {
        private final String link;
        private final IntFunction<MemoryShare> memory;
        private final long maxTotalBytes;
        private final Latest<List<FetchChannel>> vehicles = new Latest<>(List.of());

        private OfLink(String link, IntFunction<MemoryShare> memory, long maxTotalBytes) {
            this.link = link;
            this.memory = memory;
            this.maxTotalBytes = maxTotalBytes;
        }

        String link() {
            return link;
        }

        MemoryShare memory(int systemId) {
            return memory.apply(systemId);
        }

        FetchChannel add(FetchStatus first) {
            FetchChannel channel = new FetchChannel(first, maxTotalBytes);
            List<FetchChannel> next = new ArrayList<>(vehicles.get());
            next.add(channel);
            vehicles.set(List.copyOf(next));
            return channel;
        }

        void remove(FetchChannel channel) {
            vehicles.set(
                    vehicles.get().stream().filter(other -> other != channel).toList());
        }
    }
}
