/**
 * The order of what a PX4 sends: chunks behind one another, messages out of chunks, gaps and their durations, the times of messages. Takes chunks, gives complete ULog messages and gaps. Knows no files. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.order;
