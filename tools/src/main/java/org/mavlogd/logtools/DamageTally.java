package org.mavlogd.logtools;

import org.mavlogd.ulog.ScanHandler.Flaw;

/** Counts what is not as it should be. */
final class DamageTally {
    private long spans;
    private long spanBytes;
    private long truncatedBytes;
    private long orphanMessages;
    private long flawedMessages;

    void onSpan(long length) {
        spans++;
        spanBytes += length;
    }

    void onCut(long length) {
        truncatedBytes += length;
    }

    void onFlawed(Flaw flaw) {
        if (flaw == Flaw.NO_TOPIC) {
            orphanMessages++;
        } else {
            flawedMessages++;
        }
    }

    LogDamage damage() {
        return new LogDamage(spans, spanBytes, truncatedBytes, orphanMessages, flawedMessages);
    }
}
