/**
 * Reads fields of a log's topics by expressions such as {@code roll(vehicle_attitude.q) deg}, and passes the values to
 * sinks. One thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.report.fields;
