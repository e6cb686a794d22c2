package org.mavlogd.fetch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches logs of one vehicle for the recorder: chosen ones, or the newest and those that an earlier flight
 * interrupted. Passes all disk work to the {@link FetchStore}. Link's thread.
 */
final class StoredFetch implements FetchClient {
    private static final Logger LOG = LoggerFactory.getLogger(FetchStore.class);
    private static final int MAX_LOGS = 8;

    private final FetchStore store;
    private final FetchTarget vehicle;
    private final String who;
    private final Optional<List<RemoteLog>> chosen;
    private FetchStore.Ticket ticket = new FetchStore.Ticket();
    private boolean isAsked;
    private @Nullable RemoteLog asked;

    /** @param chosen logs of an earlier list; empty for the newest */
    StoredFetch(FetchStore store, FetchTarget vehicle, String link, Optional<List<RemoteLog>> chosen) {
        this.store = store;
        this.vehicle = vehicle;
        this.chosen = chosen;
        this.who = link + ": " + vehicle.text();
    }

    @Override
    public List<RemoteLog> onList(List<RemoteLog> logs, FetchClient.Way way) {
        store.lookAgain();
        List<RemoteLog> wanted =
                chosen.map(earlier -> found(earlier, logs)).orElseGet(() -> newest(logs, store.names()));
        LOG.info("{}: {} logs on the vehicle, {} to fetch by {}", who, logs.size(), wanted.size(), way.text());
        return wanted;
    }

    /** The chosen logs as they are in the list now. The store refuses those that are stored already. */
    private static List<RemoteLog> found(List<RemoteLog> earlier, List<RemoteLog> logs) {
        return earlier.stream()
                .flatMap(log -> logs.stream().filter(log::isSame).limit(1))
                .toList();
    }

    private List<RemoteLog> newest(List<RemoteLog> logs, FetchStore.Names names) {
        List<RemoteLog> wanted = new ArrayList<>();
        vehicle.newest(logs).ifPresent(wanted::add);
        logs.stream()
                .filter(log -> names.parts().contains(name(log)) && !wanted.contains(log))
                .limit(MAX_LOGS)
                .forEach(wanted::add);
        wanted.removeIf(log -> names.whole().contains(name(log)));
        return wanted;
    }

    private String name(RemoteLog log) {
        return FetchedLogName.withLength(vehicle, log);
    }

    @Override
    public Optional<Start> begin(RemoteLog log, boolean isAnew) {
        if (!isAsked || !log.equals(asked)) {
            if (isAnew) {
                store.close(ticket);
            }
            FetchStore.Ticket fresh = new FetchStore.Ticket();
            if (!store.open(fresh, name(log), FetchedLogName.identity(vehicle, log), log.length(), isAnew)) {
                return Optional.empty();
            }
            ticket = fresh;
            isAsked = true;
            asked = log;
        }
        FetchStore.State state = ticket.state();
        if (!state.isOpen()) {
            return Optional.empty();
        }
        isAsked = false;
        return Optional.of(new Start(new Sink(ticket), state.missing()));
    }

    private final class Sink implements FetchClient.LogSink {
        private final FetchStore.Ticket file;

        Sink(FetchStore.Ticket file) {
            this.file = file;
        }

        @Override
        public boolean write(long position, byte[] bytes, int offset, int length) {
            return store.write(file, position, Arrays.copyOfRange(bytes, offset, offset + length));
        }

        @Override
        public String problem() {
            return file.state().problem();
        }

        @Override
        public boolean isStale() {
            return file.state().isStale();
        }
    }

    @Override
    public void onProgress(RemoteLog log, long doneBytes) {
        // Not needed here.
    }

    @Override
    public void onWhole(RemoteLog log, OptionalInt checksum) {
        store.finish(ticket, checksum);
    }

    @Override
    public void onCut(RemoteLog log, String why) {
        isAsked = false;
        store.close(ticket);
        LOG.info("{}: log {} is not complete yet: {}", who, log.id(), why);
    }

    @Override
    public void onEnd(String problem) {
        if (!problem.isEmpty()) {
            LOG.info("{}: fetching its logs ended: {}", who, problem);
        }
    }
}
