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

    /** The instance of a device; {@link Devices#NONE} if there are too many. */
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
     * Assigns the instances of one topic to devices. A device is a peer and a key made of its talker. A device that
     * comes back as another {@link Peer}, as on a serial port or a TCP connection, gets the instance of a closed one.
     * Limited. Owned by the link's thread. Hot path.
     */
    static final class Devices {
        /** The number of devices of one topic on one link. */
        static final int LIMIT = 16;

        static final int NONE = -1;

        private final @Nullable Peer[] peers = new Peer[LIMIT];
        private final long[] keys = new long[LIMIT];
        private int used;

        /** The device's number, 0 to {@link #LIMIT} - 1, or {@link #NONE}. */
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
