package org.mavlogd.simulate.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.VehicleStation;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Settings.Stall;
import org.mavlogd.simulate.px4.RoverLog;
import org.mavlogd.simulate.px4.StreamClient;
import org.mavlogd.simulate.px4.TestLog;
import org.mavlogd.simulate.px4.VehicleCounters;

/** The simulated vehicle over real sockets on loopback. */
@Timeout(120)
class VehicleRunnerSystemTest {
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;
    private static final int POLL_MS = 50;
    /** On a busy machine a receiver may stand still for longer than a PX4 waits for it, which is 50 tries. */
    private static final int PATIENT_TRIES = 400;

    private static VehicleStation.Plan<Px4Settings> plan(Px4Settings.Builder vehicle, Medium medium) {
        long never = VehicleStation.Plan.NEVER;
        LossySettings perfect = LossySettings.perfect(medium, 1);
        Px4Settings settings = vehicle.ackedIntervalNs(0)
                .ackMaxTries(PATIENT_TRIES)
                .stall(Stall.DELAYS_LOG)
                .build();
        return new VehicleStation.Plan<>(
                settings, perfect, perfect, never, never, never, never, TimeUnit.SECONDS.toNanos(50), true);
    }

    private static CompletableFuture<PlannedVehicle.Report<VehicleCounters>> start(
            VehicleStation.Plan<Px4Settings> plan, LogImage log, LinkSettings target) {
        return start(plan, log, target, () -> false);
    }

    private static CompletableFuture<PlannedVehicle.Report<VehicleCounters>> start(
            VehicleStation.Plan<Px4Settings> plan, LogImage log, LinkSettings target, BooleanSupplier stop) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return VehicleRunner.run(plan, log, target, stop);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void roverLogArrivesByteForByteOverUdp() throws Exception {
        LogImage log = RoverLog.image();
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
            LinkSettings target = new LinkSettings.UdpConnect("sim", "127.0.0.1", socket.getLocalPort(), false);

            VehicleStation.Plan<Px4Settings> plan =
                    plan(Px4Settings.builder().rateBytesPerSecond(1_000_000), Medium.DATAGRAMS);
            CompletableFuture<PlannedVehicle.Report<VehicleCounters>> running = start(plan, log, target);
            StreamClient client = receive(socket, running);

            PlannedVehicle.Report<VehicleCounters> report = running.get(30, TimeUnit.SECONDS);
            assertThat(client.missing).isZero();
            assertThat(client.log.toByteArray()).isEqualTo(log.bytes());
            assertThat(report.vehicle().chunks()).isEqualTo(client.chunks);
            assertThat(report.vehicle().givenUp()).isZero();
            assertThat(report.summary()).contains("sessions 1", "(1228848 bytes)");
        }
    }

    private static StreamClient receive(DatagramSocket socket, CompletableFuture<?> running) throws IOException {
        byte[] buffer = new byte[2048];
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        StreamClient client = new StreamClient(
                (bytes, length) -> socket.send(new DatagramPacket(bytes, length, packet.getSocketAddress())));
        socket.setSoTimeout(POLL_MS);
        while (!running.isDone()) {
            try {
                packet.setLength(buffer.length);
                socket.receive(packet);
                client.onBytes(buffer, packet.getLength());
            } catch (SocketTimeoutException e) {
                // check whether the vehicle has ended
            }
        }
        return client;
    }

    @Test
    void roverLogArrivesByteForByteOverTcp() throws Exception {
        LogImage log = RoverLog.image();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LinkSettings target = new LinkSettings.TcpConnect("sim", "127.0.0.1", server.getLocalPort());

            VehicleStation.Plan<Px4Settings> plan =
                    plan(Px4Settings.builder().rateBytesPerSecond(1_000_000), Medium.STREAM);
            CompletableFuture<PlannedVehicle.Report<VehicleCounters>> running = start(plan, log, target);
            try (Socket socket = server.accept()) {
                socket.setTcpNoDelay(true);
                StreamClient client = new StreamClient(
                        (bytes, length) -> socket.getOutputStream().write(bytes, 0, length));
                byte[] buffer = new byte[65_536];
                InputStream in = socket.getInputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    client.onBytes(buffer, length);
                }

                assertThat(client.missing).as("chunks that did not arrive").isZero();
                assertThat(client.log.toByteArray()).isEqualTo(log.bytes());
            }
            assertThat(running.get(30, TimeUnit.SECONDS).vehicle().givenUp()).isZero();
        }
    }

    @Test
    void vehicleWaitsForARecorderThatComesLate() throws Exception {
        int port = FreePorts.udp();
        LogImage log = TestLog.withSamples(100, 1000).image();
        VehicleStation.Plan<Px4Settings> plan = plan(Px4Settings.builder(), Medium.DATAGRAMS);
        LinkSettings target = new LinkSettings.UdpConnect("sim", "127.0.0.1", port, false);

        AtomicInteger rounds = new AtomicInteger();
        CompletableFuture<PlannedVehicle.Report<VehicleCounters>> running =
                start(plan, log, target, () -> rounds.incrementAndGet() < 0);
        Awaitility.await().atMost(Duration.ofSeconds(50)).until(() -> rounds.get() > 50);
        try (DatagramSocket socket = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
            StreamClient client = receive(socket, running);

            assertThat(client.log.toByteArray()).isEqualTo(log.bytes());
        }
        assertThat(running.get().unsent()).isPositive();
    }

    @Test
    void runEndsWhenAskedTo() throws Exception {
        VehicleStation.Plan<Px4Settings> plan = plan(Px4Settings.builder(), Medium.DATAGRAMS);
        LinkSettings udp = new LinkSettings.UdpConnect("sim", "127.0.0.1", 9, false);
        LinkSettings serial = new LinkSettings.SerialPort("sim", "/dev/no-such-device", 57_600, false);
        LogImage log = TestLog.withSamples(10, 1000).image();
        int[] asked = {0};

        PlannedVehicle.Report<VehicleCounters> first = VehicleRunner.run(plan, log, udp, () -> asked[0]++ > 5);
        PlannedVehicle.Report<VehicleCounters> second = VehicleRunner.run(plan, log, serial, () -> asked[0]++ > 50);

        assertThat(first.vehicle().sessions()).isZero();
        assertThat(second.vehicle().sessions()).isZero();
    }
}
