package org.mavlogd.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogEntryLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryShare;

/**
 * Requests the list of logs by LOG_REQUEST_LIST and LOG_ENTRY. Lost entries are requested again; ArduPilot counts from
 * 1, PX4 from 0. Owned by the link's thread.
 */
final class MessageListing implements Exchange.Listing {
    private static final int FIRST_WAIT_MS = 1500;
    private static final int LONGEST_WAIT_MS = 4000;
    private static final int MAX_TRIES = 6;
    private static final int MAX_CHANGES = 8;
    // Heap for a log, with its places in a list and a tree.
    private static final int LOG_BYTES = 120;
    private static final int ALL = 0xFFFF;

    private final FetchTarget target;
    private final LogRequests requests;
    private final Repeat repeat = new Repeat(FIRST_WAIT_MS, LONGEST_WAIT_MS);
    private final TreeMap<Integer, RemoteLog> logs = new TreeMap<>();
    private final MemoryShare memory;
    private final boolean hasOtherWay;
    private final Exchange.Status status;
    private int count = -1;
    private int changes;

    /**
     * @param hasOtherWay whether another way should be tried if the vehicle does not answer
     * @param memory asked before anything of the list is kept; released by the caller
     */
    MessageListing(FetchTarget target, boolean hasOtherWay, FetchOutbox outbox, MemoryShare memory, long nowNs) {
        this.memory = memory;
        this.hasOtherWay = hasOtherWay;
        this.target = target;
        this.requests = new LogRequests(target, outbox);
        this.status = new Exchange.Status(nowNs);
    }

    @Override
    public List<RemoteLog> logs() {
        return new ArrayList<>(logs.values());
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        if (status.isRunning() && frame.messageId() == MessageIds.LOG_ENTRY) {
            onEntry(
                    LogEntryLayout.id(frame),
                    LogEntryLayout.numLogs(frame),
                    LogEntryLayout.size(frame),
                    LogEntryLayout.timeUtc(frame),
                    nowNs);
        }
    }

    private void onEntry(int id, int newCount, long length, long utcS, long nowNs) {
        if (newCount > MAX_LOGS) {
            status.fail("the vehicle reports " + newCount + " logs; up to " + MAX_LOGS + " are listed");
            return;
        }
        if (newCount != count) {
            onCount(newCount);
        }
        repeat.onAnswer(nowNs);
        if (newCount == 0) {
            status.progress(nowNs);
            status.done();
            return;
        }
        boolean isInList = id >= firstId() && id < firstId() + count;
        if (isInList && !logs.containsKey(id) && !memory.reserve(LOG_BYTES)) {
            status.fail("the memory budget has no room for the vehicle's list of " + count + " logs");
            return;
        }
        if (isInList && logs.put(id, new RemoteLog(id, length, utcS, "")) == null) {
            status.progress(nowNs);
            repeat.reset();
            repeat.onAsked(nowNs);
        }
        if (logs.size() == count) {
            status.done();
        }
    }

    /** The vehicle began or deleted a log meanwhile: ids may have changed. */
    private void onCount(int newCount) {
        if (count >= 0 && ++changes > MAX_CHANGES) {
            status.fail("the vehicle's list of logs changes all the time");
        }
        count = newCount;
        clear();
    }

    private void clear() {
        memory.release((long) logs.size() * LOG_BYTES);
        logs.clear();
    }

    private int firstId() {
        return target.isArduPilot() ? 1 : 0;
    }

    @Override
    public void onTick(long nowNs) {
        if (!status.isRunning() || !repeat.isDue(nowNs)) {
            return;
        }
        if (hasOtherWay && count < 0 && repeat.tries() >= MAX_TRIES) {
            status.unanswered("the vehicle does not answer when asked for its logs");
        } else {
            ask();
            repeat.onAsked(nowNs);
        }
    }

    private void ask() {
        int first = firstId();
        int last = first + count - 1;
        while (count > 0 && logs.containsKey(first)) {
            first++;
        }
        while (count > 0 && logs.containsKey(last)) {
            last--;
        }
        boolean isFirst = logs.isEmpty();
        requests.list(isFirst ? 0 : first, isFirst ? ALL : last);
    }

    @Override
    public Exchange.Status status() {
        return status;
    }

    @Override
    public void onReboot(long nowNs) {
        count = -1;
        clear();
        repeat.reset();
    }

    @Override
    public void abandon() {
        requests.end();
    }
}
