/**
 * The uploader, {@code mavlogd upload}: finds finished logs, reads their facts, and sends them to targets when
 * permitted. Reads the log directory and the recorder's status, and writes only its own notes.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fleet;
