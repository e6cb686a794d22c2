/**
 * The recorder's own log messages, as tagged messages in logs. The thread {@code events} takes log records of any
 * thread, and figures that it checks once a second, and publishes them as messages.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.events;
