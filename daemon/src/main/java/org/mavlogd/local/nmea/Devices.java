package org.mavlogd.local.nmea;

import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/**
 * Which device has which instance of one topic. A device is a far end and a key made of its talker; one that comes back, as a
 * serial port or a TCP connection does as another {@link Peer}, gets the instance of the one that went. Bounded. Owned by the
 * link's thread. Hot path.
 */
final class Devices {
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
