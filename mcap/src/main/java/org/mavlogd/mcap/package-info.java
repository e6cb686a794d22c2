/**
 * The MCAP container format: writing, reading from the start, reading by the index.
 *
 * <p>{@link org.mavlogd.mcap.McapWriter} enforces every rule of the format and writes to a channel; {@link
 * org.mavlogd.mcap.McapReader} passes the records of a file, even of a truncated one, to a {@link
 * org.mavlogd.mcap.McapHandler}; {@link org.mavlogd.mcap.McapIndex} reads the summary at the end of a file and single
 * chunks. The data of messages are only bytes here: the caller defines their meaning.
 *
 * <p>Every object belongs to one thread. Input is never trusted: a file that is not MCAP causes a {@link
 * org.mavlogd.mcap.McapException}, and no length in a file makes a reader allocate more than its limit. The memory of
 * reader and writer is bounded for files of any size.
 *
 * @see <a href="https://mcap.dev/spec">MCAP specification</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.mcap;
