package org.mavlogd.fetch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.SystemTimeLayout;
import org.mavlogd.memory.MemoryShare;

/**
 * The conversation with one vehicle about its logs: the list, the chosen logs, and the end. Ends at once when the
 * vehicle arms.
 *
 * <p>Time is an argument. Owned by the link's thread. No data from the vehicle causes an exception.
 */
public final class FetchSession {
    private static final long REBOOT_MS = 1000;
    // Heartbeats come once a second on a good link.
    private static final long DEAF_NS = 3_500_000_000L;
    private static final long FAREWELL_NS = 300_000_000;
    // Ticks come at least every half second.
    private static final long HELD_UP_NS = 2_000_000_000L;
    private static final int MAX_FAREWELLS = 5;
    // Heap for a log to fetch, besides its path.
    private static final int LOG_BYTES = 112;

    /**
     * How logs are fetched.
     *
     * @param ways in the order in which they are tried
     * @param patienceNs how long there may be no progress before it ends
     * @param verifies whether the vehicle is asked for checksums, which take it some time
     */
    public record Wish(List<FetchClient.Way> ways, long patienceNs, boolean verifies) {
        public Wish {
            ways = List.copyOf(ways);
            if (ways.isEmpty()) {
                throw new IllegalArgumentException("no way to fetch logs");
            }
        }

        Wish withoutChecksums() {
            return new Wish(ways, patienceNs, false);
        }
    }

    private final FetchTarget target;
    private final Wish wish;
    private final FetchOutbox outbox;
    private final FetchClient client;
    private final Deque<FetchClient.Way> otherWays;
    private final MemoryShare memory;
    // Memory of the list while it is read.
    private final MemoryShare listed;
    private final Deque<RemoteLog> toFetch = new ArrayDeque<>();
    private final LogRequests requests;
    private FetchClient.Way way;
    private Exchange.@Nullable Listing listing;
    private @Nullable RemoteLog log;
    private boolean isAnew;
    private boolean isAdvancing;
    private boolean isNextDue;
    private FetchClient.@Nullable Start start;
    private Exchange.@Nullable Transfer transfer;
    private boolean ended;
    private boolean usedMessages;
    private int farewells;
    private long farewellNs;
    private long idleSinceNs;
    private long listedNs;
    private int listCount;
    private int newestId;
    private boolean isRebooted;
    private boolean hasFailed;
    private long heardNs;
    private long calledNs;
    private long bootMs = -1;
    private String skipped = "";

    /** @param memory asked before anything of the vehicle's list is kept; released at the end */
    public FetchSession(
            FetchTarget target, Wish wish, FetchOutbox outbox, FetchClient client, MemoryShare memory, long nowNs) {
        this.memory = memory;
        this.listed = memory.part();
        this.target = target;
        this.wish = wish;
        this.outbox = outbox;
        this.client = client;
        this.otherWays = new ArrayDeque<>(wish.ways());
        this.requests = new LogRequests(target, outbox);
        this.way = otherWays.removeFirst();
        this.heardNs = nowNs;
        this.calledNs = nowNs;
        list(nowNs);
    }

    public FetchClient.Way way() {
        return way;
    }

    /** Whether the conversation has ended; the vehicle may not have heard that yet. */
    public boolean isEnded() {
        return ended;
    }

    /** Whether the vehicle has stopped sending, or was asked often enough. */
    public boolean isAtRest(long nowNs) {
        return ended && nowNs - farewellNs >= FAREWELL_NS;
    }

    private void list(long nowNs) {
        listed.close();
        usedMessages |= way == FetchClient.Way.MESSAGES;
        listing = way == FetchClient.Way.FTP
                ? new FtpListing(target, !otherWays.isEmpty(), outbox, listed, nowNs)
                : new MessageListing(target, !otherWays.isEmpty(), outbox, listed, nowNs);
    }

    /** Takes a frame of the vehicle's autopilot. */
    public void onFrame(FrameView frame, long nowNs) {
        int messageId = frame.messageId();
        heardNs = nowNs;
        excuseDelay(nowNs);
        if (ended) {
            onLateFrame(messageId, nowNs);
        } else if (messageId == MessageIds.HEARTBEAT) {
            onHeartbeat(Heartbeat.decode(frame), nowNs);
        } else if (messageId == MessageIds.SYSTEM_TIME) {
            onBootTime(SystemTimeLayout.timeBootMs(frame), nowNs);
        } else {
            Exchange exchange = exchange();
            if (exchange != null) {
                exchange.onFrame(frame, nowNs);
                follow(nowNs);
            }
        }
    }

    /** While a disk held up this thread, the vehicle could not be heard: patience with it begins anew. */
    private void excuseDelay(long nowNs) {
        Exchange exchange = exchange();
        if (exchange != null && nowNs - calledNs >= HELD_UP_NS) {
            exchange.status().progress(nowNs);
        }
        calledNs = nowNs;
    }

    private @Nullable Exchange exchange() {
        return listing != null ? listing : transfer;
    }

    /** Called if LOG_REQUEST_END was lost: the vehicle still sends, and does not arm. */
    private void onLateFrame(int messageId, long nowNs) {
        boolean isLate = messageId == MessageIds.LOG_DATA || messageId == MessageIds.LOG_ENTRY;
        if (isLate && usedMessages && farewells < MAX_FAREWELLS && nowNs - farewellNs >= FAREWELL_NS) {
            farewells++;
            farewellNs = nowNs;
            requests.end();
        }
    }

    private void onHeartbeat(Heartbeat heartbeat, long nowNs) {
        if (heartbeat.autopilot() == target.autopilot() && heartbeat.isArmed()) {
            stop("the vehicle is armed: logs are fetched only while it is disarmed", nowNs);
        }
    }

    private void onBootTime(long newBootMs, long nowNs) {
        boolean isReboot = bootMs >= 0 && newBootMs + REBOOT_MS < bootMs;
        bootMs = newBootMs;
        isRebooted |= isReboot;
        Exchange exchange = exchange();
        if (isReboot && exchange != null) {
            exchange.onReboot(nowNs);
        }
    }

    public void onTick(long nowNs) {
        if (ended) {
            return;
        }
        excuseDelay(nowNs);
        Exchange exchange = exchange();
        if (exchange != null) {
            // A vehicle that is not heard cannot answer: nothing is sent, and no attempt counted.
            if (nowNs - heardNs < DEAF_NS) {
                exchange.onTick(nowNs);
            }
            follow(nowNs);
        } else if (log != null) {
            beginTransfer(log, nowNs);
        }
    }

    /** Continues after the end of an exchange. */
    private void follow(long nowNs) {
        if (listing != null) {
            followListing(listing, nowNs);
        } else if (log != null && start != null && transfer != null) {
            followTransfer(log, start, transfer, nowNs);
        }
    }

    private void followListing(Exchange.Listing asked, long nowNs) {
        switch (asked.status().outcome()) {
            case RUNNING -> giveUpIfIdle(asked, nowNs);
            case DONE -> onList(asked.logs(), nowNs);
            case FAILED -> end(asked.status().problem(), nowNs);
            case UNANSWERED -> onUnanswered(asked.status().problem(), nowNs);
        }
    }

    private void onList(List<RemoteLog> logs, long nowNs) {
        // A file server without any logs may belong to a vehicle that keeps them elsewhere.
        if (logs.isEmpty() && !otherWays.isEmpty()) {
            onUnanswered("it has none", nowNs);
            return;
        }
        listing = null;
        listedNs = nowNs;
        listCount = logs.size();
        newestId = logs.isEmpty() ? -1 : logs.get(logs.size() - 1).id();
        isRebooted = false;
        List<RemoteLog> wanted = client.onList(logs, way);
        listed.close();
        if (memory.reserve(bytes(wanted))) {
            toFetch.addAll(wanted);
            next(nowNs);
        } else {
            end("the memory budget has no room for the list of " + wanted.size() + " logs to fetch", nowNs);
        }
    }

    private static long bytes(List<RemoteLog> logs) {
        return logs.stream().mapToLong(log -> LOG_BYTES + log.path().length()).sum();
    }

    private void onUnanswered(String why, long nowNs) {
        String text = "by " + way.text() + ": " + why;
        skipped = skipped.isEmpty() ? text : skipped + "; " + text;
        if (otherWays.isEmpty()) {
            end(skipped, nowNs);
        } else {
            way = otherWays.removeFirst();
            list(nowNs);
        }
    }

    private void giveUpIfIdle(Exchange exchange, long nowNs) {
        if (nowNs - exchange.status().progressNs() >= wish.patienceNs()) {
            end("nothing came from the vehicle for " + wish.patienceNs() / 1_000_000_000 + " s", nowNs);
        }
    }

    /** In a loop, not recursive: logs without data are complete as soon as they begin, and there may be thousands. */
    private void next(long nowNs) {
        isNextDue = true;
        if (isAdvancing) {
            return;
        }
        isAdvancing = true;
        try {
            while (isNextDue) {
                isNextDue = false;
                beginNext(nowNs);
            }
        } finally {
            isAdvancing = false;
        }
    }

    private void beginNext(long nowNs) {
        transfer = null;
        start = null;
        isAnew = false;
        log = toFetch.pollFirst();
        idleSinceNs = nowNs;
        if (log == null) {
            end("", nowNs);
        } else {
            beginTransfer(log, nowNs);
        }
    }

    private void beginTransfer(RemoteLog next, long nowNs) {
        Optional<FetchClient.Start> begun = client.begin(next, isAnew);
        if (begun.isEmpty()) {
            if (nowNs - idleSinceNs >= wish.patienceNs()) {
                end("the disk does not answer", nowNs);
            }
            return;
        }
        start = begun.get();
        if (!start.sink().problem().isEmpty()) {
            client.onCut(next, start.sink().problem());
            next(nowNs);
            return;
        }
        FtpTransfer.Check check = wish.verifies() ? FtpTransfer.Check.CHECKSUM : FtpTransfer.Check.SIZE;
        transfer = way == FetchClient.Way.FTP
                ? new FtpTransfer(target, next, start, check, outbox, nowNs)
                : new MessageTransfer(target, next, listed(next, nowNs), start, outbox, nowNs);
        transfer.onTick(nowNs);
        followTransfer(next, start, transfer, nowNs);
    }

    private MessageTransfer.Listed listed(RemoteLog next, long nowNs) {
        boolean isNewest = newestId == next.id();
        return new MessageTransfer.Listed(
                nowNs == listedNs && !isRebooted, isNewest && !isRebooted && !hasFailed, listCount);
    }

    private void followTransfer(RemoteLog current, FetchClient.Start begun, Exchange.Transfer running, long nowNs) {
        client.onProgress(current, current.length() - begun.missing().bytes());
        if (!begun.sink().problem().isEmpty()) {
            running.abandon();
            client.onCut(current, begun.sink().problem());
            next(nowNs);
        } else if (begun.sink().isStale() && !isAnew) {
            running.abandon();
            isAnew = true;
            transfer = null;
            idleSinceNs = nowNs;
            beginTransfer(current, nowNs);
        } else {
            followOutcome(current, running, nowNs);
        }
    }

    private void followOutcome(RemoteLog current, Exchange.Transfer running, long nowNs) {
        switch (running.status().outcome()) {
            case RUNNING -> giveUpIfIdle(running, nowNs);
            case DONE -> {
                client.onWhole(current, running.checksum());
                next(nowNs);
            }
            case FAILED, UNANSWERED -> {
                hasFailed = true;
                client.onCut(current, running.status().problem());
                next(nowNs);
            }
        }
    }

    /** Ends it early; fetched data stays. */
    public void stop(String why, long nowNs) {
        end(why, nowNs);
    }

    private void end(String problem, long nowNs) {
        if (ended) {
            return;
        }
        ended = true;
        toFetch.clear();
        memory.close();
        farewellNs = nowNs;
        Exchange exchange = exchange();
        if (exchange != null && exchange.status().isRunning()) {
            exchange.abandon();
        } else if (usedMessages) {
            requests.end();
        }
        if (log != null && !problem.isEmpty()) {
            client.onCut(log, problem);
        }
        client.onEnd(problem);
    }
}
