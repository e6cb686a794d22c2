package org.mavlogd.local.events;

import org.mavlogd.ulog.LogLevel;

/**
 * Something that this program said.
 *
 * @param tag of the part that said it
 * @param takenNs when, by the monotonic clock
 */
record Event(LogLevel level, int tag, long takenNs, String text) {}
