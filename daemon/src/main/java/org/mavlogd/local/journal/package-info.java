/**
 * Messages of systemd's journal since boot, read by a child process {@code journalctl}. Lines of its JSON come in on
 * the thread {@code journal}; tagged messages go out. Where the journal was read up to outlives a restart.
 *
 * @see <a href="https://systemd.io/JOURNAL_EXPORT_FORMATS/">Journal Export Formats, "Journal JSON Format"</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.journal;
