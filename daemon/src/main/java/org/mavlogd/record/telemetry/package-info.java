/**
 * Telemetry logs: the unchanged frames of a link, in a {@code .tlog} beside each vehicle's log. The package takes
 * {@link org.mavlogd.feed.FrameFeed}s and the active recordings, and writes files of the
 * {@link org.mavlogd.store.LogStore}. It runs on the recorder's thread, as a contained part: an error here affects
 * telemetry logs only.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.telemetry;
