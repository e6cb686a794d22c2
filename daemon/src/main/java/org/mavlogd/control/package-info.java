/**
 * Interfaces for operators and the service manager: HTTP pages, and notices to systemd.
 *
 * <p>Not part of the way from the link to the disk. Other packages provide pages as
 * {@link org.mavlogd.control.Endpoint}s; one thread named {@code control} serves them. A port that cannot be opened is
 * tried again, like a link. Every client is limited in memory, time and connections, and cannot affect the recording.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.control;
