package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;
import static org.mavlogd.link.LinkFixture.awaitReturn;
import static org.mavlogd.link.LinkFixture.bytes;
import static org.mavlogd.link.LinkFixture.loopback;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.peer.Peer;

class TcpLinkSystemTest {
    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void connectsWhenTheServerComesAndAgainEachTimeItReturns(NetworkIo io) throws IOException {
        int port = FreePorts.tcp();
        try (LinkFixture fixture = connecting(port, io).started()) {
            await(() -> fixture.link.status().detail().contains("refused"));
            assertThat(fixture.link.status().state()).isEqualTo(State.WAITING);

            for (int round = 1; round <= 5; round++) {
                try (ServerSocket server = server(port)) {
                    int expected = round;
                    awaitReturn(() -> fixture.listener.ups.get() == expected);
                    try (Socket vehicle = server.accept()) {
                        vehicle.getOutputStream().write(bytes("round " + round));
                        awaitReturn(() -> fixture.listener.text().endsWith("round " + expected));
                        fixture.send("answer");
                        assertThat(new String(vehicle.getInputStream().readNBytes(6), StandardCharsets.US_ASCII))
                                .isEqualTo("answer");
                        assertThat(fixture.link.status().state()).isEqualTo(State.UP);
                    }
                }
                int expected = round;
                await(() -> fixture.listener.downs.get() == expected);
            }
            assertThat(fixture.counters.reconnects().get()).isEqualTo(4);
        }
    }

    @Test
    void connectionsThatSayNothingDoNotKeepAVehicleAway() throws IOException {
        int port = FreePorts.tcp();
        List<Socket> idle = new ArrayList<>();
        try (LinkFixture fixture = listening(port, NetworkIo.best()).started()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            for (int i = 0; i < TcpListenLink.MAX_CONNECTIONS; i++) {
                idle.add(new Socket(loopback(), port));
            }
            await(() -> fixture.listener.peers.size() == TcpListenLink.MAX_CONNECTIONS);
            fixture.rank(fixture.listener.peers.get(0), Peer.Rank.VEHICLE);

            try (Socket vehicle = new Socket(loopback(), port)) {
                vehicle.getOutputStream().write(bytes("hello"));
                await(() -> fixture.listener.receivedBytes.get() == 5);

                idle.get(1).setSoTimeout(50_000);
                assertThat(idle.get(1).getInputStream().read()).isEqualTo(-1);
                assertThat(fixture.counters.evicted().get()).isEqualTo(1);
                assertThat(fixture.counters.refused().get()).isZero();
                assertThat(fixture.listener.peers).hasSize(TcpListenLink.MAX_CONNECTIONS);
                assertThat(fixture.listener.brokenRule).isEmpty();
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void connectionsThatOnceSpokeDoNotKeepAVehicleAway() throws IOException {
        int port = FreePorts.tcp();
        List<Socket> programs = new ArrayList<>();
        try (LinkFixture fixture = listening(port, NetworkIo.best()).started()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            for (int i = 0; i < TcpListenLink.MAX_CONNECTIONS; i++) {
                int known = i + 1;
                programs.add(new Socket(loopback(), port));
                await(() -> fixture.listener.peers.size() == known);
                fixture.rank(fixture.listener.peers.get(i), i == 1 ? Peer.Rank.VEHICLE : Peer.Rank.SPEAKER);
            }
            for (int i : IntStream.range(0, TcpListenLink.MAX_CONNECTIONS)
                    .filter(i -> i != 1 && i != 2)
                    .toArray()) {
                // 1 leads to a vehicle, 2 is the only program that has been silent since.
                long heard = fixture.listener.receivedBytes.get() + 1;
                programs.get(i).getOutputStream().write('x');
                await(() -> fixture.listener.receivedBytes.get() == heard);
            }

            try (Socket vehicle = new Socket(loopback(), port)) {
                vehicle.getOutputStream().write(bytes("hello"));
                await(() -> fixture.listener.text().endsWith("hello"));

                programs.get(2).setSoTimeout(50_000);
                assertThat(programs.get(2).getInputStream().read()).isEqualTo(-1);
                assertThat(fixture.counters.evicted().get()).isEqualTo(1);
                assertThat(fixture.counters.refused().get()).isZero();
                assertThat(fixture.listener.brokenRule).isEmpty();
            }
        } finally {
            for (Socket socket : programs) {
                socket.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void servesSeveralConnectionsAndRefusesTooMany(NetworkIo io) throws IOException {
        int port = FreePorts.tcp();
        List<Socket> vehicles = new ArrayList<>();
        try (LinkFixture fixture = listening(port, io).started()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            for (int i = 0; i < TcpListenLink.MAX_CONNECTIONS; i++) {
                vehicles.add(new Socket(loopback(), port));
            }
            await(() -> fixture.listener.peers.size() == TcpListenLink.MAX_CONNECTIONS);
            fixture.listener.peers.forEach(peer -> fixture.rank(peer, Peer.Rank.VEHICLE));
            try (Socket tooMany = new Socket(loopback(), port)) {
                tooMany.setSoTimeout(50_000);
                assertThat(tooMany.getInputStream().read()).isEqualTo(-1);
            }
            for (Socket vehicle : vehicles) {
                vehicle.getOutputStream().write(bytes("hello"));
            }

            await(() -> fixture.listener.receivedBytes.get() == 5 * TcpListenLink.MAX_CONNECTIONS);

            assertThat(fixture.counters.refused().get()).isEqualTo(1);
            assertThat(fixture.link.status().peers()).isEqualTo(TcpListenLink.MAX_CONNECTIONS);
            vehicles.remove(0).close();
            await(() -> fixture.listener.peers.size() == TcpListenLink.MAX_CONNECTIONS - 1);
            vehicles.add(new Socket(loopback(), port));
            awaitReturn(() -> fixture.listener.peers.size() == TcpListenLink.MAX_CONNECTIONS);
        } finally {
            for (Socket vehicle : vehicles) {
                vehicle.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void waitsForABusyPortAndTakesItWithinASecond(NetworkIo io) throws IOException {
        ServerSocket holder = server(0);
        int port = holder.getLocalPort();
        try (LinkFixture fixture = listening(port, io).started()) {
            await(() -> fixture.link.status().detail().contains("cannot listen"));

            holder.close();

            awaitReturn(() -> fixture.link.status().detail().startsWith("listening"));
            try (Socket vehicle = new Socket(loopback(), port)) {
                await(() -> fixture.listener.peers.size() == 1);
                assertThat(fixture.listener.peers.get(0).address()).isEqualTo("127.0.0.1:" + vehicle.getLocalPort());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void dropsAndCountsInsteadOfGrowingWhenThePeerDoesNotRead(NetworkIo io) throws IOException {
        int port = FreePorts.tcp();
        try (LinkFixture fixture = listening(port, io).started()) {
            await(() -> fixture.link.status().detail().startsWith("listening"));
            try (Socket vehicle = new Socket()) {
                vehicle.setReceiveBufferSize(4096);
                vehicle.connect(new InetSocketAddress(loopback(), port));
                await(() -> fixture.listener.peers.size() == 1);
                byte[] frame = new byte[280];

                await(() -> {
                    fixture.link.execute(() -> {
                        for (int i = 0; i < 2000; i++) {
                            fixture.listener.peers.get(0).send(frame, 0, frame.length);
                        }
                    });
                    return fixture.counters.droppedSends().get() > 10_000;
                });

                // The link's thread is not blocked in the meantime.
                vehicle.getOutputStream().write(bytes("still read"));
                await(() -> fixture.listener.text().equals("still read"));
                long inFlight = fixture.counters.sentBytes().get();
                assertThat(inFlight).isLessThan(8 << 20);
                assertThat(vehicle.getInputStream().readNBytes(100_000)).hasSize(100_000);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void deliversALongStreamWholeWhileGathering(NetworkIo io) throws IOException {
        int port = FreePorts.tcp();
        try (LinkFixture fixture = listening(port, io).started()) {
            fixture.listener.mayWait = true;
            fixture.listener.keepsChunks = false;
            await(() -> fixture.link.status().detail().startsWith("listening"));
            try (Socket vehicle = new Socket(loopback(), port)) {
                vehicle.getOutputStream().write(new byte[5_000_000]);

                await(() -> fixture.listener.receivedBytes.get() == 5_000_000);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkIo.class)
    void waitsForAHostNameWithoutHoldingUpItsTicks(NetworkIo io) throws IOException {
        int port = FreePorts.tcp();
        try (LinkFixture unknown =
                new LinkFixture(new LinkSettings.TcpConnect("tcp0", "no-such-host.invalid", port), io).started()) {
            await(() -> unknown.link.status().detail().contains("cannot be resolved"));
            await(() -> unknown.listener.ticks.get() > 3);
        }
        try (ServerSocket server = server(port);
                LinkFixture known = new LinkFixture(new LinkSettings.TcpConnect("tcp0", "localhost", port), io)) {
            known.started();
            server.setSoTimeout(50_000);
            server.accept().close();
        }
    }

    private static LinkFixture connecting(int port, NetworkIo io) {
        return new LinkFixture(new LinkSettings.TcpConnect("tcp0", "127.0.0.1", port), io);
    }

    private static LinkFixture listening(int port, NetworkIo io) {
        return new LinkFixture(new LinkSettings.TcpListen("tcp0", "127.0.0.1", port), io);
    }

    private static ServerSocket server(int port) throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(loopback(), port));
        return server;
    }
}
