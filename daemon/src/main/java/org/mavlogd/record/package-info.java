/**
 * The recorder: takes chunks out of the feeds, puts them in order, joins them to ULog messages, marks what is missing, and
 * appends the result to log files. An ArduPilot's blocks are put in order and kept as they are, and mapped to ULog
 * beside that. Everything here is owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record;
