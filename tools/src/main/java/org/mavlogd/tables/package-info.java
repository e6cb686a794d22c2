/** Writes samples as tables and as messages of other tools: CSV, JSON lines, Parquet, MCAP. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tables;
