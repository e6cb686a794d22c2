package org.mavlogd.fetch;

import org.mavlogd.mavlink.LogRequestDataLayout;
import org.mavlogd.mavlink.LogRequestEndLayout;
import org.mavlogd.mavlink.LogRequestListLayout;
import org.mavlogd.mavlink.MessageIds;

/** Writes the messages that request logs. Owned by the link's thread. */
final class LogRequests {
    private final FetchTarget target;
    private final FetchOutbox outbox;
    private final byte[] payload = new byte[LogRequestDataLayout.FULL_LENGTH];

    LogRequests(FetchTarget target, FetchOutbox outbox) {
        this.target = target;
        this.outbox = outbox;
    }

    void list(int firstId, int lastId) {
        LogRequestListLayout.putStart(payload, firstId);
        LogRequestListLayout.putEnd(payload, lastId);
        LogRequestListLayout.putTargetSystem(payload, target.systemId());
        LogRequestListLayout.putTargetComponent(payload, target.componentId());
        outbox.send(MessageIds.LOG_REQUEST_LIST, payload, LogRequestListLayout.FULL_LENGTH);
    }

    void data(int id, long start, long end) {
        LogRequestDataLayout.putOfs(payload, start);
        LogRequestDataLayout.putCount(payload, end - start);
        LogRequestDataLayout.putId(payload, id);
        LogRequestDataLayout.putTargetSystem(payload, target.systemId());
        LogRequestDataLayout.putTargetComponent(payload, target.componentId());
        outbox.send(MessageIds.LOG_REQUEST_DATA, payload, LogRequestDataLayout.FULL_LENGTH);
    }

    /** Asks the vehicle to stop sending, and to log again. */
    void end() {
        LogRequestEndLayout.putTargetSystem(payload, target.systemId());
        LogRequestEndLayout.putTargetComponent(payload, target.componentId());
        outbox.send(MessageIds.LOG_REQUEST_END, payload, LogRequestEndLayout.FULL_LENGTH);
    }
}
