/** Metrics and snapshots for operators: each is written by one owner thread and read by any. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.metrics;
