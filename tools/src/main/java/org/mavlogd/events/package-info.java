/**
 * Converts PX4's events to messages for people. A log has an event as a number with the bytes of its arguments, and
 * once the definitions of all events, as JSON compressed with xz. Both are untrusted, so everything is bounded and
 * checked; unusable data is reported, never thrown. Owned by the thread that reads the log.
 *
 * @see <a href="https://docs.px4.io/main/en/concept/events_interface.html">PX4, Events interface</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.events;
