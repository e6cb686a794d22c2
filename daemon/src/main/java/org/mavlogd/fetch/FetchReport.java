package org.mavlogd.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;

/**
 * Keeps the status of one vehicle's card up to date: it observes each conversation between the session and the client
 * that stores logs, and sets the status about four times a second while something changes. Link's thread.
 */
final class FetchReport {
    /** Of a longer list only the newest logs are shown. */
    static final int MAX_LISTED = 300;

    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long HEARD_NS = TimeUnit.MILLISECONDS.toNanos(3500);
    private static final long RATE_NS = TimeUnit.SECONDS.toNanos(4);
    private static final int NS_PER_S = 1_000_000_000;
    /** Heap for a log in the list, besides its path. */
    private static final int LOG_BYTES = 96;

    private final FetchChannels.OfLink link;
    private final FetchTarget vehicle;
    private final FetchChannel channel;
    private final MemoryShare memory;
    private long request;
    private long heardNs;
    private boolean isArmed;
    private boolean isHeard = true;
    private boolean isOurs = true;
    private boolean isRunning;
    private FetchStatus.Listing listing = FetchStatus.Listing.NONE;
    private boolean isRequested;
    private boolean isListed;
    private final List<FetchStatus.Item> items = new ArrayList<>();
    private String problem = "";
    private boolean isChanged = true;
    private long publishedNs;
    // To measure the rate: the bytes at the start of its period.
    private int current = -1;
    private long doneBytes;
    private long rateBytes;
    private long rateNs;
    private long bytesPerS;

    FetchReport(FetchChannels.OfLink link, FetchTarget vehicle, boolean isArmed, long nowNs) {
        this.link = link;
        this.memory = link.memory(vehicle.systemId());
        this.vehicle = vehicle;
        this.isArmed = isArmed;
        this.heardNs = nowNs;
        this.channel = link.add(status());
        this.publishedNs = nowNs;
    }

    private FetchStatus status() {
        FetchStatus.Run run = new FetchStatus.Run(isRequested, isListed, items, bytesPerS, problem);
        return new FetchStatus(vehicle, link.link(), isArmed, isHeard, isOurs, isRunning, request, listing, run);
    }

    /** The newest request if it was not taken before; else null. */
    @Nullable
    FetchRequest take() {
        FetchRequest newest = channel.request();
        if (newest.number() == request) {
            return null;
        }
        request = newest.number();
        isChanged = true;
        return newest;
    }

    /** Notes that a frame of the vehicle came. Hot path. */
    void onFrame(long nowNs) {
        heardNs = nowNs;
    }

    void onArming(boolean newArmed, long nowNs) {
        heardNs = nowNs;
        isChanged |= newArmed != isArmed;
        isArmed = newArmed;
    }

    /** Why a request cannot be met; empty if it can. */
    String refusal() {
        return FetchChannel.refusal(status());
    }

    /** Updates the status if it is time. */
    void onTick(boolean newOurs, boolean newRunning, long nowNs) {
        boolean newHeard = nowNs - heardNs < HEARD_NS;
        boolean isOther = newHeard != isHeard || newOurs != isOurs || newRunning != isRunning;
        isHeard = newHeard;
        isOurs = newOurs;
        isRunning = newRunning;
        measure(nowNs);
        if (isOther || (isChanged && nowNs - publishedNs >= INTERVAL_NS)) {
            publish(nowNs);
        }
    }

    private void publish(long nowNs) {
        if (current >= 0) {
            FetchStatus.Item item = items.get(current);
            items.set(current, new FetchStatus.Item(item.log(), item.phase(), doneBytes, item.why()));
        }
        isChanged = false;
        publishedNs = nowNs;
        channel.set(status());
    }

    private void measure(long nowNs) {
        if (current < 0) {
            bytesPerS = 0;
            return;
        }
        long spanNs = nowNs - rateNs;
        if (rateNs == 0) {
            rateBytes = doneBytes;
            rateNs = nowNs;
        } else if (spanNs >= RATE_NS || (bytesPerS == 0 && spanNs >= RATE_NS / 4)) {
            bytesPerS = (long) ((doneBytes - rateBytes) * (double) NS_PER_S / spanNs);
            if (spanNs >= RATE_NS) {
                rateBytes = doneBytes;
                rateNs = nowNs;
            }
            isChanged = true;
        }
    }

    /** A request cannot be met, or a conversation could not begin. */
    void refused(String why) {
        begun(true);
        problem = why;
    }

    /** The vehicle is not heard on this link any more. */
    void close() {
        memory.close();
        link.remove(channel);
    }

    /** An internal error ended the conversation. */
    void failed() {
        if (problem.isEmpty()) {
            problem = "internal error, see the recorder's log";
        }
        cutRest(problem);
        current = -1;
        isChanged = true;
    }

    private void begun(boolean newRequested) {
        isRequested = newRequested;
        isListed = false;
        items.clear();
        problem = "";
        current = -1;
        bytesPerS = 0;
        isChanged = true;
    }

    /**
     * Begins to observe a conversation.
     *
     * @param asked the request; null after a flight
     */
    FetchClient watch(FetchClient client, @Nullable FetchRequest asked) {
        begun(asked != null);
        return new Watched(client, asked);
    }

    private void listed(List<RemoteLog> logs) {
        int omitted = Math.max(0, logs.size() - MAX_LISTED);
        List<RemoteLog> shown = logs.subList(omitted, logs.size());
        long bytes = shown.stream()
                .mapToLong(log -> LOG_BYTES + 2L * log.path().length())
                .sum();
        memory.close();
        if (memory.reserve(bytes)) {
            listing = new FetchStatus.Listing(listing.number() + 1, shown, omitted);
        } else {
            listing = new FetchStatus.Listing(listing.number() + 1, List.of(), logs.size());
            problem = "the memory budget has no room for the list of " + logs.size() + " logs";
        }
        isListed = true;
        isChanged = true;
    }

    private int indexOf(RemoteLog log) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).log().equals(log)) {
                return i;
            }
        }
        return -1;
    }

    private void put(RemoteLog log, FetchStatus.Phase phase, long done, String why) {
        int index = indexOf(log);
        if (index >= 0) {
            items.set(index, new FetchStatus.Item(log, phase, done, why));
            isChanged = true;
        }
    }

    private void cutRest(String why) {
        for (int i = 0; i < items.size(); i++) {
            FetchStatus.Item item = items.get(i);
            boolean isOpen = item.phase() == FetchStatus.Phase.WAITING || item.phase() == FetchStatus.Phase.FETCHING;
            if (isOpen) {
                long done = i == current ? doneBytes : item.doneBytes();
                items.set(i, new FetchStatus.Item(item.log(), FetchStatus.Phase.INCOMPLETE, done, why));
            }
        }
    }

    private final class Watched implements FetchClient {
        private final FetchClient client;
        private final @Nullable FetchRequest asked;

        Watched(FetchClient client, @Nullable FetchRequest asked) {
            this.client = client;
            this.asked = asked;
        }

        @Override
        public List<RemoteLog> onList(List<RemoteLog> logs, Way way) {
            listed(logs);
            List<RemoteLog> wanted = client.onList(logs, way);
            for (RemoteLog log : wanted) {
                items.add(new FetchStatus.Item(log, FetchStatus.Phase.WAITING, 0, ""));
            }
            if (asked != null) {
                asked.logs().stream()
                        .filter(log -> wanted.stream().noneMatch(found -> found.isSame(log)))
                        .forEach(log -> items.add(new FetchStatus.Item(
                                log,
                                FetchStatus.Phase.INCOMPLETE,
                                0,
                                "it is not in the vehicle's list any more; read the list again")));
            }
            return wanted;
        }

        @Override
        public Optional<Start> begin(RemoteLog log, boolean isAnew) {
            Optional<Start> start = client.begin(log, isAnew);
            if (start.isPresent()) {
                current = indexOf(log);
                doneBytes = log.length() - start.get().missing().bytes();
                rateNs = 0;
                put(log, FetchStatus.Phase.FETCHING, doneBytes, "");
            }
            return start;
        }

        @Override
        public void onProgress(RemoteLog log, long done) {
            isChanged |= done != doneBytes;
            doneBytes = done;
            client.onProgress(log, done);
        }

        @Override
        public void onWhole(RemoteLog log, OptionalInt checksum) {
            current = -1;
            put(log, FetchStatus.Phase.ARRIVED, log.length(), "");
            client.onWhole(log, checksum);
        }

        @Override
        public void onCut(RemoteLog log, String why) {
            long done = current >= 0 && current == indexOf(log) ? doneBytes : 0;
            current = -1;
            put(log, FetchStatus.Phase.INCOMPLETE, done, why);
            client.onCut(log, why);
        }

        @Override
        public void onEnd(String why) {
            if (!why.isEmpty()) {
                problem = why;
                cutRest(why);
            }
            isChanged = true;
            client.onEnd(why);
        }
    }
}
