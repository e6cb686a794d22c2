/**
 * Fetches the logs on a vehicle's card: lists and reads them, by log messages or by MAVLink FTP, and stores received
 * bytes so that a later run can continue.
 *
 * <p>{@link org.mavlogd.fetch.FetchSession} runs the conversation: it gets frames and time, sends requests, and passes
 * the bytes of logs to a {@link org.mavlogd.fetch.FetchClient.LogSink}. It belongs to the link's thread and never
 * blocks. Data from the vehicle is trusted only as far as it can be checked, and never chooses a path.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fetch;
