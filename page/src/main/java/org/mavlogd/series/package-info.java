/**
 * Plots fields: builds an index of the positions of topics in a log, and computes from it the minimum and maximum of a
 * field in each column of a plot. Reads log files, even while they are being written. Everything here is owned by the
 * one thread that uses {@link org.mavlogd.series.SeriesStore}.
 */
@NullMarked
package org.mavlogd.series;

import org.jspecify.annotations.NullMarked;
