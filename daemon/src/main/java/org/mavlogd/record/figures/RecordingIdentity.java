package org.mavlogd.record.figures;

import org.mavlogd.store.LogNumber;

/**
 * Which recording this is.
 *
 * @param feed the link it comes from
 * @param session number of the session in that feed
 * @param log what the names of all its files share, known from the first file on
 */
public record RecordingIdentity(
        String feed, int session, int systemId, int componentId, long startedNs, long startedEpochMs, LogNumber log) {
    public RecordingIdentity(
            String feed, int session, int systemId, int componentId, long startedNs, long startedEpochMs) {
        this(feed, session, systemId, componentId, startedNs, startedEpochMs, new LogNumber());
    }
}
