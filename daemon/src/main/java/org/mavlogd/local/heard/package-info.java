/**
 * Messages on a vehicle's link besides its log: MAVLink messages become topics, and STATUSTEXT becomes log messages.
 * Input are checked frames of accepted senders, output are samples and log messages in the link's
 * {@link org.mavlogd.feed.LocalFeed}, on the link's thread. The memory that senders can make mavlogd use is bounded.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.heard;
