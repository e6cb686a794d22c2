/**
 * The recorder's own log messages, as tagged messages in logs. Input are log records of any thread, and figures that
 * are checked once a second, output are messages on the thread {@code events}.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.events;
