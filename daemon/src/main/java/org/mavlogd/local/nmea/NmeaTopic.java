package org.mavlogd.local.nmea;

import org.jspecify.annotations.Nullable;
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

    /**
     * Which device has which instance of one topic. A device is a peer and a key made of its talker; one that comes back, as a
     * serial port or a TCP connection does as another {@link Peer}, gets the instance of the one that went. Bounded. Owned by the
     * link's thread. Hot path.
     */
    static final class Devices {
        /** Devices of one topic on one link. */
        static final int LIMIT = 16;

        static final int NONE = -1;

        private final @Nullable Peer[] peers = new Peer[LIMIT];
        private final long[] keys = new long[LIMIT];
        private int used;

        /** Its number, 0 to {@link #LIMIT} - 1, or {@link #NONE}. */
        int of(Peer peer, long key) {
            int free = NONE;
            int returned = NONE;
            for (int i = 0; i < used; i++) {
                if (peers[i] == peer && keys[i] == key) {
                    return i;
                }
                if (peers[i] == null) {
                    free = i;
                    returned = keys[i] == key ? i : returned;
                }
            }
            int slot = returned != NONE ? returned : used < LIMIT ? used++ : free;
            if (slot != NONE) {
                peers[slot] = peer;
                keys[slot] = key;
            }
            return slot;
        }

        void gone(Peer peer) {
            for (int i = 0; i < used; i++) {
                if (peers[i] == peer) {
                    peers[i] = null;
                }
            }
        }
    }
}
