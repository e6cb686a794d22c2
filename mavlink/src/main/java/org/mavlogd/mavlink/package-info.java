/**
 * MAVLink: bytes of a link come in, checked frames go out; messages that this program sends become frames.
 *
 * <p>{@link org.mavlogd.mavlink.FrameDecoder} finds frames, {@link org.mavlogd.mavlink.FrameView} shows one, the message
 * records give a control message its names, {@link org.mavlogd.mavlink.FrameEncoder} makes frames. Everything runs on
 * the link's own thread. Tables and layouts of messages are made of the definitions of the dronefleet library by the module
 * {@code mavlink-generator}, while this one is compiled; the library itself is not needed at run time.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.mavlink;
