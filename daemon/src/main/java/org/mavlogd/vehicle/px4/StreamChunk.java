package org.mavlogd.vehicle.px4;

import org.mavlogd.feed.ChunkSource;

/** A chunk together with whether the vehicle waits for our ack. Hot path. */
interface StreamChunk extends ChunkSource {
    boolean isAcked();
}
