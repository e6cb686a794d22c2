/**
 * Tables of many logs, made on an Apache Spark cluster: the driver lists logs, tasks convert one each, the driver publishes.
 *
 * <p>Tasks share nothing: what they return is small, and what they write is in a directory of their own until the driver publishes it.
 */
@NullMarked
package org.mavlogd.lake.spark;

import org.jspecify.annotations.NullMarked;
