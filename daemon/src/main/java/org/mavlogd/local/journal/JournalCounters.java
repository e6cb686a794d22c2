package org.mavlogd.local.journal;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/** What is counted of the journal. Written by the journal's thread. */
record JournalCounters(Counter entries, Counter otherBoots, Counter filtered, Counter malformed, Counter starts) {
    static JournalCounters register(Metrics metrics) {
        return new JournalCounters(
                metrics.counter("journal.entries", "Entries read from the journal"),
                metrics.counter("journal.other.boots", "Entries of the journal that are of another boot"),
                metrics.counter("journal.filtered", "Entries of the journal that the settings leave out, and our own"),
                metrics.counter("journal.malformed", "Lines of journalctl that are no entry, or too long"),
                metrics.counter("journal.starts", "Times that journalctl was started"));
    }
}
