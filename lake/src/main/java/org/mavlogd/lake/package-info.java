/**
 * Builds and queries tables of many logs: logs are converted to Parquet files in one directory, the lake, and DuckDB
 * queries them.
 *
 * <p>Runs on an office computer or server, not on the vehicle. A build uses one thread for each log that is converted
 * at the same time.
 */
@NullMarked
package org.mavlogd.lake;

import org.jspecify.annotations.NullMarked;
