/**
 * Messages on a vehicle's link besides its log: MAVLink messages become topics, and STATUSTEXT becomes log messages.
 * The link's thread takes checked frames of accepted senders, and publishes samples and log messages to the link's
 * {@link org.mavlogd.feed.LocalFeed}. The memory that senders can make mavlogd use is bounded.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.heard;
