package org.mavlogd.simulate;

import java.util.List;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogDataLayout;
import org.mavlogd.mavlink.LogEntryLayout;
import org.mavlogd.mavlink.LogRequestDataLayout;
import org.mavlogd.mavlink.LogRequestListLayout;
import org.mavlogd.mavlink.MessageIds;

/**
 * Answers LOG_REQUEST_LIST and LOG_REQUEST_DATA as autopilots do, with some frames in each round. While it answers a
 * request, ArduPilot ignores others and PX4 drops the old one; PX4 requires a list request first. Owned by the
 * vehicle's thread.
 */
final class LogServer {
    private final List<LogCard.StoredLog> logs;
    private final boolean isArduPilot;
    private final LogDownloads.PayloadSender sender;
    private final byte[] payload = new byte[LogDataLayout.FULL_LENGTH];
    private boolean isListed;
    private boolean isListing;
    private int nextId;
    private int lastId;
    private int sendingIndex = -1;
    private long offset;
    private long remaining;

    /** @param logs the oldest first */
    LogServer(List<LogCard.StoredLog> logs, boolean isArduPilot, LogDownloads.PayloadSender sender) {
        this.logs = List.copyOf(logs);
        this.isArduPilot = isArduPilot;
        this.sender = sender;
    }

    /** Resets the state, as a reboot does. */
    void restart() {
        isListed = false;
        end();
    }

    void onFrame(FrameView frame) {
        switch (frame.messageId()) {
            case MessageIds.LOG_REQUEST_LIST ->
                list(LogRequestListLayout.start(frame), LogRequestListLayout.end(frame));
            case MessageIds.LOG_REQUEST_DATA -> data(frame);
            case MessageIds.LOG_REQUEST_END -> {
                isListed = false;
                end();
            }
            default -> {}
        }
    }

    private void end() {
        isListing = false;
        sendingIndex = -1;
    }

    /** Whether answers remain to be sent. */
    boolean isBusy() {
        return isListing || sendingIndex >= 0;
    }

    private void list(int first, int last) {
        if (isArduPilot && isBusy()) {
            return;
        }
        end();
        isListed = true;
        isListing = true;
        int least = firstId();
        int most = logs.isEmpty() ? 0 : least + logs.size() - 1;
        nextId = logs.isEmpty() ? 0 : Math.min(Math.max(first, least), most);
        lastId = Math.min(last, most);
    }

    private int firstId() {
        return isArduPilot ? 1 : 0;
    }

    private void data(FrameView frame) {
        int index = LogRequestDataLayout.id(frame) - firstId();
        boolean isThere = index >= 0 && index < logs.size();
        if (!isThere || (isArduPilot ? isBusy() : !isListed)) {
            return;
        }
        end();
        sendingIndex = index;
        offset = LogRequestDataLayout.ofs(frame);
        long length = logs.get(index).length();
        remaining = Math.min(Math.max(0, length - offset), LogRequestDataLayout.count(frame));
    }

    /** Sends at most {@code frames} frames of the answers; returns the number sent. */
    int run(int frames) {
        int sent = 0;
        while (sent < frames && isBusy()) {
            if (isListing) {
                sendEntry();
            } else {
                sendData();
            }
            sent++;
        }
        return sent;
    }

    private void sendEntry() {
        boolean isEmpty = logs.isEmpty();
        LogCard.StoredLog log = isEmpty ? LogCard.StoredLog.NONE : logs.get(nextId - firstId());
        LogEntryLayout.putTimeUtc(payload, log.utcS());
        LogEntryLayout.putSize(payload, log.length());
        LogEntryLayout.putId(payload, nextId);
        LogEntryLayout.putNumLogs(payload, logs.size());
        LogEntryLayout.putLastLogNum(payload, lastId);
        sender.send(MessageIds.LOG_ENTRY, payload, LogEntryLayout.FULL_LENGTH);
        if (isEmpty || nextId >= lastId) {
            isListing = false;
        } else {
            nextId++;
        }
    }

    private void sendData() {
        LogCard.StoredLog log = logs.get(sendingIndex);
        int count = (int) Math.min(remaining, LogDataLayout.DATA_LENGTH);
        LogDataLayout.putOfs(payload, offset);
        LogDataLayout.putId(payload, sendingIndex + firstId());
        LogDataLayout.putCount(payload, count);
        log.copy(offset, payload, LogDataLayout.DATA_OFFSET, count);
        for (int i = LogDataLayout.DATA_OFFSET + count; i < LogDataLayout.FULL_LENGTH; i++) {
            payload[i] = 0;
        }
        sender.send(MessageIds.LOG_DATA, payload, LogDataLayout.FULL_LENGTH);
        offset += count;
        remaining -= count;
        if (count < LogDataLayout.DATA_LENGTH || remaining == 0) {
            sendingIndex = -1;
        }
    }
}
