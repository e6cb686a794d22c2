package org.mavlogd.link;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;

/** One remote address of a UDP link. Owned by the link's thread. */
final class UdpPeer implements Peer {
    private final InetSocketAddress remote;
    private final String address;
    private final Sender sender;
    private long lastHeardNs;

    /** Sends one datagram. */
    interface Sender {
        void send(InetSocketAddress to, byte[] buffer, int offset, int length);
    }

    UdpPeer(InetSocketAddress remote, Sender sender, long nowNs) {
        this.remote = remote;
        this.address = NetUtil.toSocketAddressString(remote);
        this.sender = sender;
        this.lastHeardNs = nowNs;
    }

    /** Hot path: compares without making strings or arrays. */
    boolean isAt(InetSocketAddress other) {
        return remote.getPort() == other.getPort() && remote.getAddress().equals(other.getAddress());
    }

    void heard(long nowNs) {
        lastHeardNs = nowNs;
    }

    boolean isSilent(long nowNs, long limitNs) {
        return nowNs - lastHeardNs >= limitNs;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public boolean isDatagram() {
        return true;
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        sender.send(remote, buffer, offset, length);
    }

    @Override
    public String toString() {
        return address;
    }
}
