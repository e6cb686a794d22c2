/**
 * Data that other programs of this computer publish: samples and messages as lines of JSON, or samples in a binary
 * form.
 *
 * <p>In come datagrams of a Unix socket or of UDP on loopback; out go samples and messages into the {@link
 * org.mavlogd.feed.LocalFeed} of that socket, and answers to programs that can receive them. Each socket has a {@link
 * org.mavlogd.local.publish.PublishSource} of its own, on its link's thread; they share the formats of the topics by {@link
 * org.mavlogd.local.publish.FormatClaims} alone.
 *
 * <p>Everything that comes in is from outside: it is counted, answered, and bounded in size, number and rate.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.publish;
