package org.mavlogd.link;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.mavlogd.peer.Peer;

/** A remote address of a UDP link. Owned by the link's thread. */
final class UdpPeer implements RankedPeer {
    /**
     * A peer is forgotten after this silence; a peer that never sent a valid frame, after {@link #FORGET_STRANGER_NS}.
     */
    static final long FORGET_NS = TimeUnit.SECONDS.toNanos(60);

    static final long FORGET_STRANGER_NS = TimeUnit.SECONDS.toNanos(5);

    private final InetSocketAddress remote;
    private final boolean expected;
    private final Sender sender;
    private String address = "";
    private Peer.Rank rank = Peer.Rank.STRANGER;
    // Opaque: the directly sending thread needs only a recent value.
    private final AtomicLong lastHeardNs;

    /** Sends one datagram. */
    interface Sender {
        void send(InetSocketAddress to, byte[] buffer, int offset, int length);

        /** Like {@link Peer#isDirect}. */
        default boolean isDirect() {
            return false;
        }

        /** Like {@link Peer#sendDirectly}. */
        default boolean sendDirectly(InetSocketAddress to, long lastHeardNs, byte[] buffer, int offset, int length) {
            return false;
        }

        /** Like {@link Peer#room}. */
        default int room() {
            return Integer.MAX_VALUE;
        }
    }

    /** @param expected whether the address is configured; otherwise a datagram came from it */
    UdpPeer(InetSocketAddress remote, boolean expected, Sender sender, long nowNs) {
        this.remote = remote;
        this.expected = expected;
        this.sender = sender;
        this.lastHeardNs = new AtomicLong(nowNs);
    }

    /** Compares without creating strings or arrays. Hot path. */
    boolean isAt(InetSocketAddress other) {
        return remote.getPort() == other.getPort() && AddressRenewal.isSame(remote.getAddress(), other.getAddress());
    }

    InetAddress inetAddress() {
        return remote.getAddress();
    }

    void heard(long nowNs) {
        lastHeardNs.setOpaque(nowNs);
    }

    boolean isForgotten(long nowNs) {
        return nowNs - lastHeardNs() >= (rank == Peer.Rank.STRANGER ? FORGET_STRANGER_NS : FORGET_NS);
    }

    boolean hasSpoken() {
        return rank != Peer.Rank.STRANGER;
    }

    @Override
    public boolean isKept() {
        return expected || RankedPeer.super.isKept();
    }

    @Override
    public Peer.Rank rank() {
        return rank;
    }

    @Override
    public long lastHeardNs() {
        return lastHeardNs.getOpaque();
    }

    @Override
    public String address() {
        if (address.isEmpty()) {
            // Created on demand: a flood of forged addresses must not create a string for each.
            address = NetUtil.toSocketAddressString(remote);
        }
        return address;
    }

    @Override
    public boolean isExpected() {
        return expected;
    }

    @Override
    public void rank(Peer.Rank value) {
        rank = value;
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
    public boolean isDirect() {
        return sender.isDirect();
    }

    @Override
    public boolean sendDirectly(byte[] buffer, int offset, int length) {
        return sender.sendDirectly(remote, lastHeardNs(), buffer, offset, length);
    }

    @Override
    public int room() {
        return sender.room();
    }

    @Override
    public String toString() {
        return address();
    }
}
