package org.mavlogd.vehicle;

import org.mavlogd.peer.Peer;

/** Stands for a far end that is gone: what is sent to it is lost, as on any dead link. */
enum Nobody implements Peer {
    NOBODY;

    @Override
    public String address() {
        return "nowhere";
    }

    @Override
    public boolean isDatagram() {
        return true;
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {}
}
