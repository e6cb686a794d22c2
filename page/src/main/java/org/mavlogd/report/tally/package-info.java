/**
 * Collects a series of values in bounded memory: columns for a plot, statistics, intervals outside a limit, a spectrum.
 * One thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.report.tally;
