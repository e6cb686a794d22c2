package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.link.LinkFixture.await;
import static org.mavlogd.link.LinkFixture.bytes;
import static org.mavlogd.link.LinkFixture.loopback;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.peer.Peer;

/** Broadcast and multicast addresses, and links on one network interface, all on loopback. */
class UdpGroupSystemTest {
    private static final String GROUP = "239.255.145.50";

    @BeforeEach
    void needsLoopback() throws IOException {
        assumeTrue(Epoll.isAvailable(), "Netty's epoll library does not load: interfaces cannot be chosen");
        assumeTrue(NetworkInterface.getByName("lo") != null, "there is no interface lo");
    }

    private static String receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        socket.setSoTimeout(50_000);
        socket.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    @Test
    void callsAllUntilSomebodyAnswersThenOnlyHim() throws IOException {
        try (DatagramSocket station = new DatagramSocket(new InetSocketAddress("0.0.0.0", 0));
                LinkFixture fixture = new LinkFixture(
                                new LinkSettings.UdpBroadcast("b", "127.255.255.255", station.getLocalPort(), true, ""),
                                NetworkIo.EPOLL)
                        .started()) {
            await(() -> fixture.listener.peers.size() == 1);
            Peer all = fixture.listener.peers.get(0);
            assertThat(all.isExpected()).isTrue();
            fixture.link.execute(() -> all.send(bytes("hello"), 0, 5));
            DatagramPacket packet = new DatagramPacket(new byte[100], 100);
            station.setSoTimeout(50_000);
            station.receive(packet);
            assertThat(packet.getLength()).isEqualTo(5);
            SocketAddress link = packet.getSocketAddress();

            station.send(new DatagramPacket(bytes("noise"), 5, link));
            await(() -> fixture.listener.text().equals("noise"));
            Peer answering = fixture.listener.peers.get(1);
            assertThat(fixture.listener.downs.get()).as("noise is no answer").isZero();

            fixture.rank(answering, Peer.Rank.SPEAKER);
            await(() -> fixture.listener.downs.get() == 1);
            fixture.link.execute(() -> answering.send(bytes("to you"), 0, 6));
            assertThat(receive(station)).isEqualTo("to you");

            fixture.rank(answering, Peer.Rank.STRANGER); // a stranger is forgotten after 5 s
            await(() -> fixture.listener.ups.get() == 3);
            assertThat(fixture.link.status().state()).isEqualTo(State.UP);
        }
    }

    @Test
    void aGroupHearsAndIsHeardButNotByItself() throws IOException {
        int port = FreePorts.udp();
        InetSocketAddress group = new InetSocketAddress(InetAddress.getByName(GROUP), port);
        NetworkInterface loopback = NetworkInterface.getByName("lo");
        try (LinkFixture fixture = new LinkFixture(
                                new LinkSettings.UdpMulticast("m", GROUP, port, "lo"), NetworkIo.EPOLL)
                        .started();
                MulticastSocket other = new MulticastSocket(group)) {
            other.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            other.joinGroup(group, loopback);
            await(() -> fixture.link.status().state() == State.UP);
            fixture.send("one");
            assertThat(receive(other)).isEqualTo("one");
            fixture.send("two");
            assertThat(receive(other)).isEqualTo("two");

            try (MulticastSocket sender = new MulticastSocket()) {
                sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
                sender.send(new DatagramPacket(bytes("other"), 5, group));
                await(() -> !fixture.listener.text().isEmpty());
            }
            assertThat(fixture.listener.text()).as("without its own").isEqualTo("other");
            assertThat(fixture.listener.peers).hasSize(1);
            assertThat(fixture.link.status().endpoint()).isEqualTo(GROUP + ':' + port + " on lo");
        }
    }

    /**
     * Looking for an address among the computer's takes 150 us and a lock of the kernel, so it must not happen for each
     * datagram.
     */
    @Test
    void aMemberWithOurPortNumberIsHeardAtTheCostOfAnother() throws IOException {
        InetSocketAddress group = new InetSocketAddress(InetAddress.getByName(GROUP), FreePorts.udp());
        try (LinkFixture fixture = new LinkFixture(
                                new LinkSettings.UdpMulticast("m", GROUP, group.getPort(), "lo"), NetworkIo.EPOLL)
                        .started();
                MulticastSocket other = member(0)) {
            fixture.listener.keepsChunks = false;
            await(() -> fixture.link.status().state() == State.UP);
            try (MulticastSocket same = member(ownPort(fixture, group))) {
                long unused = cpuNs(fixture, other, group) + cpuNs(fixture, same, group); // warm-up
                double ratio = Double.MAX_VALUE;
                for (int round = 0; round < 5 && ratio >= 5; round++) { // other programs may be in the way
                    long usualNs = cpuNs(fixture, other, group);
                    ratio = (double) cpuNs(fixture, same, group) / usualNs;
                }

                assertThat(ratio).as("times the cost of another's").isLessThan(5);
            }
        }
    }

    private static MulticastSocket member(int port) throws IOException {
        MulticastSocket member = new MulticastSocket(new InetSocketAddress("127.0.0.2", port));
        member.setOption(StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByName("lo"));
        return member;
    }

    /** The port from which the link sends. */
    private static int ownPort(LinkFixture fixture, InetSocketAddress group) throws IOException {
        try (MulticastSocket hearing = new MulticastSocket(group)) {
            hearing.joinGroup(group, NetworkInterface.getByName("lo"));
            hearing.setSoTimeout(50_000);
            fixture.send("one");
            DatagramPacket heard = new DatagramPacket(new byte[100], 100);
            hearing.receive(heard);
            return heard.getPort();
        }
    }

    /** CPU time of the link's thread for many datagrams of a member. */
    private static long cpuNs(LinkFixture fixture, DatagramSocket member, InetSocketAddress group) throws IOException {
        long before = cpuNs("link-m");
        for (int i = 0; i < 5000; i += 50) {
            long expected = fixture.listener.receivedCalls.get() + 50;
            for (int j = 0; j < 50; j++) {
                member.send(new DatagramPacket(new byte[100], 100, group));
            }
            await(() -> fixture.listener.receivedCalls.get() >= expected);
        }
        return cpuNs("link-m") - before;
    }

    private static long cpuNs(String thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals(thread))
                .mapToLong(each -> threads.getThreadCpuTime(each.getId()))
                .sum();
    }

    @Test
    void aMissingInterfaceIsWaitedFor() throws IOException {
        int port = FreePorts.tcp();
        LinkSettings[] kinds = {
            new LinkSettings.UdpListen("a", "0.0.0.0", FreePorts.udp(), true, "mavlogd-none"),
            new LinkSettings.UdpMulticast("a", GROUP, FreePorts.udp(), "mavlogd-none"),
            new LinkSettings.TcpListen("a", "0.0.0.0", port, "mavlogd-none")
        };
        for (LinkSettings settings : kinds) {
            try (LinkFixture fixture = new LinkFixture(settings, NetworkIo.EPOLL).started()) {
                await(() -> fixture.link.status().detail().startsWith("cannot "));
                assertThat(fixture.link.status().detail())
                        .contains("interface mavlogd-none: No such device, trying again");
                assertThat(fixture.link.status().state()).isEqualTo(State.WAITING);
            }
        }
    }

    @Test
    void linksOnAnInterfaceHearWhatComesThere() throws IOException {
        int port = FreePorts.udp();
        int tcpPort = FreePorts.tcp();
        try (LinkFixture udp = new LinkFixture(
                                new LinkSettings.UdpListen("u", "0.0.0.0", port, true, "lo"), NetworkIo.EPOLL)
                        .started();
                LinkFixture tcp = new LinkFixture(
                                new LinkSettings.TcpListen("t", "0.0.0.0", tcpPort, "lo"), NetworkIo.EPOLL)
                        .started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> {
                vehicle.send(new DatagramPacket(bytes("u"), 1, new InetSocketAddress(loopback(), port)));
                return !udp.listener.text().isEmpty();
            });
            // This must not change: a link that opened its socket twice would find its own port in use.
            Awaitility.await()
                    .during(Duration.ofMillis(1500))
                    .atMost(Duration.ofSeconds(50))
                    .until(() -> tcp.link.status().detail().startsWith("listening"));
            try (Socket client = new Socket(loopback(), tcpPort)) {
                client.getOutputStream().write('t');
                await(() -> tcp.listener.text().equals("t"));
            }
        }
    }

    @Test
    void withoutEpollAnInterfaceIsRefusedInWords() throws IOException {
        LinkSettings settings = new LinkSettings.UdpListen("a", "0.0.0.0", FreePorts.udp(), true, "lo");
        try (LinkFixture fixture = new LinkFixture(settings, NetworkIo.NIO).started()) {
            await(() -> fixture.link.status().detail().contains("interface lo: needs Linux and Netty's epoll library"));
        }
    }
}
