package org.mavlogd.fetch;

import org.mavlogd.mavlink.LogTransferLayout;
import org.mavlogd.mavlink.MessageIds;

/** Writes the messages that ask for logs. Owned by the link's thread. */
final class LogRequests {
    private final FetchTarget target;
    private final FetchOutbox outbox;
    private final byte[] payload = new byte[LogTransferLayout.REQUEST_LENGTH];

    LogRequests(FetchTarget target, FetchOutbox outbox) {
        this.target = target;
        this.outbox = outbox;
    }

    void list(int firstId, int lastId) {
        Bytes.putInt16(payload, LogTransferLayout.LIST_FIRST, firstId);
        Bytes.putInt16(payload, LogTransferLayout.LIST_LAST, lastId);
        payload[LogTransferLayout.LIST_TARGET_SYSTEM] = (byte) target.systemId();
        payload[LogTransferLayout.LIST_TARGET_COMPONENT] = (byte) target.componentId();
        outbox.send(MessageIds.LOG_REQUEST_LIST, payload, LogTransferLayout.LIST_LENGTH);
    }

    void data(int id, long start, long end) {
        Bytes.putInt32(payload, LogTransferLayout.REQUEST_OFFSET, (int) start);
        Bytes.putInt32(payload, LogTransferLayout.REQUEST_COUNT, (int) (end - start));
        Bytes.putInt16(payload, LogTransferLayout.REQUEST_ID, id);
        payload[LogTransferLayout.REQUEST_TARGET_SYSTEM] = (byte) target.systemId();
        payload[LogTransferLayout.REQUEST_TARGET_COMPONENT] = (byte) target.componentId();
        outbox.send(MessageIds.LOG_REQUEST_DATA, payload, LogTransferLayout.REQUEST_LENGTH);
    }

    /** The vehicle stops sending, and logs again. */
    void end() {
        payload[LogTransferLayout.END_TARGET_SYSTEM] = (byte) target.systemId();
        payload[LogTransferLayout.END_TARGET_COMPONENT] = (byte) target.componentId();
        outbox.send(MessageIds.LOG_REQUEST_END, payload, LogTransferLayout.END_LENGTH);
    }
}
