/**
 * Puts a PX4's log in order: sorts chunks by their sequence, joins them to messages, measures gaps, and finds the times
 * of messages. Takes chunks, and passes on complete ULog messages and gaps. Does not handle files. Owned by the
 * recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.order;
