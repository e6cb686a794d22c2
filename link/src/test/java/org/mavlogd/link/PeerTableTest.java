package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.NetUtil;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.mavlogd.peer.Peer;

class PeerTableTest {
    private static final int CAPACITY = 4;
    private final PeerTable table = new PeerTable(CAPACITY);

    @Test
    void findsPeerByAddressAndPort() {
        UdpPeer first = add("10.0.0.1", 14550, 0);
        UdpPeer otherPort = add("10.0.0.1", 14551, 0);
        UdpPeer otherHost = add("10.0.0.2", 14550, 0);
        UdpPeer ipv6 = add("::1", 14550, 0);

        assertThat(table.find(at("10.0.0.1", 14550))).isSameAs(first);
        assertThat(table.find(at("10.0.0.1", 14551))).isSameAs(otherPort);
        assertThat(table.find(at("10.0.0.2", 14550))).isSameAs(otherHost);
        assertThat(table.find(at("::1", 14550))).isSameAs(ipv6);
        assertThat(table.find(at("10.0.0.3", 14550))).isNull();
    }

    /** After an interface was plugged in again, answers to its former number would be lost. */
    @Test
    void aLinkLocalAddressOnAnotherInterfaceIsAnotherPeer() {
        UdpPeer onTwo = add("fe80::1%2", 14550, 0);

        assertThat(table.find(at("fe80::1%2", 14550))).isSameAs(onTwo);
        assertThat(table.find(at("fe80::1%3", 14550))).isNull();
    }

    @Test
    void takesNoMoreThanItHolds() {
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(table.isFull()).isFalse();
            add("10.0.0.1", 1000 + i, 0);
        }

        assertThat(table.isFull()).isTrue();
        assertThatThrownBy(() -> add("10.0.0.1", 2000, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void forgetsStrangersSoonerThanThoseWhoSpeak() {
        UdpPeer stranger = add("10.0.0.1", 1, 0);
        UdpPeer speaker = add("10.0.0.2", 2, 0);
        speaker.rank(Peer.Rank.SPEAKER);

        assertThat(table.removeForgotten(UdpPeer.FORGET_STRANGER_NS - 1)).isNull();
        assertThat(table.removeForgotten(UdpPeer.FORGET_STRANGER_NS)).isSameAs(stranger);
        assertThat(table.removeForgotten(UdpPeer.FORGET_NS - 1)).isNull();
        assertThat(table.find(at("10.0.0.2", 2))).isSameAs(speaker);
        assertThat(table.removeForgotten(UdpPeer.FORGET_NS)).isSameAs(speaker);
        assertThat(table.count()).isZero();
    }

    @Test
    void makesRoomByWhoMattersLeast() {
        UdpPeer vehicle = add("10.0.0.1", 1, 0);
        UdpPeer oldSpeaker = add("10.0.0.2", 2, 10);
        UdpPeer speaker = add("10.0.0.3", 3, 20);
        UdpPeer stranger = add("10.0.0.4", 4, 30);
        vehicle.rank(Peer.Rank.VEHICLE);
        oldSpeaker.rank(Peer.Rank.SPEAKER);
        speaker.rank(Peer.Rank.SPEAKER);

        assertThat(table.removeLeast()).isSameAs(stranger);
        assertThat(table.removeLeast()).isSameAs(oldSpeaker);
        assertThat(table.removeLeast()).isSameAs(speaker);
        assertThat(table.removeLeast()).isNull();
        assertThat(table.find(at("10.0.0.1", 1))).isSameAs(vehicle);
    }

    @Test
    void keepsTheAddressThatWasConfigured() {
        table.add(new UdpPeer(at("10.0.0.1", 1), true, (to, buffer, offset, length) -> {}, 0));

        assertThat(table.removeLeast()).isNull();
    }

    @Test
    void findsAfterTheLastFoundPeerWasRemoved() {
        add("10.0.0.1", 1, 0).heard(UdpPeer.FORGET_STRANGER_NS);
        add("10.0.0.2", 2, 0);
        assertThat(table.find(at("10.0.0.2", 2))).isNotNull();

        assertThat(table.removeForgotten(UdpPeer.FORGET_STRANGER_NS)).isNotNull();

        assertThat(table.find(at("10.0.0.2", 2))).isNull();
        assertThat(table.find(at("10.0.0.1", 1))).isNotNull();
    }

    @Test
    void emptiesOneByOne() {
        add("10.0.0.1", 1, 0);
        add("10.0.0.2", 2, 0);

        assertThat(table.removeAny()).isNotNull();
        assertThat(table.removeAny()).isNotNull();
        assertThat(table.removeAny()).isNull();
    }

    @Test
    void findsWithoutAllocating() {
        add("10.0.0.1", 1, 0);
        add("::1", 2, 0);
        InetSocketAddress[] senders = {at("10.0.0.1", 1), at("::1", 2), at("10.0.0.9", 1)};
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int found = findMany(senders, 20_000);

        long before = threads.getCurrentThreadAllocatedBytes();
        found += findMany(senders, 20_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(found).isEqualTo(80_000);
        assertThat(allocated).isLessThan(2_000); // the measurement itself allocates
    }

    private int findMany(InetSocketAddress[] senders, int rounds) {
        int found = 0;
        for (int i = 0; i < rounds; i++) {
            for (InetSocketAddress sender : senders) {
                found += table.find(sender) == null ? 0 : 1;
            }
        }
        return found;
    }

    private UdpPeer add(String host, int port, long nowNs) {
        UdpPeer peer = new UdpPeer(at(host, port), false, (to, buffer, offset, length) -> {}, nowNs);
        table.add(peer);
        return peer;
    }

    private static InetSocketAddress at(String literal, int port) {
        return new InetSocketAddress(NetUtil.createInetAddressFromIpAddressString(literal), port);
    }
}
