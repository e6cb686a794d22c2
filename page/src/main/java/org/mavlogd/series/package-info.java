/**
 * Plots of fields: an index of the positions of topics in a log, and from it the smallest and largest value of a field
 * in each column of a plot. Comes in: log files, also while they grow. Goes out: numbers. Everything here is owned by
 * one thread, which {@link org.mavlogd.series.SeriesStore} is given to.
 */
@NullMarked
package org.mavlogd.series;

import org.jspecify.annotations.NullMarked;
