package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;
import static org.mavlogd.link.LinkFixture.bytes;

import io.netty.channel.Channel;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.metrics.Metrics;

/** A UDP link that connects to a name whose addresses change. */
class UdpNameSystemTest {
    private static final InetAddress FORMER = address("127.0.0.1");
    private static final InetAddress NEW = address("127.0.0.2");
    /** The kernel refuses to send there: the socket does not ask for broadcasts. */
    private static final InetAddress UNREACHABLE = address("255.255.255.255");

    private final AtomicLong skippedNs = new AtomicLong();
    private final AtomicInteger lookups = new AtomicInteger();
    private final RecordingListener listener = new RecordingListener();
    private final LinkCounters counters = LinkCounters.register(new Metrics(), "ground");
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(Link.class.getName());
    private final Handler handler = new MemoryHandler(logged);
    private volatile List<InetAddress> answers = List.of(FORMER);
    private volatile CountDownLatch nameServer = new CountDownLatch(0);

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
        assertThat(listener.brokenRule).isEmpty();
        assertThat(listener.ups.get()).isEqualTo(listener.downs.get());
        assertThat(listener.threads).containsOnly("link-ground");
    }

    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void followsAHostToItsNewAddress(NetworkIo io) throws IOException {
        int port = FreePorts.udp();
        try (UdpLink link = started("laptop.local", port, io);
                DatagramSocket station = new DatagramSocket(new InetSocketAddress(FORMER, port));
                DatagramSocket moved = new DatagramSocket(new InetSocketAddress(NEW, port))) {
            converse(link, station);

            answers = List.of(NEW);
            skippedNs.addAndGet(AddressRenewal.SILENCE_NS);

            await(() -> isUsed(NEW));
            await(() -> link.status().detail().equals("nothing heard yet"));
            assertThat(link.status().state()).isEqualTo(State.UP);
            assertThat(link.status().peers()).isEqualTo(1);
            converse(link, moved);
            assertThat(link.status().detail()).isEmpty();
        }
        assertThat(logged)
                .containsExactly(
                        "link \"ground\": up at laptop.local:" + port,
                        "link \"ground\": laptop.local:" + port + " is at 127.0.0.2 now");
    }

    @Test
    void leavesAPeerThatOnlyListensAloneWhileItsAddressStays() {
        try (UdpLink link = started("laptop.local", FreePorts.udp(), NetworkIo.best())) {
            await(() -> isUsed(FORMER));
            Channel socket = link.socket.channel();

            lookUpAgain(4);

            assertThat(listener.ups).hasValue(1);
            assertThat(link.socket.channel()).isSameAs(socket);
        }
        assertThat(logged).hasSize(1); // up
    }

    @Test
    void looksUpNothingWhileThePeerIsHeard() throws IOException {
        int port = FreePorts.udp();
        try (UdpLink link = started("laptop.local", port, NetworkIo.best());
                DatagramSocket station = new DatagramSocket(new InetSocketAddress(FORMER, port))) {
            for (int i = 0; i < 4; i++) {
                converse(link, station);
                skippedNs.addAndGet(AddressRenewal.SILENCE_NS / 2);
                awaitTicks();
            }

            assertThat(lookups).hasValue(1);
        }
    }

    @Test
    void reportsOnceThatANameCanNoLongerBeResolvedAndKeepsTheAddress() throws IOException {
        int port = FreePorts.udp();
        try (UdpLink link = started("laptop.local", port, NetworkIo.best());
                DatagramSocket station = new DatagramSocket(new InetSocketAddress(FORMER, port));
                DatagramSocket moved = new DatagramSocket(new InetSocketAddress(NEW, port))) {
            converse(link, station);

            answers = List.of();
            lookUpAgain(4);

            converse(link, station);
            assertThat(listener.ups).hasValue(1);
            assertThat(logged)
                    .hasSize(2)
                    .last()
                    .isEqualTo("link \"ground\": laptop.local:" + port
                            + " is silent, and its name can no longer be resolved: still sending to 127.0.0.1");

            answers = List.of(NEW);
            skippedNs.addAndGet(AddressRenewal.SILENCE_NS);

            await(() -> isUsed(NEW));
            converse(link, moved);
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void triesTheNextAddressOfANameWhileNothingWasHeard(NetworkIo io) throws IOException {
        int port = FreePorts.udp();
        answers = List.of(UNREACHABLE, FORMER);
        try (UdpLink link = started("laptop.local", port, io);
                DatagramSocket station = new DatagramSocket(new InetSocketAddress(FORMER, port))) {
            await(() -> isUsed(UNREACHABLE));

            skippedNs.addAndGet(AddressRenewal.SILENCE_NS);

            await(() -> isUsed(FORMER));
            converse(link, station);
            lookUpAgain(4);
            converse(link, station);
        }
        assertThat(listener.ups).hasValue(2);
        assertThat(logged).hasSize(1); // up
    }

    @Test
    void aNameServerThatHangsDelaysNothing() throws IOException {
        int port = FreePorts.udp();
        try (UdpLink link = started("laptop.local", port, NetworkIo.best());
                DatagramSocket station = new DatagramSocket(new InetSocketAddress(FORMER, port))) {
            converse(link, station);
            CountDownLatch hanging = new CountDownLatch(1);
            nameServer = hanging;
            answers = List.of(NEW);
            lookUpAgain(1);

            // Heard meanwhile, the peer is where it was, whatever the answer is.
            converse(link, station);
            hanging.countDown();
            converse(link, station);

            awaitAnswer();
            skippedNs.addAndGet(AddressRenewal.SILENCE_NS);
            await(() -> isUsed(NEW));
            assertThat(lookups).hasValue(3);
        }
    }

    @Test
    void anAddressIsNotLookedUp() {
        try (UdpLink link = started("127.0.0.1", FreePorts.udp(), NetworkIo.best())) {
            await(() -> isUsed(FORMER));

            for (int i = 0; i < 3; i++) {
                skippedNs.addAndGet(AddressRenewal.SILENCE_NS);
                awaitTicks();
            }

            assertThat(link.status().state()).isEqualTo(State.UP);
            assertThat(lookups).hasValue(0);
            assertThat(listener.ups).hasValue(1);
        }
    }

    private UdpLink started(String host, int port, NetworkIo io) {
        NettyLink.Parts parts = new NettyLink.Parts(
                "ground",
                io,
                new NetworkDevice(""),
                new ContainedListener(listener),
                counters,
                this::lookUp,
                () -> System.nanoTime() + skippedNs.get());
        UdpLink link = new UdpLink(new LinkSettings.UdpConnect("ground", host, port, true), parts);
        link.start();
        return link;
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        try {
            nameServer.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        List<InetAddress> found = answers;
        if (found.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return found.toArray(new InetAddress[0]);
    }

    /** Lets silence pass until the name has been looked up that many times. The last answer may not be used yet. */
    private void lookUpAgain(int times) {
        for (int i = 0; i < times; i++) {
            awaitAnswer();
            int before = lookups.get();
            skippedNs.addAndGet(AddressRenewal.SILENCE_NS);
            await(() -> lookups.get() == before + 1);
        }
    }

    /** Until then, the link asks no second time. */
    private void awaitAnswer() {
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("link-ground-dns")));
        awaitTicks();
    }

    private void awaitTicks() {
        long before = listener.ticks.get();
        await(() -> listener.ticks.get() >= before + 2);
    }

    private boolean isUsed(InetAddress address) {
        return listener.peers.size() == 1 && listener.peers.get(0).address().startsWith(address.getHostAddress() + ":");
    }

    /** The link sends to the station, which answers. */
    private void converse(UdpLink link, DatagramSocket station) throws IOException {
        await(() -> isUsed(station.getLocalAddress()));
        long before = listener.receivedCalls.get();
        link.execute(() -> listener.peers.get(0).send(bytes("hello"), 0, 5));
        DatagramPacket heard = new DatagramPacket(new byte[16], 16);
        station.setSoTimeout(50_000);
        station.receive(heard);
        assertThat(heard.getLength()).isEqualTo(5);
        station.send(new DatagramPacket(bytes("answer"), 6, heard.getSocketAddress()));
        await(() -> listener.receivedCalls.get() == before + 1);
    }

    private static InetAddress address(String literal) {
        return Objects.requireNonNull(NetUtil.createInetAddressFromIpAddressString(literal));
    }
}
