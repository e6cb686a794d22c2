/**
 * Messages of systemd's journal since boot, read by a child process {@code journalctl}. The thread {@code journal}
 * reads lines of its JSON and publishes tagged log messages. The position in the journal is kept over restarts.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.journal;
