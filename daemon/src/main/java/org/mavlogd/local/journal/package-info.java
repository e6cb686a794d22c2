/**
 * Messages of systemd's journal since boot, read by a child process {@code journalctl}. Input are lines of its JSON on
 * the thread {@code journal}, output are tagged log messages. The position in the journal is kept over restarts.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.journal;
