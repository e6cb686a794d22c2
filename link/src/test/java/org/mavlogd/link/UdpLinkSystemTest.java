package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;
import static org.mavlogd.link.LinkFixture.awaitReturn;
import static org.mavlogd.link.LinkFixture.bytes;
import static org.mavlogd.link.LinkFixture.loopback;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;

class UdpLinkSystemTest {
    /** The ways to read datagrams. */
    enum Way {
        RECVMMSG(NetworkIo.EPOLL, true),
        ONE_BY_ONE(NetworkIo.EPOLL, false),
        NIO(NetworkIo.NIO, true);

        final NetworkIo io;
        final boolean recvmmsg;

        Way(NetworkIo io, boolean recvmmsg) {
            this.io = io;
            this.recvmmsg = recvmmsg;
        }

        LinkFixture listening(int port) {
            return new LinkFixture(new LinkSettings.UdpListen("udp0", "127.0.0.1", port, recvmmsg), io);
        }

        LinkFixture connecting(int port) {
            return new LinkFixture(new LinkSettings.UdpConnect("udp0", "127.0.0.1", port, recvmmsg), io);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void keepsDatagramsApartAndInOrder(Way way) throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = way.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> fixture.link.status().state() == State.WAITING
                    && fixture.link.status().detail().startsWith("listening"));
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                String text = i + "-" + "x".repeat(i % 280);
                sent.add(text);
                send(vehicle, text, port);
            }

            await(() -> fixture.listener.chunks.size() >= sent.size());

            assertThat(fixture.listener.chunks).isEqualTo(sent);
            assertThat(fixture.listener.peers).singleElement().satisfies(peer -> {
                assertThat(peer.isDatagram()).isTrue();
                assertThat(peer.address()).isEqualTo("127.0.0.1:" + vehicle.getLocalPort());
            });
            assertThat(fixture.link.status().state()).isEqualTo(State.UP);
            assertThat(fixture.link.status().peers()).isEqualTo(1);
            assertThat(fixture.counters.receivedDatagrams().get()).isEqualTo(300);
            assertThat(fixture.counters.cutDatagrams().get()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void gathersWhileTheListenerMayWaitAndLosesNothing(Way way) throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = way.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            fixture.listener.mayWait = true;
            await(() -> fixture.link.status().detail().startsWith("listening"));
            for (int i = 0; i < 2000; i++) {
                send(vehicle, "frame", port);
            }

            await(() -> fixture.listener.receivedCalls.get() == 2000);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void answersTwoVehiclesAtOnce(Way way) throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = way.listening(port).started();
                DatagramSocket first = new DatagramSocket();
                DatagramSocket second = new DatagramSocket()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            send(first, "one", port);
            await(() -> fixture.listener.peers.size() == 1);
            send(second, "two", port);
            await(() -> fixture.listener.peers.size() == 2);

            fixture.link.execute(() -> {
                fixture.listener.peers.get(0).send(bytes("xto one"), 1, 6);
                fixture.listener.peers.get(1).send(bytes("to two"), 0, 6);
            });

            assertThat(receive(first)).isEqualTo("to one");
            assertThat(receive(second)).isEqualTo("to two");
            assertThat(fixture.link.status().peers()).isEqualTo(2);
            await(() -> fixture.counters.sentBytes().get() == 12);
        }
    }

    /** Sends on another thread while the link's thread closes and opens the socket again. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void anotherThreadSendsWithoutWakingTheLink(Way way) throws Exception {
        try (DatagramSocket station = new DatagramSocket(0, loopback());
                LinkFixture fixture = way.connecting(station.getLocalPort()).started()) {
            await(() -> fixture.listener.peers.size() == 1);
            Peer peer = fixture.listener.peers.get(0);
            assertThat(peer.isDirect()).isEqualTo(way.io == NetworkIo.EPOLL);
            if (!peer.isDirect()) {
                return;
            }
            assertThat(peer.sendDirectly(bytes("xto you"), 1, 6)).isTrue();
            assertThat(receive(station)).isEqualTo("to you");
            await(() -> fixture.counters.sentBytes().get() == 6);

            fixture.link.close();

            assertThat(peer.sendDirectly(bytes("nobody"), 0, 6)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void cutsAndCountsOverlongDatagrams(Way way) throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = way.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            send(vehicle, "a".repeat(UdpLink.MAX_DATAGRAM_LENGTH), port);
            send(vehicle, "b".repeat(UdpLink.MAX_DATAGRAM_LENGTH + 1), port);
            send(vehicle, "c".repeat(40_000), port);
            send(vehicle, "", port);
            send(vehicle, "d", port);

            await(() -> fixture.listener.chunks.size() == 4);

            assertThat(fixture.listener.chunks)
                    .containsExactly("a".repeat(2048), "b".repeat(2048), "c".repeat(2048), "d");
            assertThat(fixture.counters.cutDatagrams().get()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void connectingLinkSpeaksFirstAndSurvivesAFarEndThatComesAndGoes(Way way) throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = way.connecting(port).started()) {
            await(() -> fixture.listener.peers.size() == 1);
            await(() -> fixture.link.status().detail().equals("nothing heard yet"));
            fixture.send("into the void");
            await(() -> fixture.counters.sentBytes().get() > 0);
            for (int round = 0; round < 3; round++) {
                try (DatagramSocket vehicle = new DatagramSocket(new InetSocketAddress(loopback(), port))) {
                    fixture.send("hello");
                    DatagramPacket heard = receivePacket(vehicle);
                    assertThat(text(heard)).isEqualTo("hello");
                    vehicle.send(new DatagramPacket(bytes("answer"), 6, heard.getSocketAddress()));
                    int expected = round + 1;
                    awaitReturn(() -> fixture.listener.receivedCalls.get() == expected);
                }
            }
            assertThat(fixture.link.status().state()).isEqualTo(State.UP);
            assertThat(fixture.link.status().detail()).isEmpty();
            assertThat(fixture.listener.ups).hasValue(1);
        }
    }

    /** For example, a conversation that ends its log needs ticks before the timer that was set for a calm stream. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void ticksSoonAfterATaskThatMadeTheListenerHurried(Way way) throws IOException {
        try (LinkFixture fixture = way.listening(FreePorts.udp()).started()) {
            long shortestNs = Long.MAX_VALUE;
            for (int round = 0; round < 10 && shortestNs >= Cadence.UNHURRIED_TICK_NS / 2; round++) {
                fixture.listener.isUnhurried = true;
                awaitTick(fixture);
                awaitTick(fixture);
                long startNs = System.nanoTime();
                fixture.link.execute(() -> fixture.listener.isUnhurried = false);
                awaitTick(fixture);
                shortestNs = Math.min(shortestNs, System.nanoTime() - startNs);
            }
            assertThat(shortestNs).isLessThan(Cadence.UNHURRIED_TICK_NS / 2);
        }
    }

    private static void awaitTick(LinkFixture fixture) {
        long before = fixture.listener.ticks.get();
        await(() -> fixture.listener.ticks.get() > before);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void connectingLinkRefusesOtherSenders(Way way) throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = way.connecting(port).started();
                DatagramSocket vehicle = new DatagramSocket(new InetSocketAddress(loopback(), port));
                DatagramSocket stranger = new DatagramSocket()) {
            await(() -> fixture.listener.peers.size() == 1);
            fixture.send("hello");
            DatagramPacket heard = receivePacket(vehicle);

            stranger.send(new DatagramPacket(bytes("forged"), 6, heard.getSocketAddress()));
            await(() -> fixture.counters.refused().get() == 1);
            vehicle.send(new DatagramPacket(bytes("genuine"), 7, heard.getSocketAddress()));
            await(() -> fixture.listener.receivedCalls.get() == 1);

            assertThat(fixture.listener.chunks).containsExactly("genuine");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void waitsForABusyPortAndTakesItWithinASecond(Way way) throws IOException {
        DatagramSocket holder = new DatagramSocket(new InetSocketAddress(loopback(), 0));
        int port = holder.getLocalPort();
        try (LinkFixture fixture = way.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> fixture.link.status().detail().contains("cannot listen"));
            assertThat(fixture.link.status().state()).isEqualTo(State.WAITING);
            assertThat(fixture.link.status().detail()).containsIgnoringCase("in use");

            holder.close();

            awaitReturn(() -> {
                send(vehicle, "hello", port);
                return fixture.listener.receivedCalls.get() > 0;
            });
        }
    }

    @Test
    void floodFromManyAddressesNeitherPushesAVehicleOutNorKeepsANewOneAway() throws IOException {
        int port = FreePorts.udp();
        List<DatagramSocket> flood = new ArrayList<>();
        try (LinkFixture fixture = Way.RECVMMSG.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket();
                DatagramSocket newcomer = new DatagramSocket()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            send(vehicle, "first", port);
            await(() -> fixture.listener.peers.size() == 1);
            Peer known = fixture.listener.peers.iterator().next();
            fixture.rank(known, Peer.Rank.VEHICLE);
            for (int i = 0; i < UdpLink.MAX_PEERS + 10; i++) {
                DatagramSocket forger = new DatagramSocket();
                flood.add(forger);
                send(forger, "forged", port);
            }
            await(() -> fixture.counters.evicted().get() == 11);

            send(vehicle, "second", port);
            await(() -> fixture.listener.text().endsWith("second"));
            send(newcomer, "third", port);
            await(() -> fixture.listener.text().endsWith("third"));

            assertThat(fixture.listener.peers).hasSize(UdpLink.MAX_PEERS).contains(known);
            assertThat(fixture.listener.downs).hasValue(12);
            assertThat(fixture.counters.refused()).returns(0L, Counter::get);
            assertThat(fixture.listener.brokenRule).isEmpty();
        } finally {
            flood.forEach(DatagramSocket::close);
        }
    }

    @Test
    void forgetsAnAddressAfterLongSilenceAndKnowsItAgain() throws IOException {
        int port = FreePorts.udp();
        AtomicLong skippedNs = new AtomicLong();
        RecordingListener listener = new RecordingListener();
        LinkCounters counters = LinkCounters.register(new Metrics(), "udp0");
        NettyLink.Parts parts = new NettyLink.Parts(
                "udp0",
                NetworkIo.best(),
                new NetworkDevice(""),
                new ContainedListener(listener),
                counters,
                HostResolver.Lookup.JAVA,
                () -> System.nanoTime() + skippedNs.get());
        try (UdpLink link = new UdpLink(new LinkSettings.UdpListen("udp0", "127.0.0.1", port, true), parts);
                DatagramSocket vehicle = new DatagramSocket()) {
            link.start();
            await(() -> link.status().detail().startsWith("listening"));
            send(vehicle, "hello", port);
            await(() -> listener.peers.size() == 1);

            skippedNs.set(UdpPeer.FORGET_STRANGER_NS);

            await(() -> listener.downs.get() == 1);
            assertThat(link.status().state()).isEqualTo(State.WAITING);
            send(vehicle, "again", port);
            await(() -> listener.ups.get() == 2);
            assertThat(link.status().state()).isEqualTo(State.UP);
            assertThat(listener.brokenRule).isEmpty();
        }
    }

    @Test
    void ticksWithoutPeersAndUnderLoad() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = Way.RECVMMSG.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> fixture.listener.ticks.get() >= 4);
            fixture.listener.keepsChunks = false;
            long before = fixture.listener.ticks.get();
            // At best 25 ticks in half a second; this machine may be busy.
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);

            while (fixture.listener.ticks.get() - before <= 8 && System.nanoTime() < endNs) {
                send(vehicle, "load", port);
            }

            assertThat(fixture.listener.ticks.get() - before).isGreaterThan(8);
        }
    }

    @Test
    void closesFromTheStartAndTwice() throws IOException {
        LinkFixture neverStarted = Way.RECVMMSG.listening(FreePorts.udp());
        neverStarted.link.close();

        LinkFixture fixture = Way.RECVMMSG.listening(FreePorts.udp()).started();
        fixture.close();
        fixture.link.close();
        fixture.link.execute(() -> fixture.listener.onTick(0)); // too late: dropped without an error
    }

    @Test
    void dropsWhatTheKernelCannotSend() throws IOException {
        try (LinkFixture fixture = Way.RECVMMSG.connecting(FreePorts.udp()).started()) {
            await(() -> fixture.listener.peers.size() == 1);

            fixture.send("x".repeat(70_000)); // longer than any datagram

            await(() -> fixture.counters.droppedSends().get() == 1);
        }
    }

    @Test
    void listenerThatThrowsEndsTheLinkThroughTheThreadsHandler() throws Exception {
        int port = FreePorts.udp();
        List<Throwable> mistakes = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (LinkFixture fixture = Way.RECVMMSG.listening(port).started()) {
            fixture.link.execute(() ->
                    Thread.currentThread().setUncaughtExceptionHandler((thread, mistake) -> mistakes.add(mistake)));

            fixture.link.execute(() -> {
                throw new IllegalStateException("invariant");
            });

            // Either event may come first.
            await(() -> !mistakes.isEmpty() && fixture.link.status().state() == State.CLOSED);
            assertThat(mistakes).singleElement().isInstanceOf(IllegalStateException.class);
            assertThat(fixture.link.status().detail()).contains("internal error");
        }
    }

    @Test
    void readsOneByOneWhenRecvmmsgFails() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = Way.RECVMMSG.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            fixture.listener.mayWait = true;
            await(() -> fixture.link.status().detail().startsWith("listening"));
            Channel socket = Objects.requireNonNull(((UdpLink) fixture.link).socket.channel());

            socket.pipeline().fireExceptionCaught(new IOException("recvmmsg(..) failed: Function not implemented"));

            await(() -> Objects.equals(socket.config().getOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE), 0));
            long shortestNs = Long.MAX_VALUE;
            // In portions that the kernel can hold even if the link's thread runs late.
            for (int sent = 0; sent < 4000; sent += 40) {
                long startNs = System.nanoTime();
                for (int i = 0; i < 20; i++) {
                    send(vehicle, "x".repeat(UdpLink.MAX_DATAGRAM_LENGTH + 1), port); // fills a complete slot
                    send(vehicle, "frame", port);
                }
                int all = sent + 40;
                await(() -> fixture.listener.receivedCalls.get() == all);
                shortestNs = Math.min(shortestNs, System.nanoTime() - startNs);
            }
            // With one datagram per wake-up each portion would take 80 ms at least.
            assertThat(shortestNs).isLessThan(40_000_000L);
        }
    }

    /** Under an emulator Netty's native call throws a RuntimeException before it reads. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsOneByOneWhateverTheBatchedReadThrows(boolean isChecked) throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = Way.RECVMMSG.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            Channel socket = Objects.requireNonNull(((UdpLink) fixture.link).socket.channel());
            Exception failure = isChecked
                    ? new NativeIoException("recvmmsg", -38, false)
                    : new ChannelException("getsockopt() failed: Protocol not available");
            socket.config().setRecvByteBufAllocator(new BrokenBatches(socket.config(), failure));

            send(vehicle, "first", port);
            send(vehicle, "second", port);

            await(() -> fixture.listener.chunks.equals(List.of("first", "second")));
            assertThat(fixture.counters.reconnects().get()).isZero();
        }
    }

    /** A socket that cannot be read at all is reported, and does not end the program. */
    @Test
    void aReadThatAlwaysThrowsIsReportedAndTriedAgain() throws IOException {
        int port = FreePorts.udp();
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(Link.class.getName());
        Handler handler = new MemoryHandler(logged);
        logger.addHandler(handler);
        try (LinkFixture fixture = Way.ONE_BY_ONE.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            Channel socket = Objects.requireNonNull(((UdpLink) fixture.link).socket.channel());

            socket.pipeline().fireExceptionCaught(new ChannelException("recvmsg() failed"));

            await(() -> logged.stream().anyMatch(line -> line.contains("recvmsg() failed")));
            awaitReturn(() -> {
                send(vehicle, "after", port);
                return fixture.listener.text().endsWith("after");
            });
        } finally {
            logger.removeHandler(handler);
        }
    }

    /** Throws within Netty's reading as long as Netty reads several datagrams at once. */
    private static final class BrokenBatches extends DefaultMaxMessagesRecvByteBufAllocator {
        private final ChannelConfig config;
        private final Exception failure;

        BrokenBatches(ChannelConfig config, Exception failure) {
            this.config = config;
            this.failure = failure;
        }

        @Override
        public MaxMessageHandle newHandle() {
            return new MaxMessageHandle() {
                @Override
                public int guess() {
                    return UdpLink.MAX_DATAGRAM_LENGTH + 1;
                }

                @Override
                public ByteBuf allocate(ByteBufAllocator allocator) {
                    if (config.getOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE) > 0) {
                        PlatformDependent.throwException(failure);
                    }
                    return super.allocate(allocator);
                }
            };
        }
    }

    @Test
    void opensTheSocketAgainWhenReadingFailsForAnotherReason() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = Way.ONE_BY_ONE.listening(port).started();
                DatagramSocket vehicle = new DatagramSocket()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            send(vehicle, "before", port);
            await(() -> fixture.listener.peers.size() == 1);
            Channel socket = Objects.requireNonNull(((UdpLink) fixture.link).socket.channel());

            socket.pipeline().fireExceptionCaught(new IOException("recvmsg(..) failed: No buffer space available"));

            await(() -> fixture.listener.downs.get() == 1);
            awaitReturn(() -> {
                send(vehicle, "after", port);
                return fixture.listener.text().endsWith("after");
            });
            assertThat(fixture.counters.reconnects().get()).isEqualTo(1);
        }
    }

    private static void send(DatagramSocket socket, String text, int port) throws IOException {
        socket.send(new DatagramPacket(bytes(text), text.length(), loopback(), port));
    }

    private static String receive(DatagramSocket socket) throws IOException {
        return text(receivePacket(socket));
    }

    private static DatagramPacket receivePacket(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
        socket.setSoTimeout(50_000);
        socket.receive(packet);
        return packet;
    }

    private static String text(DatagramPacket packet) {
        return new String(packet.getData(), 0, packet.getLength(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
