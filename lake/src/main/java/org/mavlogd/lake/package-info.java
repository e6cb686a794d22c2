/**
 * Tables of many logs: logs come in, Parquet files in one directory, the lake, go out, and DuckDB answers questions about them.
 *
 * <p>Runs on an office computer or server, not on the vehicle. A build has one thread for each log that is converted at the same time.
 */
@NullMarked
package org.mavlogd.lake;

import org.jspecify.annotations.NullMarked;
