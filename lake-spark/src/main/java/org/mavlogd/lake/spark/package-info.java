/**
 * Builds tables of many logs on an Apache Spark cluster: the driver lists the logs, each task converts one, the driver
 * publishes the results.
 *
 * <p>Tasks share nothing: their results are small, and each writes to its own directory until the driver publishes it.
 */
@NullMarked
package org.mavlogd.lake.spark;

import org.jspecify.annotations.NullMarked;
