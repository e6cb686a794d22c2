/**
 * Telemetry logs: the frames of a link, as they came, in a {@code .tlog} beside each vehicle's log. In come
 * {@link org.mavlogd.feed.FrameFeed}s and the recordings under way; out go files of the {@link org.mavlogd.store.LogStore}. On the
 * recorder's thread, as a contained part: what fails here costs telemetry logs only.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.telemetry;
