package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.vehicleInRealTime;

import io.dronefleet.mavlink.Mavlink2Message;
import io.dronefleet.mavlink.MavlinkConnection;
import io.dronefleet.mavlink.MavlinkMessage;
import io.dronefleet.mavlink.common.Attitude;
import io.dronefleet.mavlink.common.ParamRequestRead;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.signing.Signing.Policy;
import org.mavlogd.signing.SigningKey;
import org.mavlogd.simulate.px4.Px4Settings.Signing;
import org.mavlogd.whole.LogContent;

/** A participant that goes away and comes back, mavlogd included, sends and receives again, and recording continues. */
@Timeout(120)
class ForwardRecoverySystemTest {
    private static final int STATION = 255;
    private static final int STATION_COMPONENT = 190;
    private static final int MANY = 20;
    private static final String OLD = "mavlogd_signing_dropped_frames_total{cause=\"old\",link=\"vehicle\"}";
    private static final byte[] KEY = new byte[SigningKey.LENGTH];

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static ForwardSettings forwarding(String... links) {
        return new ForwardSettings(
                false, List.of(links).stream().map(ForwardRules::of).toList(), Set.of("station"));
    }

    private static void awaitTelemetry(String what, LibraryStation station) {
        long before = station.count(Attitude.class);
        await(what, () -> {
            station.heartbeat();
            return station.count(Attitude.class) > before + MANY;
        });
    }

    /** Keeps the frames that the vehicle receives. */
    private static final class HearingWire extends VehicleWire {
        private final VehicleWire wire;
        private final List<byte[]> received = new CopyOnWriteArrayList<>();

        HearingWire(VehicleWire wire) {
            this.wire = wire;
        }

        @Override
        public boolean isDatagram() {
            return wire.isDatagram();
        }

        @Override
        public void send(byte[] frame, int offset, int length) {
            wire.send(frame, offset, length);
        }

        @Override
        public int receive(byte[] buffer) {
            int length = wire.receive(buffer);
            if (length > 0) {
                received.add(Arrays.copyOf(buffer, length));
            }
            return length;
        }

        @Override
        public void close() {
            wire.close();
        }
    }

    /**
     * Checked with dronefleet's library: signatures pass unchanged in both directions, and the recorder signs its own
     * messages.
     */
    @Test
    void signedFramesPassAsTheyAre() throws Exception {
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.udp();
        HearingWire wire = new HearingWire(VehicleWire.udpTo(vehiclePort));
        try (RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                        .udpListen("vehicle", vehiclePort)
                        .udpListen("station", stationPort)
                        .signing(SigningKey.of(KEY), Policy.SIGNED_ONLY, directory.resolve("state/signing.state"))
                        .forwarding(forwarding("vehicle", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        wire, fastVehicle().signing(Signing.SIGNED).loops(true).telemetryHz(50));
                LibraryStation station = LibraryStation.udp(stationPort, STATION, STATION_COMPONENT)) {
            await("recording", () -> daemon.chunks() > 10);
            awaitTelemetry("telemetry", station);
            long old = daemon.metric(OLD);

            byte[] request = signedRequest();
            try (DatagramSocket other = new DatagramSocket()) {
                other.send(new DatagramPacket(request, request.length, InetAddress.getLoopbackAddress(), stationPort));
                await("the request", () -> frames(wire).contains(hex(request)));
            }

            List<MavlinkMessage<?>> ofVehicle = station.heard().stream()
                    .filter(message -> message.getOriginSystemId() == 1)
                    .toList();
            assertThat(ofVehicle)
                    .hasSizeGreaterThan(MANY)
                    .allSatisfy(message -> assertThat(((Mavlink2Message<?>) message).validateSignature(KEY))
                            .isTrue());
            // A vehicle that signs accepts START only with a signature.
            assertThat(vehicle.isStreaming()).isTrue();
            assertThat(daemon.metric(OLD)).as("frames that were overtaken").isEqualTo(old);
            daemon.stop();
            assertThat(daemon.logs())
                    .singleElement()
                    .satisfies(log -> assertThat(log.count('O')).isZero());
        }
    }

    private static byte[] signedRequest() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ParamRequestRead request = ParamRequestRead.builder()
                .targetSystem(1)
                .targetComponent(1)
                .paramId("SYSID_THISMAV")
                .paramIndex(-1)
                .build();
        MavlinkConnection.create(new ByteArrayInputStream(new byte[0]), out)
                .send2(STATION, STATION_COMPONENT, request, 3, 0x1234_5678L, KEY);
        return out.toByteArray();
    }

    private static String frames(HearingWire wire) {
        StringBuilder all = new StringBuilder();
        wire.received.forEach(bytes -> all.append(hex(bytes)).append(' '));
        return all.toString();
    }

    private static String hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(bytes);
    }

    @Test
    void aSerialPortThatIsPluggedInAgainIsHeardAgain() throws Exception {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        int stationPort = FreePorts.tcp();
        Path device = directory.resolve("tty");
        VehicleWire wire = VehicleWire.pty(device);
        try (RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                        .link(new LinkSettings.SerialPort("vehicle", device.toString(), 921_600, false))
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding("vehicle", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        wire,
                        fastVehicle().rateBytesPerSecond(80_000).loops(true).telemetryHz(20));
                LibraryStation station = LibraryStation.tcp(stationPort, STATION, STATION_COMPONENT)) {
            awaitTelemetry("telemetry", station);
            // More than the definitions, during which the vehicle may wait for acknowledgements and send nothing.
            await("data", () -> daemon.chunks() > 700);

            wire.unplug();
            await("the port is gone", () -> !Files.exists(device));
            long sent = vehicle.chunksSent();
            await(
                    "the link knows",
                    () -> !daemon.get("/status").text().contains("\"state\" : \"up\",\n    \"detail\" : \"\"")
                            || daemon.vehicles().get(0).heardMs() > 400);
            // The vehicle sends none while it waits for an acknowledgement.
            long unheard = vehicle.chunksSent() - sent;
            wire.plug();

            awaitTelemetry("telemetry again", station);
            long chunks = daemon.chunks();
            await("the log goes on", () -> daemon.chunks() > chunks + 100);
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(daemon.logs()).as(vehicle::toString).singleElement().satisfies(log -> {
                assertThat(log.isComplete()).isTrue();
                assertThat(log.count('O')).isGreaterThanOrEqualTo(unheard > 20 ? 1 : 0);
            });
        }
    }

    /** Both have fixed addresses: mavlogd sends to one and connects to the other. */
    @Test
    void stationsThatComeBackHearAgain() throws Exception {
        int vehiclePort = FreePorts.udp();
        int udpPort = FreePorts.udp();
        int tcpPort = FreePorts.tcp();
        try (RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                        .udpListen("vehicle", vehiclePort)
                        .link(new LinkSettings.UdpConnect("udp", "127.0.0.1", udpPort, true))
                        .link(new LinkSettings.TcpConnect("tcp", "127.0.0.1", tcpPort))
                        .forwarding(forwarding("vehicle", "udp", "tcp"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(500_000).loops(true).telemetryHz(50))) {
            await("recording", () -> daemon.chunks() > 10);
            for (int visit = 0; visit < 3; visit++) {
                try (LibraryStation udp = LibraryStation.udpAt(udpPort, STATION, STATION_COMPONENT);
                        LibraryStation tcp = LibraryStation.tcpAt(tcpPort, STATION, STATION_COMPONENT + 1)) {
                    awaitTelemetry("over UDP, visit " + visit, udp);
                    awaitTelemetry("over TCP, visit " + visit, tcp);
                }
                long chunks = daemon.chunks();
                await("the recording does not notice", () -> daemon.chunks() > chunks + 500);
            }
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(daemon.logs())
                    .singleElement()
                    .satisfies(log -> assertThat(log.count('O')).isZero());
        }
    }

    /** After kill -9, clients reach the next run, and recording continues in the same file. */
    @Test
    void clientsOfAKilledProgramReachTheNext() throws Exception {
        assumeTrue(ProgramProcess.isBuilt(), "needs the program: run mvn package");
        int vehiclePort = FreePorts.udp();
        int udpPort = FreePorts.udp();
        int tcpPort = FreePorts.tcp();
        String[] run = {"run", "--config", config(vehiclePort, udpPort, tcpPort).toString()};
        try (FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(vehiclePort), vehicleInRealTime().telemetryHz(50));
                LibraryStation udp = LibraryStation.udp(udpPort, STATION, STATION_COMPONENT)) {
            for (int kill = 0; kill < 2; kill++) {
                try (ProgramProcess program = ProgramProcess.start(directory, run)) {
                    program.awaitReady();
                    long before = stored();
                    try (LibraryStation tcp = LibraryStation.tcp(tcpPort, STATION, STATION_COMPONENT + 1)) {
                        awaitTelemetry("over TCP, run " + kill, tcp);
                        awaitTelemetry("over UDP, run " + kill, udp);
                        // The next run needs the note.
                        await("data", () -> stored() > before + 150_000 && isNoted());
                        program.kill();
                    }
                }
            }
            try (ProgramProcess program = ProgramProcess.start(directory, run)) {
                program.awaitReady();
                long before = stored();
                awaitTelemetry("over UDP, at last", udp);
                await("data", () -> stored() > before + 15_000);
                program.terminate();
                assertThat(program.exitCode()).as(program.output()).isZero();
            }
            assertThat(vehicle.sent().stream().map(SentLog::end)).containsExactly("STOPPED");
        }
        assertThat(files()).singleElement().satisfies(file -> {
            LogContent log = LogContent.of(file.toString(), Files.readAllBytes(file));
            assertThat(file.toString()).endsWith(".ulg");
            assertThat(log.isComplete()).isTrue();
            assertThat(log.gaps()).isEqualTo(2);
        });
    }

    /** If no link forwards, only the empty settings of forwarding are loaded. */
    @Test
    void withoutForwardingItsCodeIsNotLoaded() throws Exception {
        assumeTrue(ProgramProcess.isBuilt(), "needs the program: run mvn package");
        Path plain = Files.createDirectory(directory.resolve("plain"));
        Path forwards = Files.createDirectory(directory.resolve("forwards"));

        assertThat(loaded(plain, "")).containsExactly("ForwardSettings");
        assertThat(loaded(forwards, "forward = true")).contains("Forwarder", "Router", "LinkPort");
    }

    private static List<String> loaded(Path home, String more) throws Exception {
        int port = FreePorts.udp();
        Path config = Files.writeString(
                home.resolve("mavlogd.toml"), """
                [log]
                directory = "%s"
                [http]
                listen = "127.0.0.1:%d"
                [[link]]
                name = "vehicle"
                type = "udp"
                listen = "127.0.0.1:%d"
                %s
                """.formatted(home.resolve("logs"), FreePorts.tcp(), port, more));
        Path classes = home.resolve("classes.txt");
        try (ProgramProcess program = ProgramProcess.start(
                        home,
                        Map.of(ProgramProcess.JAVA_OPTIONS, "-Xlog:class+load:file=" + classes),
                        "run",
                        "--config",
                        config.toString());
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().telemetryHz(50))) {
            program.awaitReady();
            await("the end of the log", vehicle::isAtLogEnd);
            program.terminate();
        }
        try (Stream<String> lines = Files.lines(classes)) {
            return lines.filter(line -> line.contains(" org.mavlogd.forward."))
                    .map(line -> line.replaceFirst("^.* org\\.mavlogd\\.forward\\.([^ $]*).*$", "$1"))
                    .distinct()
                    .toList();
        }
    }

    private Path config(int vehiclePort, int udpPort, int tcpPort) throws IOException {
        return Files.writeString(directory.resolve("mavlogd.toml"), """
                [log]
                directory = "%s"
                [http]
                listen = "127.0.0.1:%d"
                [[link]]
                name = "vehicle"
                type = "udp"
                listen = "127.0.0.1:%d"
                forward = true
                [[link]]
                name = "udp"
                type = "udp"
                listen = "127.0.0.1:%d"
                forward = true
                record = false
                [[link]]
                name = "tcp"
                type = "tcp"
                listen = "127.0.0.1:%d"
                forward = true
                record = false
                """.formatted(
                        directory.resolve("logs"), FreePorts.tcp(), vehiclePort, udpPort, tcpPort));
    }

    private List<Path> files() throws IOException {
        Path logs = directory.resolve("logs");
        if (!Files.isDirectory(logs)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(logs)) {
            return files.filter(file -> file.toString().matches(".*\\.ulg(\\.part)?"))
                    .sorted()
                    .toList();
        }
    }

    private boolean isNoted() throws IOException {
        try (Stream<Path> entries = Files.list(directory.resolve("logs"))) {
            return entries.anyMatch(entry -> entry.toString().endsWith(".state"));
        }
    }

    private long stored() throws IOException {
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }
        return bytes;
    }
}
