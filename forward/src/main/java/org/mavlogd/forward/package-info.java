/**
 * Passes frames between links. Comes in: frames that a link's decoder has found and checked, through one ring for each link.
 * Goes out: the same bytes, in datagrams that the router's thread sends itself, or in portions that each link's own thread sends. Between them stands one thread, which owns routes, filters
 * and queues. Knows neither sockets nor vehicles.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.forward;
