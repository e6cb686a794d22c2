package org.mavlogd.local.nmea;

import org.mavlogd.peer.Peer;

record FakePeer(String address, boolean isDatagram) implements Peer {
    static FakePeer stream(String address) {
        return new FakePeer(address, false);
    }

    static FakePeer datagrams(String address) {
        return new FakePeer(address, true);
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        throw new AssertionError("instruments are listened to");
    }
}
