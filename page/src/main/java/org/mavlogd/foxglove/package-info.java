/**
 * Shows logs in Foxglove and other programs that use {@code foxglove.websocket.v1}: the channels and messages of {@code
 * export mcap}, of a log while it is being written or at the pace of the flight. Each client has a thread that reads
 * its log once for all channels; the event loop only writes. Messages that a client does not read in time are dropped
 * and counted.
 *
 * @see <a href="https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md">the protocol</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.foxglove;
