/**
 * The MCAP container format: writing, reading from the start, reading by the index.
 *
 * <p>{@link org.mavlogd.mcap.McapWriter} keeps every rule of the format and gives the bytes to a channel;
 * {@link org.mavlogd.mcap.McapReader} gives the records of a file to a {@link org.mavlogd.mcap.McapHandler}, also those
 * of a file that is cut; {@link org.mavlogd.mcap.McapIndex} reads the summary at the end of a file and single chunks.
 * The caller defines the meaning of messages: their data are bytes here.
 *
 * <p>Every object belongs to one thread. Input is never trusted: what is no MCAP ends in
 * {@link org.mavlogd.mcap.McapException}, and no length in a file makes a reader allocate more than its limit. Memory of
 * reader and writer is bounded whatever the size of the file.
 *
 * @see <a href="https://mcap.dev/spec">MCAP specification</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.mcap;
