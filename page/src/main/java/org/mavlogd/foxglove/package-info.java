/**
 * Shows logs in Foxglove and other programs that speak {@code foxglove.websocket.v1}: the channels and messages that {@code export
 * mcap} writes, of a log while it grows or at the pace of the flight. Each client has a thread that reads its log once for all of
 * its channels; the event loop only writes. Messages that a client does not take in time are dropped and counted.
 *
 * @see <a href="https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md">the protocol</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.foxglove;
