package org.mavlogd.record;

/**
 * Which recording this is.
 *
 * @param feed the link it comes from
 * @param session number of the session in that feed
 * @param recorder name and version of this program, as it goes into the log
 */
record RecordingIdentity(
        String feed,
        int session,
        int systemId,
        int componentId,
        long startedNs,
        long startedEpochMs,
        String recorder) {}
