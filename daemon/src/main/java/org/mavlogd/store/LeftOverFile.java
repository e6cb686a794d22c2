package org.mavlogd.store;

import java.util.Optional;

/**
 * A file that an earlier run did not finish.
 *
 * @param note what that run noted beside it, if that can be read
 * @param isCandidate whether the stream of its vehicle may still run, and go on in it
 */
record LeftOverFile(String stem, LogKind kind, Optional<StreamNote> note, boolean isCandidate) {
    int systemId() {
        return LogName.systemId(stem);
    }

    String unfinishedName() {
        return kind.unfinished(stem);
    }

    String unreadName() {
        return kind.unread(stem);
    }

    String finishedName() {
        return kind.finished(stem);
    }
}
