/**
 * The uploader, {@code mavlogd upload}: finds finished logs, reads what is worth knowing of them, and sends them to targets when that
 * is allowed. It reads the log directory and the recorder's status, and writes nothing but its own notes.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fleet;
