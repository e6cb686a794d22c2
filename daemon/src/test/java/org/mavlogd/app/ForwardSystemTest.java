package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import io.dronefleet.mavlink.Mavlink2Message;
import io.dronefleet.mavlink.MavlinkMessage;
import io.dronefleet.mavlink.common.Attitude;
import io.dronefleet.mavlink.common.FileTransferProtocol;
import io.dronefleet.mavlink.common.LoggingData;
import io.dronefleet.mavlink.common.LoggingDataAcked;
import io.dronefleet.mavlink.common.MavCmd;
import io.dronefleet.mavlink.common.MavFrame;
import io.dronefleet.mavlink.common.MavMissionResult;
import io.dronefleet.mavlink.common.MavParamType;
import io.dronefleet.mavlink.common.MissionAck;
import io.dronefleet.mavlink.common.MissionCount;
import io.dronefleet.mavlink.common.MissionItemInt;
import io.dronefleet.mavlink.common.MissionRequestInt;
import io.dronefleet.mavlink.common.ParamRequestList;
import io.dronefleet.mavlink.common.ParamValue;
import io.dronefleet.mavlink.minimal.Heartbeat;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.ParamValueLayout;
import org.mavlogd.whole.LogContent;

/** mavlogd has the vehicle's port, and other programs reach the vehicle through mavlogd. */
@Timeout(120)
class ForwardSystemTest {
    private static final int RATE = 500_000;
    private static final int CHUNK_BYTES = 249;
    private static final int STATION = 255;
    private static final int STATION_COMPONENT = 190;
    private static final int COMPANION = 100;
    private static final int PARAMETERS = 1000;
    private static final int ITEMS = 120;
    private static final int PIECES = 600;
    private static final int FLOOD_STEP = 2000;
    private static final byte MAV_PARAM_TYPE_INT32 = 6;
    private static final int LAST_MESSAGE = 4096;
    private static final int ATTITUDE = 30;
    private static final int FORGED = 50_000;
    private static final long FORGED_INTERVAL_NS = 100_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static ForwardSettings forwarding(String... links) {
        return new ForwardSettings(
                false, List.of(links).stream().map(ForwardRules::of).toList(), Set.of("station"));
    }

    /**
     * Parameters, a mission and a file pass through mavlogd in both directions, and the log that streams meanwhile is
     * complete.
     */
    @Test
    void conversationsPassWhileItRecords() throws Exception {
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.tcp();
        int companionPort = FreePorts.udp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .udpListen("companion", companionPort)
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding("vehicle", "companion", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(RATE).loops(true).telemetryHz(50))) {
            await("recording", () -> daemon.chunks() > 10);
            byte[] file = new byte[PIECES * 200];
            new Random(19).nextBytes(file);
            List<Integer> items = new CopyOnWriteArrayList<>();
            try (LibraryStation companion = LibraryStation.udp(companionPort, 1, COMPANION);
                    LibraryStation station = LibraryStation.tcp(stationPort, STATION, STATION_COMPONENT)) {
                companion.answering(message -> serve(companion, message, file, items));
                station.answering(message -> upload(station, message));
                companion.heartbeat();
                station.heartbeat();
                await("the vehicle is seen", () -> station.countFrom(1) > 2);
                await("the companion is seen", () -> {
                    companion.heartbeat();
                    return station.heard().stream().anyMatch(message -> message.getOriginComponentId() == COMPANION);
                });

                station.say(ParamRequestList.builder()
                        .targetSystem(1)
                        .targetComponent(COMPANION)
                        .build());
                await("parameters", () -> parameters(station).size() == PARAMETERS);
                station.say(MissionCount.builder()
                        .targetSystem(1)
                        .targetComponent(COMPANION)
                        .count(ITEMS)
                        .build());
                await("mission", () -> station.count(MissionAck.class) == 1);
                byte[] received = download(station, file.length);

                assertThat(received).isEqualTo(file);
                assertThat(items).hasSize(ITEMS).isSorted();
                assertThat(station.count(LoggingData.class) + station.count(LoggingDataAcked.class))
                        .isZero();
                await("telemetry", () -> station.count(Attitude.class) > 20);
                assertThat(daemon.status("forwarding").stream().map(link -> link.get("link")))
                        .containsExactly("vehicle", "companion", "station");
                assertThat(String.valueOf(daemon.status("forwarding").get(0))).contains("no_receiver=", "systems=[1]");
                assertThat(String.valueOf(daemon.status("forwarding").get(2))).contains("systems=[255]");
            }
            stopsAndIsComplete(daemon, vehicle);
        }
    }

    /** Stops the stream and checks that the log has everything that the vehicle sent, without a gap. */
    private static void stopsAndIsComplete(RunningDaemon daemon, FlyingVehicle vehicle) {
        await("some of the log", () -> daemon.chunks() > RATE / CHUNK_BYTES);
        daemon.stop();
        await("STOP heard", () -> !vehicle.isStreaming());
        assertThat(daemon.logs()).hasSize(1);
        LogContent log = daemon.logs().get(0);
        byte[] sent = vehicle.sent().get(0).bytes();
        assertThat(log.count('O')).isZero();
        assertThat(sent).startsWith(log.fromVehicle());
        assertThat(log.fromVehicle().length).isGreaterThan(Math.max(RATE / 2, sent.length - LAST_MESSAGE));
    }

    /**
     * One client never reads, another component floods all links: only forwarded frames are dropped, and every dropped
     * frame is counted.
     */
    @Test
    void aDeadClientAndAFloodCostForwardedFramesOnly() throws Exception {
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.tcp();
        int companionPort = FreePorts.udp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .udpListen("companion", companionPort)
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding("vehicle", "companion", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(RATE).loops(true).telemetryHz(50));
                Socket dead = new Socket(InetAddress.getLoopbackAddress(), stationPort);
                LibraryStation station = LibraryStation.tcp(stationPort, STATION, STATION_COMPONENT);
                Forgers flood = new Forgers(1)) {
            await("recording", () -> daemon.chunks() > 10);
            station.heartbeat();
            AtomicInteger parameters = new AtomicInteger();
            await("frames dropped", () -> {
                for (int i = 0; i < FLOOD_STEP; i++) {
                    flood.send(datagram(parameter(parameters.getAndIncrement()), companionPort));
                }
                return dropped(daemon, "queue_full_conversation", "station") > 0;
            });
            long heard = station.count(Attitude.class);
            await("the other client hears on", () -> {
                assertThat(station.isConnected()).as("its connection").isTrue();
                return station.count(Attitude.class) > heard + 20;
            });
            assertThat(dead.getInputStream().available())
                    .as("bytes that nobody reads")
                    .isPositive();

            stopsAndIsComplete(daemon, vehicle);
        }
    }

    /**
     * A radio accepts no bytes: the other endpoint receives the vehicle's frames, the log is complete, and dropped
     * frames are counted.
     */
    @Test
    void aSaturatedSerialLineCostsForwardedFramesOnly() throws Exception {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.tcp();
        Path device = directory.resolve("radio");
        try (VehicleWire radio = VehicleWire.pty(device);
                RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                        .udpListen("vehicle", vehiclePort)
                        .link(new LinkSettings.SerialPort("radio", device.toString(), 57_600, false))
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding("vehicle", "radio", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(RATE).loops(true).telemetryHz(1000));
                LibraryStation station = LibraryStation.tcp(stationPort, STATION, STATION_COMPONENT)) {
            assertThat(radio.receive(new byte[1]))
                    .as("it is plugged in, and never read")
                    .isZero();
            await("recording", () -> daemon.chunks() > 10);
            station.heartbeat();
            await("telemetry that nobody takes", () -> dropped(daemon, "queue_full_telemetry", "radio") > 50);
            long heard = station.count(Attitude.class);
            await("the station hears on", () -> station.count(Attitude.class) > heard + 20);
            assertThat(dropped(daemon, "queue_full_telemetry", "station")).isZero();
            stopsAndIsComplete(daemon, vehicle);
        }
    }

    /**
     * 10,000 frames a second from forged senders on one link, from one address or from ever new ones: the other links
     * receive the vehicle's frames, and its log is complete.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 400})
    void madeUpSendersCostTheRecordingNothing(int addresses) throws Exception {
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.tcp();
        int forgedPort = FreePorts.udp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .udpListen("forged", forgedPort)
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding("vehicle", "forged", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(RATE).loops(true).telemetryHz(50));
                Forgers forgers = new Forgers(addresses);
                LibraryStation station = LibraryStation.tcp(stationPort, STATION, STATION_COMPONENT)) {
            await("recording", () -> daemon.chunks() > 10);
            station.heartbeat();
            long heard = station.count(Attitude.class);
            long beganNs = System.nanoTime();
            int sent = 0;
            while (sent < FORGED) {
                for (long due = (System.nanoTime() - beganNs) / FORGED_INTERVAL_NS;
                        sent < Math.min(due, FORGED);
                        sent++) {
                    forgers.send(datagram(forged(sent), forgedPort));
                }
                LockSupport.parkNanos(1_000_000);
            }
            await("the vehicle is heard on", () -> station.count(Attitude.class) > heard + 20);
            await(
                    "the flood is looked at",
                    () -> daemon.metric("mavlogd_forward_received_frames_total{link=\"forged\"}")
                                    + dropped(daemon, "router_busy", "forged")
                                    + dropped(daemon, "too_many_endpoints", "forged")
                            > FORGED / 2);
            assertThat(daemon.vehicles()).hasSize(1);

            stopsAndIsComplete(daemon, vehicle);
        }
    }

    private static long dropped(RunningDaemon daemon, String cause, String link) throws Exception {
        return daemon.metric("mavlogd_forward_dropped_frames_total{cause=\"" + cause + "\",link=\"" + link + "\"}");
    }

    /** More sockets than a link keeps addresses; they send in turn. */
    private static final class Forgers implements AutoCloseable {
        private final List<DatagramSocket> sockets = new ArrayList<>();
        private int next;

        Forgers(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                sockets.add(new DatagramSocket());
            }
        }

        void send(DatagramPacket datagram) throws IOException {
            sockets.get(next++ % sockets.size()).send(datagram);
        }

        @Override
        public void close() {
            sockets.forEach(DatagramSocket::close);
        }
    }

    private static DatagramPacket datagram(byte[] frame, int port) {
        return new DatagramPacket(frame, frame.length, InetAddress.getLoopbackAddress(), port);
    }

    /** A frame whose system and component come from a sequence that reaches every pair. */
    private static byte[] forged(int number) {
        byte[] payload = {(byte) number, (byte) (number >>> 8), (byte) (number >>> 16), 0, 1};
        return encoded(2 + number / 255 % 254, 1 + number % 255, ATTITUDE, payload);
    }

    /** A parameter of the companion computer, unlike any other. */
    private static byte[] parameter(int number) {
        byte[] payload = new byte[ParamValueLayout.FULL_LENGTH];
        LittleEndian.putInt32(payload, 0, number);
        payload[payload.length - 1] = MAV_PARAM_TYPE_INT32;
        return encoded(1, COMPANION, MessageIds.PARAM_VALUE, payload);
    }

    /** Many times as fast as the library, whose reflection would keep the test from flooding a busy machine. */
    private static byte[] encoded(int system, int component, int messageId, byte[] payload) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(component).encode(system, messageId, payload, payload.length, frame, 0);
        return Arrays.copyOf(frame, length);
    }

    /**
     * Both vehicles are recorded, and the frames of a ground station that uses MAVLink 1 are forwarded as MAVLink 1.
     */
    @Test
    void aGroundStationOfMavlink1HearsTwoVehiclesOfOnePort() throws Exception {
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.udp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .udpListen("station", stationPort)
                        .forwarding(forwarding("vehicle", "station"))
                        .start();
                FlyingVehicle first = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().loops(true).systemId(1));
                FlyingVehicle second = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().loops(true).systemId(2));
                LibraryStation companion = LibraryStation.udp(vehiclePort, 1, COMPANION);
                LibraryStation station = LibraryStation.udpOfMavlink1(stationPort, STATION, STATION_COMPONENT)) {
            await("both hear", () -> {
                station.heartbeat();
                companion.heartbeat();
                return station.countFrom(1) > 5
                        && station.countFrom(2) > 5
                        && companion.heard().stream().anyMatch(message -> message.getOriginSystemId() == STATION);
            });
            assertThat(companion.heard())
                    .filteredOn(message -> message.getOriginSystemId() == STATION)
                    .noneMatch(Mavlink2Message.class::isInstance);
            assertThat(station.heard()).anyMatch(Mavlink2Message.class::isInstance);
            await("two recordings", () -> daemon.recordings().size() == 2);
            assertThat(daemon.vehicles()).hasSize(2);
            daemon.stop();
            assertThat(daemon.logs()).hasSize(2).allMatch(log -> log.count('O') == 0);
            assertThat(first.isStreaming() && second.isStreaming()).isFalse();
        }
    }

    /** Uses a serial port and a client that comes back. */
    @Test
    void aClientThatReturnsHearsAgain() throws Exception {
        int stationPort = FreePorts.tcp();
        Path device = directory.resolve("tty");
        Path logs = directory.resolve("logs");
        try (RunningDaemon daemon = RunningDaemon.in(logs)
                        .link(new LinkSettings.SerialPort("vehicle", device.toString(), 921_600, false))
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding("vehicle", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.pty(device),
                        fastVehicle().rateBytesPerSecond(80_000).loops(true).telemetryHz(20))) {
            for (int visit = 0; visit < 3; visit++) {
                try (LibraryStation station = LibraryStation.tcp(stationPort, STATION, STATION_COMPONENT)) {
                    station.heartbeat();
                    await("heard", () -> station.count(Attitude.class) > 10 && station.count(Heartbeat.class) > 0);
                    assertThat(station.count(LoggingData.class)).isZero();
                }
            }
            await("recorded", () -> daemon.chunks() > 500);
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(daemon.logs()).hasSize(1);
            assertThat(daemon.logs().get(0).count('O')).isZero();
        }
    }

    /**
     * The second router has the ground station: each side receives the other's frames once, and no frame circulates.
     */
    @Test
    void twoWaysBetweenTwoRoutersAreNoLoop() throws Exception {
        int vehiclePort = FreePorts.udp();
        int firstPort = FreePorts.udp();
        int secondPort = FreePorts.udp();
        int stationPort = FreePorts.tcp();
        ForwardSettings behind = new ForwardSettings(
                false,
                Stream.of("first", "second", "station").map(ForwardRules::of).toList(),
                Set.of("first", "second", "station"));
        try (RunningDaemon router = RunningDaemon.in(directory.resolve("router"))
                        .udpListen("first", firstPort)
                        .udpListen("second", secondPort)
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(behind)
                        .start();
                RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                        .udpListen("vehicle", vehiclePort)
                        .link(new LinkSettings.UdpConnect("first", "127.0.0.1", firstPort, true))
                        .link(new LinkSettings.UdpConnect("second", "127.0.0.1", secondPort, true))
                        .forwarding(forwarding("vehicle", "first", "second"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(RATE).loops(true).telemetryHz(50));
                LibraryStation companion = LibraryStation.udp(vehiclePort, 1, COMPANION);
                LibraryStation station = LibraryStation.tcp(stationPort, STATION, STATION_COMPONENT)) {
            // Before, the simulated clock jumps back: after the definitions the data begins at its own time.
            await("data", () -> daemon.chunks() > 500);
            AtomicLong sentMessages = new AtomicLong();
            await("both hear each other", () -> {
                companion.heartbeat();
                station.heartbeat();
                sentMessages.incrementAndGet();
                return station.count(Attitude.class) > 100 && companion.countFrom(STATION) > 5;
            });

            List<Long> times = station.heard().stream()
                    .map(MavlinkMessage::getPayload)
                    .filter(Attitude.class::isInstance)
                    .map(payload -> ((Attitude) payload).timeBootMs())
                    .toList();
            assertThat(times).doesNotHaveDuplicates();
            assertThat(companion.countFrom(STATION)).isLessThanOrEqualTo(sentMessages.get());
            assertThat(router.metric("mavlogd_forward_received_frames_total{link=\"first\"}")
                            + router.metric("mavlogd_forward_received_frames_total{link=\"second\"}"))
                    .as("what the vehicle and the companion said, twice")
                    .isLessThan(3 * daemon.metric("mavlogd_forward_received_frames_total{link=\"vehicle\"}"));
            stopsAndIsComplete(daemon, vehicle);
        }
    }

    private static Set<String> parameters(LibraryStation station) {
        return station.heard().stream()
                .map(MavlinkMessage::getPayload)
                .filter(ParamValue.class::isInstance)
                .map(value -> ((ParamValue) value).paramId())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Answers as the component that has parameters, accepts a mission and sends a file. */
    private static void serve(LibraryStation companion, MavlinkMessage<?> message, byte[] file, List<Integer> items) {
        Object payload = message.getPayload();
        if (payload instanceof ParamRequestList) {
            for (int i = 0; i < PARAMETERS; i++) {
                companion.say(ParamValue.builder()
                        .paramId("P" + i)
                        .paramCount(PARAMETERS)
                        .paramIndex(i)
                        .paramType(MavParamType.MAV_PARAM_TYPE_REAL32)
                        .build());
                pause(i);
            }
        } else if (payload instanceof MissionCount) {
            request(companion, 0);
        } else if (payload instanceof MissionItemInt item) {
            items.add(item.seq());
            if (item.seq() + 1 < ITEMS) {
                request(companion, item.seq() + 1);
            } else {
                companion.say(MissionAck.builder()
                        .targetSystem(STATION)
                        .targetComponent(STATION_COMPONENT)
                        .type(MavMissionResult.MAV_MISSION_ACCEPTED)
                        .build());
            }
        } else if (payload instanceof FileTransferProtocol request) {
            int piece = piece(request.payload());
            byte[] answer = new byte[251];
            answer[0] = (byte) piece;
            answer[1] = (byte) (piece >>> 8);
            System.arraycopy(file, piece * 200, answer, 12, 200);
            companion.say(FileTransferProtocol.builder()
                    .targetSystem(STATION)
                    .targetComponent(STATION_COMPONENT)
                    .payload(answer)
                    .build());
        }
    }

    /** Sends at the pace of a usual component, so that no link has to drop frames. */
    private static void pause(int i) {
        if (i % 10 == 9) {
            LockSupport.parkNanos(2_000_000);
        }
    }

    private static void request(LibraryStation companion, int item) {
        companion.say(MissionRequestInt.builder()
                .targetSystem(STATION)
                .targetComponent(STATION_COMPONENT)
                .seq(item)
                .build());
    }

    private static void upload(LibraryStation station, MavlinkMessage<?> message) {
        if (message.getPayload() instanceof MissionRequestInt request) {
            station.say(MissionItemInt.builder()
                    .targetSystem(1)
                    .targetComponent(COMPANION)
                    .seq(request.seq())
                    .command(MavCmd.MAV_CMD_NAV_WAYPOINT)
                    .frame(MavFrame.MAV_FRAME_GLOBAL_INT)
                    .build());
        }
    }

    private static int piece(byte[] payload) {
        return (payload[0] & 0xFF) | (payload[1] & 0xFF) << 8;
    }

    private static byte[] download(LibraryStation station, int length) {
        byte[] file = new byte[length];
        for (int piece = 0; piece < PIECES; piece++) {
            byte[] request = new byte[251];
            request[0] = (byte) piece;
            request[1] = (byte) (piece >>> 8);
            request[12] = 1;
            long before = station.count(FileTransferProtocol.class);
            station.say(FileTransferProtocol.builder()
                    .targetSystem(1)
                    .targetComponent(COMPANION)
                    .payload(request)
                    .build());
            await("piece " + piece, () -> station.count(FileTransferProtocol.class) > before);
            byte[] answer = station.heard().stream()
                    .map(MavlinkMessage::getPayload)
                    .filter(FileTransferProtocol.class::isInstance)
                    .map(payload -> ((FileTransferProtocol) payload).payload())
                    .reduce((first, second) -> second)
                    .orElseThrow();
            System.arraycopy(answer, 12, file, piece(answer) * 200, 200);
        }
        return file;
    }
}
