package org.mavlogd.record;

/**
 * Which recording this is.
 *
 * @param feed the link it comes from
 * @param session number of the session in that feed
 */
record RecordingIdentity(
        String feed, int session, int systemId, int componentId, long startedNs, long startedEpochMs) {}
