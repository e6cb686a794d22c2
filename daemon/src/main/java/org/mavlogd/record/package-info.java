/**
 * The recorder: takes chunks out of the feeds, puts them in order, joins them to ULog messages, marks gaps, and appends
 * the result to log files. An ArduPilot's blocks are put in order and stored unchanged, and also mapped to ULog.
 * Everything here is owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record;
