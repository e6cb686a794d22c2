/**
 * Logs as all commands open, read and write them: sources, formats, times, topics, messages, and output files.
 *
 * <p>Logs come in through the ULog library, streamed and never held whole: memory stays bounded whatever a log contains.
 * Nothing in a log chooses a path or reaches a terminal as a control character. Every object belongs to the thread of
 * the command that made it.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.logtools;
