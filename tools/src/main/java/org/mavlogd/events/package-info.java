/**
 * Turns PX4's events into messages for people. A log holds an event as a number with the bytes of its arguments, and once the
 * definitions of all events, as JSON that xz has packed. Both come from a log, so everything is bounded and checked; what cannot
 * be used is reported, never thrown. Owned by the thread that reads the log.
 *
 * @see <a href="https://docs.px4.io/main/en/concept/events_interface.html">PX4, Events interface</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.events;
