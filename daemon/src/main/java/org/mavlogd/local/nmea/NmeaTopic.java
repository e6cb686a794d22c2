package org.mavlogd.local.nmea;

import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.peer.Peer;

/** A topic of one link, and the instances of its devices. Owned by the link's thread. */
final class NmeaTopic {
    private final LocalSample sample;
    private final Devices devices = new Devices();
    private final int firstInstance;

    NmeaTopic(TopicBuilder topic, Outlet outlet, int link) {
        this.sample = topic.declare(outlet);
        this.firstInstance = link * Devices.LIMIT;
    }

    /** The instance of a device; {@link Devices#NONE} when there are too many. */
    int instance(Peer peer, long key) {
        int number = devices.of(peer, key);
        return number == Devices.NONE ? Devices.NONE : firstInstance + number;
    }

    LocalSample sample() {
        return sample;
    }

    void gone(Peer peer) {
        devices.gone(peer);
    }
}
