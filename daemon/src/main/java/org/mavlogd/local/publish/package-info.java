/**
 * Data that other programs of this computer publish: samples and messages as lines of JSON, or samples in a binary
 * form.
 *
 * <p>Programs send datagrams to a Unix socket or to UDP on loopback. Samples and log messages go to the
 * {@link org.mavlogd.feed.LocalFeed} of that socket, and answers to programs that can receive them. Each socket has its
 * own {@link org.mavlogd.local.publish.PublishSource}, on its link's thread; they share only the formats of topics, in
 * {@link org.mavlogd.local.publish.FormatClaims}.
 *
 * <p>All input comes from outside: it is counted, answered, and limited in size, number and rate.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.publish;
