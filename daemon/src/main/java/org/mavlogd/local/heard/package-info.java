/**
 * Messages that are heard on a vehicle's link besides its log: MAVLink messages become topics, and STATUSTEXT becomes
 * messages. In come checked frames of senders that the link's conversations let through; out go samples and messages into
 * the link's {@link org.mavlogd.feed.LocalFeed}, on the link's thread. The memory that senders can make mavlogd use is bounded.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.heard;
