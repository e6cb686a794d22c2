/**
 * Puts a PX4's log in order: chunks by their sequence, messages out of chunks, gaps with their durations, the times of
 * messages. Input are chunks, output complete ULog messages and gaps. Does not know files. Owned by the recorder's
 * thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.order;
