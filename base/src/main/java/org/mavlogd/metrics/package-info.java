/** Metrics and snapshots for operators: written by the thread that owns the matter, read by any. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.metrics;
