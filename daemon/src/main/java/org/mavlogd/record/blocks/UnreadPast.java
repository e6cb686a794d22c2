package org.mavlogd.record.blocks;

import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.recovery.LeftOverLog;

/**
 * The part of a continued log's past that was too much to be read before its live ULog began: somebody else still reads it. Owned by
 * the recorder's thread.
 */
final class UnreadPast {
    private @Nullable LeftOverLog log;

    /** The log whose past is still being read; null when there is none. */
    void await(@Nullable LeftOverLog unread) {
        log = unread;
    }

    /** What it defined, once, as soon as it is read; null before and after. */
    @Nullable
    HeadCollector take() {
        LeftOverLog awaited = log;
        HeadCollector past = awaited == null ? null : awaited.takePast();
        if (past != null) {
            log = null;
            past.dataBegins();
        }
        return past;
    }

    /** Nobody needs it any more. */
    void drop() {
        LeftOverLog awaited = log;
        if (awaited != null) {
            log = null;
            awaited.noPast();
        }
    }
}
