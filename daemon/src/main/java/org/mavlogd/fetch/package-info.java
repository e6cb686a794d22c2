/**
 * Gets the logs that a vehicle keeps itself: lists them and reads them, by log messages or by MAVLink's file transfer, and
 * keeps what has arrived so that a later run continues.
 *
 * <p>{@link org.mavlogd.fetch.FetchSession} leads the conversation; frames and time come in, requests go out, bytes of logs
 * go to a {@link org.mavlogd.fetch.FetchClient.LogSink}. It belongs to the link's thread and never waits. Data from the
 * vehicle is trusted only as far as it can be checked, and never chooses a path.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fetch;
