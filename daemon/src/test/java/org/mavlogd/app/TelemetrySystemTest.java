package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import io.dronefleet.mavlink.MavlinkConnection;
import io.dronefleet.mavlink.MavlinkMessage;
import io.dronefleet.mavlink.common.Attitude;
import io.dronefleet.mavlink.common.LoggingData;
import io.dronefleet.mavlink.common.ParamValue;
import io.dronefleet.mavlink.minimal.Heartbeat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;

/**
 * A telemetry log is written beside the log, with the frames of the vehicle and of a ground station; another library
 * reads it.
 */
@Timeout(120)
class TelemetrySystemTest {
    private static final int STATION = 255;
    // Frames of two links come out of two rings: a frame may be older than the previous one by this much.
    private static final Duration DISORDER = PromisedTime.of(Duration.ofMillis(100));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** A record of a telemetry log. */
    private record Heard(Instant time, MavlinkMessage<?> message) {}

    @Test
    void whatIsHeardStandsBesideTheLog() throws Exception {
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.tcp();
        Instant begin = Instant.now();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(new ForwardSettings(
                                false,
                                List.of(ForwardRules.of("vehicle"), ForwardRules.of("station")),
                                Set.of("station")))
                        .telemetry(TelemetryLogs.Limits.DEFAULT)
                        .start();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(vehiclePort),
                        fastVehicle().rateBytesPerSecond(200_000).loops(true).telemetryHz(50))) {
            await("recording", () -> daemon.chunks() > 10);
            await("a telemetry log", () -> daemon.metric("mavlogd_tlog_frames_total") > 0);
            try (LibraryStation station = LibraryStation.tcp(stationPort, STATION, 190)) {
                for (int i = 0; i < 100; i++) {
                    station.say(ParamValue.builder().paramId("P").paramIndex(i).build());
                }
                await("telemetry", () -> daemon.metric("mavlogd_tlog_frames_total") > 300);
            }
            assertThat(daemon.status().get("recordings")).asString().contains("_sys001_", ".tlog");
            assertThat((List<?>) daemon.status().get("recordings")).hasSize(1);
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(daemon.logs()).hasSize(1);
            assertThat(daemon.logs().get(0).count('O')).isZero();
        }

        List<Heard> heard = read(telemetry());
        assertThat(heard)
                .hasSizeGreaterThan(300)
                .allSatisfy(record -> assertThat(record.time())
                        .isBetween(begin.minusSeconds(1), Instant.now().plusSeconds(1)));
        for (int i = 1; i < heard.size(); i++) {
            assertThat(heard.get(i).time())
                    .isAfterOrEqualTo(heard.get(i - 1).time().minus(DISORDER));
        }
        assertThat(count(heard, Heartbeat.class)).isPositive();
        assertThat(count(heard, Attitude.class)).isGreaterThan(20);
        assertThat(count(heard, LoggingData.class)).isZero();
        assertThat(heard.stream()
                        .filter(record -> record.message().getOriginSystemId() == STATION)
                        .filter(record -> record.message().getPayload() instanceof ParamValue)
                        .map(record -> ((ParamValue) record.message().getPayload()).paramIndex()))
                .hasSize(100)
                .isSorted();
        LogDirectory.Log log = new LogDirectory(new FileDisk(directory, ns -> {})).find(LogDirectory.LAST);
        assertThat(log.pieces()).hasSize(2).allMatch(piece -> piece.problem().isEmpty());
        assertThat(log.lastFile()).endsWith(".ulg");
    }

    private byte[] telemetry() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return Files.readAllBytes(files.filter(file -> file.toString().endsWith(".tlog"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    /** Reads the frames with dronefleet's library. */
    private static List<Heard> read(byte[] log) throws IOException {
        List<Heard> heard = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(log);
        while (bytes.hasRemaining()) {
            long utcUs = bytes.getLong();
            int at = bytes.position();
            boolean isV2 = bytes.get(at) == (byte) 0xFD;
            int length = (bytes.get(at + 1) & 0xFF) + (isV2 ? 12 + ((bytes.get(at + 2) & 1) == 1 ? 13 : 0) : 8);
            byte[] frame = new byte[length];
            bytes.get(frame);
            MavlinkMessage<?> message = decode(frame);
            assertThat(message).isNotNull();
            heard.add(new Heard(Instant.EPOCH.plusNanos(utcUs * 1000), message));
        }
        return heard;
    }

    private static MavlinkMessage<?> decode(byte[] frame) throws IOException {
        try {
            return MavlinkConnection.create(new ByteArrayInputStream(frame), new ByteArrayOutputStream())
                    .next();
        } catch (EOFException e) {
            throw new AssertionError("no frame", e);
        }
    }

    private static long count(List<Heard> heard, Class<?> payload) {
        return heard.stream()
                .filter(record -> payload.isInstance(record.message().getPayload()))
                .count();
    }
}
