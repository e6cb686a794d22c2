/**
 * The recorder's own log messages, as tagged messages in logs. Records of the log come in from any thread, and figures
 * that are looked at once a second; messages go out on the thread {@code events}.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.events;
