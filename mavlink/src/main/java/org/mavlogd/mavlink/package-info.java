/**
 * Converts the bytes of a link into checked MAVLink frames, and the messages that this program sends into frames.
 *
 * <p>{@link org.mavlogd.mavlink.FrameDecoder} finds frames, {@link org.mavlogd.mavlink.FrameView} gives access to one,
 * records such as {@link org.mavlogd.mavlink.Heartbeat} hold the fields of a message, {@link
 * org.mavlogd.mavlink.FrameEncoder} writes frames. Everything runs on the link's own thread. The module {@code
 * mavlink-generator} generates tables and layouts of messages from the definitions of the dronefleet library while this
 * module is compiled; the library is not needed at run time.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.mavlink;
