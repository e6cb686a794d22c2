/**
 * How all commands open, read and write logs: sources, formats, times, topics, messages, and output files.
 *
 * <p>Logs are streamed through the ULog library and never held completely: memory is bounded for any log. Nothing in a
 * log chooses a path or reaches a terminal as a control character. Every object belongs to the thread of the command
 * that created it.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.logtools;
