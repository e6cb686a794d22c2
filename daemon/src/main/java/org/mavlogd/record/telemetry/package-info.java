/**
 * Telemetry logs: the unchanged frames of a link, in a {@code .tlog} beside each vehicle's log. Input are
 * {@link org.mavlogd.feed.FrameFeed}s and the active recordings, output files of the
 * {@link org.mavlogd.store.LogStore}. On the recorder's thread, as a contained part: an error here affects telemetry
 * logs only.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.telemetry;
