package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.simulate.px4.Px4Settings.Signing;
import org.mavlogd.vehicle.VehicleStatus;

/** Vehicles that do not stream their log, and components that are no vehicles. */
@Timeout(120)
class RefusalSystemTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();

    private RunningDaemon recorder() {
        return RunningDaemon.in(directory.resolve("logs"))
                .udpListen("air", port)
                .start();
    }

    @Test
    void deniedStartIsExplainedAndNotRepeatedAtOnce() throws Exception {
        try (RunningDaemon daemon = recorder();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().linkBytesPerSecond(4000))) {
            await("reason", () -> detail(daemon).contains("raise MAV_x_RATE"));

            long startsBefore = starts(daemon);
            await("some seconds", () -> uptimeS(daemon) >= 4);

            assertThat(starts(daemon)).isEqualTo(startsBefore).isLessThanOrEqualTo(2);
            assertThat(daemon.status("vehicles"))
                    .singleElement()
                    .satisfies(shown -> assertThat(shown)
                            .containsEntry("autopilot", "PX4")
                            .containsEntry("state", "asking for the log"));
            assertThat(daemon.get("/healthz").code()).isEqualTo(503);
            assertThat(daemon.get("/healthz").text()).contains("vehicle 1 on air: START denied", "raise MAV_x_RATE");
            assertThat(vehicle.sent()).isEmpty();
            daemon.stop();
            assertThat(daemon.files()).isEmpty();
        }
    }

    @Test
    void vehicleWithoutLoggerIsAskedPatientlyAndExplained() throws Exception {
        try (RunningDaemon daemon = recorder();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loggerRuns(false))) {
            await("reason", () -> detail(daemon).contains("is the vehicle's logger running?"));

            assertThat(starts(daemon)).isBetween(5L, 7L);
            assertThat(daemon.get("/healthz").code()).isEqualTo(503);
            daemon.stop();
            assertThat(vehicle.sent()).isEmpty();
            assertThat(daemon.files()).isEmpty();
        }
    }

    /** A vehicle that requires signed frames does not answer a recorder without a key. */
    @Test
    void signingVehicleThatDoesNotAnswerIsExplainedByTheMissingKey() throws Exception {
        try (RunningDaemon daemon = recorder();
                FlyingVehicle vehicle = fly(
                        VehicleWire.udpTo(port), fastVehicle().loggerRuns(false).signing(Signing.SIGNED))) {
            await("reason", () -> detail(daemon).contains("it signs its frames and may refuse unsigned ones"));

            assertThat(daemon.get("/healthz").text()).contains("set [signing] key_file");
            assertThat(vehicle.sent()).isEmpty();
        }
    }

    @Test
    void streamWhoseDataDoesNotComeIsExplainedAndRecordedOnceItDoes() throws Exception {
        // A real vehicle has given up its stream before it is asked again.
        try (FlyingVehicle vehicle =
                fly(VehicleWire.udpTo(port), fastVehicle().loops(true).ackMaxTries(50))) {
            vehicle.losesChunks(true);
            try (RunningDaemon daemon = recorder()) {
                await("reason", () -> detail(daemon).contains("START accepted but no log data comes"));
                assertThat(daemon.get("/healthz").code()).isEqualTo(503);
                assertThat(daemon.files()).isEmpty();

                vehicle.losesChunks(false);

                await("data", () -> daemon.chunks() > 500);
                await("health", () -> daemon.get("/healthz").code() == 200);
                daemon.stop();
                assertThat(daemon.logs())
                        .singleElement()
                        .satisfies(log -> assertThat(log.isComplete()).isTrue());
            }
        }
    }

    @Test
    void otherComponentsOnTheLinkDoNotConfuseDiscovery() throws Exception {
        List<byte[]> others = List.of(
                heartbeat(1, 154, 26, Heartbeat.AUTOPILOT_INVALID), // gimbal of the vehicle
                heartbeat(1, 100, 30, Heartbeat.AUTOPILOT_INVALID), // its camera
                heartbeat(1, 191, 18, Heartbeat.AUTOPILOT_INVALID), // another program of this computer
                heartbeat(1, 68, 0, Heartbeat.AUTOPILOT_INVALID), // a telemetry radio
                heartbeat(255, 190, 6, Heartbeat.AUTOPILOT_INVALID), // a ground station
                heartbeat(254, 190, 6, 0)); // another ground station, which claims a generic autopilot
        try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            others.forEach(vehicle::alsoSend);
            try (RunningDaemon daemon = recorder()) {
                // The status lags behind the counter.
                await("data, and its status", () -> {
                    others.forEach(vehicle::alsoSend);
                    return daemon.chunks() > 500
                            && daemon.vehicles().get(0).state().equals("recording");
                });

                assertThat(daemon.vehicles())
                        .singleElement()
                        .satisfies(shown -> assertThat(shown)
                                .extracting(VehicleStatus::systemId, VehicleStatus::componentId)
                                .containsExactly(1, 1));
                daemon.stop();
                await("STOP heard", () -> !vehicle.isStreaming());
                assertThat(vehicle.sent()).hasSize(1);
                assertThat(daemon.logs())
                        .singleElement()
                        .satisfies(log -> assertThat(log.count('O')).isZero());
            }
        }
    }

    @Test
    void anAutopilotWithoutLogStreamIsShownWithTheReasonWhyItIsNotRecorded() throws Exception {
        byte[] generic = heartbeat(7, 1, 2, 0);
        try (RunningDaemon daemon = recorder();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            await("both", () -> {
                vehicle.alsoSend(generic);
                return daemon.vehicles().size() == 2 && daemon.chunks() > 100;
            });

            Map<String, Object> shown = daemon.status("vehicles").stream()
                    .filter(one -> Long.valueOf(7).equals(one.get("system_id")))
                    .findFirst()
                    .orElseThrow();
            assertThat(shown)
                    .containsEntry("autopilot", "autopilot type 0")
                    .containsEntry("state", "not recorded")
                    .containsEntry("detail", "log streaming of this autopilot is not supported");
            daemon.stop();
            assertThat(daemon.logs())
                    .singleElement()
                    .satisfies(log -> assertThat(log.name()).contains("_sys001_"));
        }
    }

    private static byte[] heartbeat(int systemId, int componentId, int type, int autopilot) {
        byte[] payload = new byte[255];
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int payloadLength = new Heartbeat(type, autopilot, 0, 0, Heartbeat.STATE_ACTIVE).encodePayload(payload);
        int length =
                new FrameEncoder(componentId).encode(systemId, MessageIds.HEARTBEAT, payload, payloadLength, frame, 0);
        return Arrays.copyOf(frame, length);
    }

    private static String detail(RunningDaemon daemon) {
        return String.join(
                "|", daemon.vehicles().stream().map(VehicleStatus::detail).toList());
    }

    private static long starts(RunningDaemon daemon) throws Exception {
        return daemon.metric("mavlogd_px4_starts_sent_total{link=\"air\"}");
    }

    private static long uptimeS(RunningDaemon daemon) throws Exception {
        return (Long) daemon.status().getOrDefault("uptime_s", 0L);
    }
}
