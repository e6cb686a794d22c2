/**
 * Interfaces for operators and the service manager: HTTP pages, and notices to systemd.
 *
 * <p>Beside the way of the bytes. Pages come in as {@link org.mavlogd.control.Endpoint}s that others make, and go out on
 * one thread named {@code control}. A port that cannot be opened is tried again, as links are. Every client is limited in
 * memory, time and connections, and cannot affect the recording.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.control;
