/** Numbers and snapshots for people: written by the thread that owns the matter, read by any. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.metrics;
