package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.freeTcpPort;
import static org.mavlogd.app.SystemTests.freeUdpPort;
import static org.mavlogd.app.SystemTests.roverLog;

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
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;

/** mavlogd has the vehicle's port, and other programs reach the vehicle through it. */
@Timeout(90)
class ForwardSystemTest {
    private static final int RATE = 500_000;
    private static final int STATION = 255;
    private static final int STATION_COMPONENT = 190;
    private static final int COMPANION = 100;
    private static final int PARAMETERS = 1000;
    private static final int ITEMS = 120;
    private static final int PIECES = 1500;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static ForwardSettings forwarding(String... links) {
        return new ForwardSettings(
                false, List.of(links).stream().map(ForwardRules::of).toList(), Set.of("station"));
    }

    /** Parameters, a mission and a file go both ways through mavlogd, and the log that streams meanwhile is complete. */
    @Test
    void conversationsPassWhileItRecords() throws Exception {
        int vehiclePort = freeUdpPort();
        int stationPort = freeTcpPort();
        int companionPort = freeUdpPort();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .udpListen("companion", companionPort)
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding("vehicle", "companion", "station"))
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(RATE).telemetryHz(50))) {
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
            }
            await("end of log", vehicle::isAtLogEnd);
            daemon.stop();

            assertThat(daemon.logs()).hasSize(1);
            assertThat(daemon.logs().get(0).count('O')).isZero();
            assertThat(daemon.logs().get(0).fromVehicle()).isEqualTo(roverLog());
        }
    }

    private static Set<String> parameters(LibraryStation station) {
        return station.heard().stream()
                .map(MavlinkMessage::getPayload)
                .filter(ParamValue.class::isInstance)
                .map(value -> ((ParamValue) value).paramId())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The component that has parameters, takes a mission and gives a file. */
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

    /** As every component does it, so that no link has to drop any. */
    private static void pause(int i) {
        if (i % 10 == 9) {
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
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
