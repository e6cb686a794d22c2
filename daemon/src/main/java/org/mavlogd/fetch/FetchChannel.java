package org.mavlogd.fetch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.metrics.Latest;

/**
 * Connects users who request logs of one vehicle with the thread of its link: requests go there, the status comes back.
 *
 * <p>One thread makes requests, the link's thread takes them and sets the status, any thread may read it. A request
 * that cannot be met now is refused at once; the link's thread checks again when it takes it.
 */
public final class FetchChannel {
    /** How many logs may be chosen at once. */
    public static final int MAX_CHOSEN = 100;

    private final long maxTotalBytes;
    private final Latest<FetchStatus> status;
    private final Latest<FetchRequest> request = new Latest<>(FetchRequest.NONE);

    /** @param maxTotalBytes of all fetched logs together; 0 for no limit */
    FetchChannel(FetchStatus first, long maxTotalBytes) {
        this.status = new Latest<>(first);
        this.maxTotalBytes = maxTotalBytes;
    }

    public FetchStatus status() {
        return status.get();
    }

    /** Requests the vehicle's list; returns why that is not possible now, empty if it is. */
    public String list() {
        String refusal = refusal();
        return refusal.isEmpty() ? hand(FetchRequest.Kind.FETCH, List.of()) : refusal;
    }

    /**
     * Requests logs; returns why that is not possible now, empty if it is.
     *
     * @param listing the number of the list from which they were chosen
     * @param ids in that list
     */
    public String fetch(int listing, List<Integer> ids) {
        String refusal = refusal();
        if (!refusal.isEmpty()) {
            return refusal;
        }
        FetchStatus.Listing listed = status.get().listing();
        if (listed.number() != listing) {
            return "the list of logs has been read again since; choose again";
        }
        if (ids.isEmpty() || ids.size() > MAX_CHOSEN) {
            return "1 to " + MAX_CHOSEN + " logs can be fetched at once, not " + ids.size();
        }
        Map<Integer, RemoteLog> byId = new HashMap<>();
        listed.logs().forEach(log -> byId.put(log.id(), log));
        List<RemoteLog> chosen = new ArrayList<>();
        for (int id : ids) {
            RemoteLog log = byId.remove(id);
            if (log == null) {
                return "log " + id + " is not in the list, or chosen twice";
            }
            chosen.add(log);
        }
        long bytes = chosen.stream().mapToLong(RemoteLog::length).sum();
        return maxTotalBytes != 0 && bytes > maxTotalBytes
                ? "the chosen logs have " + bytes + " bytes; [fetch] max_total_mib keeps " + maxTotalBytes
                        + " bytes of fetched logs: choose fewer, or raise it"
                : hand(FetchRequest.Kind.FETCH, chosen);
    }

    /** Ends the active conversation; returns why that is not possible, empty if it is. Received data stays. */
    public String cancel() {
        return status.get().isRunning()
                ? hand(FetchRequest.Kind.CANCEL, List.of())
                : "nothing is being fetched from " + status.get().vehicle().text();
    }

    private String hand(FetchRequest.Kind kind, List<RemoteLog> logs) {
        request.set(new FetchRequest(request.get().number() + 1, kind, logs));
        return "";
    }

    private String refusal() {
        FetchStatus now = status.get();
        if (now.request() != request.get().number()) {
            return "the previous request is still pending; try again in a second";
        }
        return refusal(now);
    }

    /** Why the vehicle cannot be asked for logs now; empty if it can. */
    static String refusal(FetchStatus now) {
        String who = now.vehicle().text();
        if (now.isArmed()) {
            return who + " is armed: logs are fetched only while it is disarmed";
        }
        if (now.isRunning()) {
            return "logs of " + who + " are being fetched already; one fetch at a time";
        }
        if (!now.isOurs()) {
            return who + " is recorded through another link; choose it there";
        }
        return now.isHeard() ? "" : who + " is silent; logs can be fetched when it is heard again";
    }

    /** The newest request. Link's thread. */
    FetchRequest request() {
        return request.get();
    }

    /** Sets the status. Link's thread. */
    void set(FetchStatus next) {
        status.set(next);
    }
}
