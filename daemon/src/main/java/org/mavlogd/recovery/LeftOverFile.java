package org.mavlogd.recovery;

import java.util.Optional;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;

/**
 * A file that an earlier run did not finish.
 *
 * @param note what that run noted beside it, if that can be read
 * @param isCandidate whether the stream of its vehicle may still run, and go on in it
 */
record LeftOverFile(String stem, LogKind kind, Optional<StreamNote> note, boolean isCandidate) {
    int systemId() {
        return LogName.systemIdOf(finishedName());
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
