package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.roverLog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.whole.LogContent;

/** Another program owns the vehicle's port, and mavlogd is one of its endpoints. */
@Timeout(120)
class RouterSystemTest {
    /**
     * After a restart the router uses another port: the recorder follows its vehicle there after five seconds of
     * silence.
     */
    private static final Duration RETURN = PromisedTime.of(Duration.ofMillis(6500));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void recordsAsUdpEndpointThatTheRouterSendsTo() throws Exception {
        int port = FreePorts.udp();

        recordsThrough(VehicleWire.udpTo(port), new LinkSettings.UdpListen("router", "127.0.0.1", port, true), 1);
    }

    @Test
    void recordsAsUdpEndpointThatSpeaksFirst() throws Exception {
        int port = FreePorts.udp();

        recordsThrough(VehicleWire.udpAt(port), new LinkSettings.UdpConnect("router", "127.0.0.1", port, true), 1);
    }

    @Test
    void recordsAsTcpEndpoint() throws Exception {
        int port = FreePorts.tcp();

        recordsThrough(VehicleWire.tcpAt(port), new LinkSettings.TcpConnect("router", "127.0.0.1", port), 1);
    }

    @Test
    void recordsAVehicleWithAnotherSystemId() throws Exception {
        int port = FreePorts.tcp();

        recordsThrough(VehicleWire.tcpAt(port), new LinkSettings.TcpConnect("router", "127.0.0.1", port), 42);
    }

    @Test
    void goesOnWhenTheRouterIsRestarted() throws Exception {
        int port = FreePorts.udp();
        int vehiclePort = FreePorts.udp();
        try (FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(200_000).loops(true).systemId(42));
                RunningDaemon daemon =
                        RunningDaemon.in(directory).udpListen("router", port).start()) {
            try (SmallRouter first = new SmallRouter(VehicleWire.udpAt(vehiclePort), VehicleWire.udpTo(port))) {
                await("data", () -> daemon.chunks() > 600);
                assertThat(first.largestPack()).isPositive();
            }
            await("silence", () -> daemon.vehicles().get(0).heardMs() > 200);
            long chunks = daemon.chunks();

            // The restarted router uses another port, knows no component, and forwards the log only to components that
            // it has heard.
            try (SmallRouter second = new SmallRouter(VehicleWire.udpAt(vehiclePort), VehicleWire.udpTo(port))) {
                await("data after the restart", RETURN, () -> daemon.chunks() > chunks);
                await("more data", () -> daemon.chunks() > chunks + 1000);
                assertThat(second.largestPack()).isPositive();
                daemon.stop();
                await("STOP heard", () -> !vehicle.isStreaming());
            }
            assertThat(vehicle.sent().stream().map(SentLog::end)).containsExactly("STOPPED");
            assertThat(daemon.logs()).singleElement().satisfies(log -> {
                assertThat(log.isComplete()).isTrue();
                assertThat(log.count('O')).isPositive();
            });
        }
    }

    /** Both links get the complete log, because mavlogd has the same address on both. */
    @Test
    void recordsAPx4OnceThroughTwoWays() throws Exception {
        try (TwoWays ways = new TwoWays();
                RunningDaemon daemon = ways.daemon(RunningDaemon.in(directory));
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(ways.vehiclePort), fastVehicle().rateBytesPerSecond(300_000))) {
            await("both links hear it", () -> daemon.vehicles().size() == 2);
            await("end of log", vehicle::isAtLogEnd);
            assertThat(vehicle.isStreaming()).isTrue();

            daemon.stop();

            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent()).hasSize(1);
            assertThat(daemon.logs()).singleElement().satisfies(log -> {
                assertThat(log.count('O')).isZero();
                assertThat(log.fromVehicle()).isEqualTo(roverLog());
            });
        }
    }

    @Test
    void recordsAnArduPilotOnceThroughTwoWays() throws Exception {
        byte[] log = DataFlashBytes.make(7, 160_000, 40_000);
        ArduPilotSettings settings = SystemTests.arduPilot().bufferKb(53).build();
        try (TwoWays ways = new TwoWays();
                RunningDaemon daemon = ways.daemon(RunningDaemon.in(directory).arduPilotFiles(true, false));
                FlyingArduPilot vehicle =
                        new FlyingArduPilot(VehicleWire.udpTo(ways.vehiclePort), settings, DataFlashImage.of(log))) {
            await("both links hear it", () -> daemon.vehicles().size() == 2);
            int blocks = log.length / LogBlockLayout.DATA_LENGTH;
            await("all blocks", () -> daemon.chunks() == blocks);
            assertThat(vehicle.sent())
                    .singleElement()
                    .satisfies(sent -> assertThat(sent.isEnded()).isFalse());

            daemon.stop();

            assertThat(daemon.files())
                    .singleElement()
                    .satisfies(file -> assertThat(Files.readAllBytes(file))
                            .isEqualTo(vehicle.sent().get(0).bytes()));
        }
    }

    /** A router with a TCP server and a UDP endpoint, and mavlogd at both. */
    private static final class TwoWays implements AutoCloseable {
        private final int vehiclePort = FreePorts.udp();
        private final int tcpPort = FreePorts.tcp();
        private final int udpPort = FreePorts.udp();
        private final SmallRouter router =
                new SmallRouter(VehicleWire.udpAt(vehiclePort), VehicleWire.tcpAt(tcpPort), VehicleWire.udpTo(udpPort));

        RunningDaemon daemon(RunningDaemon.Setup setup) {
            return setup.link(new LinkSettings.TcpConnect("tcp", "127.0.0.1", tcpPort))
                    .udpListen("udp", udpPort)
                    .start();
        }

        @Override
        public void close() {
            router.close();
        }
    }

    /** Datagrams that the kernel dropped because the receive buffer of the socket at this port was full. */
    private static long droppedAt(int port) throws IOException {
        long dropped = 0;
        String local = String.format(":%04X", port);
        for (String table : List.of("/proc/net/udp", "/proc/net/udp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] cells = line.trim().split(" +", -1);
                dropped += cells[1].endsWith(local) ? Long.parseLong(cells[cells.length - 1]) : 0;
            }
        }
        return dropped;
    }

    private void recordsThrough(VehicleWire endpoint, LinkSettings link, int systemId) throws Exception {
        int vehiclePort = FreePorts.udp();
        int groundPort = FreePorts.udp();
        try (CountingGroundStation ground = new CountingGroundStation(groundPort);
                SmallRouter router =
                        new SmallRouter(VehicleWire.udpAt(vehiclePort), endpoint, VehicleWire.udpTo(groundPort));
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(vehiclePort), fastVehicle().systemId(systemId));
                RunningDaemon daemon = RunningDaemon.in(directory).link(link).start()) {
            await("end of log", vehicle::isAtLogEnd);
            // The recorder does not count datagrams that the router's own socket dropped.
            assertThat(droppedAt(vehiclePort))
                    .as("datagrams that the kernel took from the router")
                    .isZero();

            Duration stopping = daemon.stop();

            assertThat(stopping).isLessThan(PromisedTime.of(Duration.ofSeconds(3)));
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent().stream().map(SentLog::end)).containsExactly("STOPPED");
            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            assertThat(log.count('O')).isZero();
            assertThat(log.fromVehicle()).isEqualTo(roverLog());
            assertThat(router.largestPack()).as("frames in one datagram").isGreaterThan(1);
            assertThat(ground.telemetryFrames()).isPositive();
            assertThat(ground.logFrames()).isZero();
        }
    }
}
