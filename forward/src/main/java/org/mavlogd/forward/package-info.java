/**
 * Forwards frames between links. Frames that a link's decoder has found and checked come in through one ring for each
 * link. The same bytes go out in datagrams that the router's thread sends itself, or in portions that each link's own
 * thread sends. One thread in between owns routes, filters and queues. Independent of sockets and vehicles.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.forward;
