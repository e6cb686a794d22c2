package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.mavlogd.link.Link.Status.State;

/**
 * The program in the network namespace of {@link InterfaceSystemTest}; its argument is a process in the peer's
 * namespace.
 */
final class InterfaceScenario {
    private static final String DEVICE = "mav0";
    private static final int PORT = 14600;
    private static final int GROUP_PORT = 14601;
    private static final int SERVER_PORT = 14602;
    private static final int CONNECT_PORT = 14603;
    private static final int TICKS_OF_A_LOOK = 12; // of 100 ms; a link looks every 500 ms or every second

    private final String far;

    private InterfaceScenario(String far) {
        this.far = far;
    }

    public static void main(String[] arguments) throws Exception {
        new InterfaceScenario(arguments[0]).run();
    }

    private void run() throws Exception {
        sh("nsenter --target " + far + " --net ip link set lo up");
        try (LinkFixture udp = link(new LinkSettings.UdpListen("udp", "0.0.0.0", PORT, true, DEVICE));
                LinkFixture group = link(new LinkSettings.UdpMulticast("group", "239.255.145.50", GROUP_PORT, DEVICE));
                LinkFixture server = link(new LinkSettings.TcpListen("server", "0.0.0.0", SERVER_PORT, DEVICE));
                LinkFixture client = link(new LinkSettings.TcpConnect("client", "10.77.0.2", CONNECT_PORT, DEVICE));
                LinkFixture other = link(new LinkSettings.UdpListen("other", "127.0.0.1", PORT + 10, true, ""))) {
            List<LinkFixture> onDevice = List.of(udp, group, server, client);
            other(other, 1);
            areWithout(onDevice);

            plug(onDevice);
            Process greeter = greeter();
            try {
                checkAllReceive(onDevice, 1);
                losesItsAddress(onDevice, group);
                checkAllReceive(onDevice, 2);
                hasAnotherAddress(group);
                unplug();
                areWithout(onDevice);
                for (LinkFixture each : onDevice) {
                    await(() -> each.listener.peers.isEmpty()); // a connection is gone as soon as it is closed
                }
                plug(onDevice);
                checkAllReceive(onDevice, 3);
                // Faster than a link looks: the name still exists, but the interface is another one.
                unplug();
                plug(onDevice);
                checkAllReceive(onDevice, 4);
            } finally {
                greeter.destroy();
            }
            other(other, 2);
        }
    }

    /** The links wait for the interface and report that as a problem. */
    private static void areWithout(List<LinkFixture> links) {
        for (LinkFixture each : links) {
            await(() -> each.link.status().detail().contains("interface " + DEVICE));
            assertThat(each.link.status().state()).isEqualTo(State.WAITING);
            assertThat(each.link.status().hasProblem()).isTrue();
        }
    }

    /**
     * Removes the address and adds it again, like a lease that expires: the interface is the same, and no peer is lost.
     */
    private static void losesItsAddress(List<LinkFixture> links, LinkFixture group) throws Exception {
        // Not the server's, whose connections end after one message, on a busy machine late, and not the senders to the
        // UDP socket, which are forgotten after some seconds: that socket must stay the same.
        List<LinkFixture> lasting = List.of(group, links.get(3));
        UdpLink udp = (UdpLink) links.get(0).link;
        Channel listening = udp.socket.channel();
        List<Long> downs =
                lasting.stream().map(each -> each.listener.downs.get()).toList();
        sh("ip address flush dev " + DEVICE);
        List<Long> ticks = links.stream().map(each -> each.listener.ticks.get()).toList();
        for (int i = 0; i < links.size(); i++) {
            long looked = ticks.get(i) + TICKS_OF_A_LOOK;
            LinkFixture link = links.get(i);
            await(() -> link.listener.ticks.get() > looked);
        }
        sh("ip address add 10.77.0.1/24 dev " + DEVICE);
        assertThat(lasting).extracting(each -> each.listener.downs.get()).isEqualTo(downs);
        assertThat(lasting).extracting(each -> each.link.status().state()).containsOnly(State.UP);
        assertThat(udp.socket.channel()).isNotNull().isSameAs(listening);
        assertThat(links).noneMatch(each -> each.link.status().hasProblem());
    }

    /** The link must reopen the group, since it cannot send from an address that is gone. */
    private void hasAnotherAddress(LinkFixture group) throws Exception {
        long ups = group.listener.ups.get();
        sh("ip address flush dev " + DEVICE + "; ip address add 10.77.0.9/24 dev " + DEVICE);
        await(() -> group.listener.ups.get() == ups + 1);
        Process receiver = new ProcessBuilder(
                        "nsenter",
                        "--target",
                        far,
                        "--net",
                        "socat",
                        "-u",
                        "UDP-RECV:" + GROUP_PORT + ",ip-add-membership=239.255.145.50:far0",
                        "STDOUT")
                .redirectErrorStream(true)
                .start();
        try {
            await(() -> {
                group.send("new");
                return receiver.getInputStream().available() >= 3;
            });
            assertThat(new String(receiver.getInputStream().readNBytes(3), StandardCharsets.US_ASCII))
                    .isEqualTo("new");
        } finally {
            receiver.destroy();
        }
    }

    private static LinkFixture link(LinkSettings settings) {
        return new LinkFixture(settings, NetworkIo.EPOLL).started();
    }

    /** Waits until each link hears new bytes, for the {@code round}-th time. */
    private void checkAllReceive(List<LinkFixture> links, int round) throws Exception {
        String bash = "nsenter --target " + far + " --net timeout 2 bash -c ";
        await(() -> {
            sh(bash + "'printf u" + round + " >/dev/udp/10.77.0.1/" + PORT + "' || true");
            sh(bash + "'printf m" + round + " >/dev/udp/239.255.145.50/" + GROUP_PORT + "' || true");
            return heard(links.get(0), "u" + round) && heard(links.get(1), "m" + round);
        });
        await(() -> {
            sh(bash + "'printf t" + round + " >/dev/tcp/10.77.0.1/" + SERVER_PORT + "' 2>/dev/null || true");
            return heard(links.get(2), "t" + round);
        });
        await(() -> heard(links.get(3), "hello"));
    }

    private static boolean heard(LinkFixture link, String text) {
        return String.join("", link.listener.chunks).contains(text);
    }

    /** A link without an interface of its own still receives, whatever happens to others. */
    private static void other(LinkFixture link, int round) throws Exception {
        try (DatagramSocket sender = new DatagramSocket(new InetSocketAddress(LinkFixture.loopback(), PORT + 20))) {
            byte[] text = LinkFixture.bytes("o" + round);
            await(() -> {
                sender.send(new DatagramPacket(
                        text, text.length, new InetSocketAddress(LinkFixture.loopback(), PORT + 10)));
                return heard(link, "o" + round);
            });
        }
    }

    /** The peer of the connecting link: sends a word to each connection, and is silent then. */
    private Process greeter() throws IOException {
        return new ProcessBuilder(
                        "nsenter",
                        "--target",
                        far,
                        "--net",
                        "socat",
                        "TCP-LISTEN:" + CONNECT_PORT + ",reuseaddr,fork",
                        "SYSTEM:printf hello; sleep 60")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Clears earlier bytes first: a link may receive the greeting before this returns. */
    private void plug(List<LinkFixture> links) throws Exception {
        links.forEach(each -> each.listener.chunks.clear());
        sh(
                "ip link add " + DEVICE + " type veth peer name far0 netns " + far
                        + "; ip address add 10.77.0.1/24 dev "
                        + DEVICE + "; ip link set " + DEVICE + " up; nsenter --target " + far
                        + " --net sh -euc 'ip address add 10.77.0.2/24 dev far0; ip link set far0 up; ip route add 224.0.0.0/4 dev far0'");
    }

    private static void unplug() throws Exception {
        sh("ip link delete " + DEVICE);
    }

    static void sh(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-euc", command)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + ": " + output);
        }
    }
}
