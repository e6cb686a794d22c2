package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.record.figures.RecordingStatus;

/** The values on the pages, compared with what was sent. */
@Timeout(120)
class StatusSystemTest {
    private static final int MAX_CHUNK = 249;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();

    @Test
    void pagesTellWhatHappens() throws Exception {
        int deadPort = FreePorts.tcp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .link(new LinkSettings.TcpConnect("dead", "127.0.0.1", deadPort))
                        .silenceS(60)
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().startsArmed(true))) {
            await("end of log", vehicle::isAtLogEnd);
            // The vehicle sends a chunk only when it is full, or after STOP.
            long sentBytes = vehicle.sent().get(0).length();
            long sentChunks = vehicle.chunksSent();
            await("all of it", () -> daemon.chunks() == sentChunks);

            assertThat(daemon.status("links").stream().map(link -> link.get("name") + " " + link.get("state")))
                    .containsExactly("air up", "dead waiting");
            assertThat((String) daemon.status("links").get(1).get("detail")).contains("refused");
            assertThat(daemon.status("vehicles")).singleElement().satisfies(shown -> {
                assertThat(shown)
                        .containsEntry("link", "air")
                        .containsEntry("system_id", 1L)
                        .containsEntry("component_id", 1L)
                        .containsEntry("autopilot", "PX4")
                        .containsEntry("armed", true)
                        .containsEntry("state", "recording")
                        .containsEntry("detail", "");
                assertThat(Duration.ofMillis((Long) shown.get("heard_ms_ago")))
                        .isLessThan(PromisedTime.of(Duration.ofSeconds(3)));
            });
            Map<String, Object> recording = daemon.status("recordings").get(0);
            assertThat(recording)
                    .containsEntry("system_id", 1L)
                    .containsEntry("chunks", sentChunks)
                    .containsEntry("lost_chunks", Map.of("link", 0L, "vehicle", 0L, "ring", 0L, "restart", 0L))
                    .containsEntry("dropouts", 0L)
                    .containsEntry("discarded_bytes", 0L)
                    .containsEntry("disk_lost_bytes", 0L)
                    .containsEntry("problem", "");
            // The recorder's own message is stored too, and the last message may not have arrived.
            assertThat((Long) recording.get("stored_bytes")).isBetween(sentBytes - MAX_CHUNK, sentBytes + MAX_CHUNK);
            assertThat(directory.resolve(String.valueOf(recording.get("growing_file"))))
                    .isRegularFile();
            @SuppressWarnings("unchecked")
            Map<String, Object> disk = (Map<String, Object>) daemon.status().getOrDefault("disk", Map.of());
            assertThat(disk).containsEntry("directory", directory.toString());
            assertThat((Long) disk.get("usable_bytes")).isPositive();

            assertThat(daemon.metric("mavlogd_record_chunks_total{link=\"air\"}"))
                    .isEqualTo(sentChunks);
            assertThat(daemon.metric("mavlogd_px4_chunks_total{link=\"air\"}")).isEqualTo(sentChunks);
            assertThat(daemon.metric("mavlogd_record_lost_chunks_total{cause=\"link\",link=\"air\"}"))
                    .isZero();
            assertThat(daemon.metric("mavlogd_mavlink_bad_checksums_total{link=\"air\"}"))
                    .isZero();
            assertThat(daemon.metric("mavlogd_link_received_bytes_total{link=\"air\"}"))
                    .isGreaterThan(sentBytes);
            assertThat(daemon.metric("mavlogd_link_up{link=\"air\"}")).isEqualTo(1);
            assertThat(daemon.metric("mavlogd_link_up{link=\"dead\"}")).isZero();
            assertThat(daemon.metric("mavlogd_recordings")).isEqualTo(1);
            assertThat(daemon.metric("mavlogd_vehicles")).isEqualTo(1);
            assertThat(daemon.get("/healthz").code()).isEqualTo(503);
            assertThat(daemon.get("/healthz").text())
                    .startsWith("link dead: cannot connect to 127.0.0.1:" + deadPort)
                    .hasLineCount(1);
            assertThat(daemon.metric("mavlogd_problems")).isEqualTo(1);
            assertThat(daemon.get("/nothing").code()).isEqualTo(404);
        }
    }

    @Test
    void aSerialDeviceThatIsGoneIsAProblemBeforeTheVehicleIsSilent() throws Exception {
        Assumptions.assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path device = directory.resolve("ttyVEHICLE");
        VehicleWire cable = VehicleWire.pty(device);
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .link(new LinkSettings.SerialPort("uart", device.toString(), 921_600, false))
                        .silenceS(60)
                        .start();
                FlyingVehicle vehicle = fly(cable, fastVehicle().loops(true).startsArmed(true))) {
            await(
                    "data",
                    Duration.ofMinutes(2),
                    () -> vehicle.isStreaming() && daemon.chunks() > 100,
                    () -> vehicle + "\n" + daemon.get("/metrics").text()
                            + daemon.get("/api/v1/status").text() + stacks("link-uart"));
            assertThat(daemon.get("/healthz")).isEqualTo(new RunningDaemon.Page(200, "ok\n"));

            cable.unplug();

            await("problem", () -> daemon.get("/healthz").code() == 503);
            assertThat(daemon.get("/healthz").text()).isEqualTo("link uart: " + device + ": device is gone, waiting\n");
            assertThat(daemon.get("/api/v1/status").text()).contains("\"health\" : \"problem\"");

            cable.plug();

            await("health", () -> daemon.get("/healthz").code() == 200);
        }
    }

    private static String stacks(String threads) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().startsWith(threads))
                .map(each -> each.getKey() + " in " + Arrays.toString(each.getValue()))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void linksOnWhichNobodyIsHeardAreNoProblem() throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                .udpListen("air", port)
                .link(new LinkSettings.TcpListen("server", "127.0.0.1", FreePorts.tcp()))
                .start()) {
            await(
                    "links",
                    () -> daemon.status("links").stream()
                            .allMatch(link -> String.valueOf(link.get("detail")).startsWith("listening")));

            assertThat(daemon.get("/healthz")).isEqualTo(new RunningDaemon.Page(200, "ok\n"));
        }
    }

    /** A ground station may be off: everything that should be recorded is recorded. */
    @Test
    void aLinkOfWhichNothingIsRecordedIsNoProblem() throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                .udpListen("air", port)
                .link(new LinkSettings.TcpConnect("station", "127.0.0.1", FreePorts.tcp()))
                .forwarding(new ForwardSettings(false, List.of(ForwardRules.of("station")), Set.of("station")))
                .start()) {
            await(
                    "a connection that is refused",
                    () -> daemon.status("links").stream()
                            .anyMatch(link -> String.valueOf(link.get("detail")).startsWith("cannot connect")));

            assertThat(daemon.get("/healthz")).isEqualTo(new RunningDaemon.Page(200, "ok\n"));
        }
    }

    /** Nothing can be recorded: the health check fails although no vehicle is known. */
    @Test
    void aPortThatAnotherProgramHasIsAProblem() throws Exception {
        DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        try (taken;
                RunningDaemon daemon =
                        RunningDaemon.in(directory).udpListen("air", port).start()) {
            await("problem", () -> daemon.get("/healthz").code() == 503);
            assertThat(daemon.get("/healthz").text())
                    .startsWith("link air: cannot listen on 127.0.0.1:" + port)
                    .hasLineCount(1);

            taken.close();
            await("health", () -> daemon.get("/healthz").code() == 200);
        }
    }

    @Test
    void finishedLogsAreListedWithTheirSizes() throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .armedMode(0)
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().startsArmed(true))) {
            await("end of log", vehicle::isAtLogEnd);

            vehicle.order((px4, nowNs) -> px4.disarm(nowNs));
            await("file", () -> daemon.finishedCount() == 1);

            List<Path> files = daemon.files();
            assertThat(files).hasSize(1);
            assertThat(daemon.status("finished"))
                    .containsExactly(Map.of(
                            "file",
                            String.valueOf(files.get(0).getFileName()),
                            "bytes",
                            files.get(0).toFile().length(),
                            "files",
                            1L));
            await("no recording", () -> daemon.status("recordings").isEmpty());
        }
    }

    @Test
    void vehicleIsRecordedWhileThePagesCannotBeServed() throws Exception {
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (taken;
                RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .httpPort(taken.getLocalPort())
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            await("data", () -> daemon.chunks() > 100);
            assertThat(vehicle.isStreaming()).isTrue();
            assertThat(daemon.httpPort()).isEmpty();

            taken.close();

            assertThat(daemon.get("/healthz").code()).isEqualTo(200);
            assertThat(daemon.httpPort()).hasValue(taken.getLocalPort());
            assertThat(daemon.metric("mavlogd_http_listen_failures_total")).isPositive();
        }
    }

    @Test
    void silentVehicleIsShownAsSilentAndNotAsRecording() throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .silenceS(2)
                        .measuring()
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true).startsArmed(true))) {
            // The definitions are stored: this computer's data follows.
            await("data", () -> daemon.chunks() > 700);
            assertThat(daemon.get("/healthz").code()).isEqualTo(200);

            assertThat(daemon.live()).contains(".ulg");
            assertThat(daemon.live(79))
                    .hasSizeLessThanOrEqualTo(79)
                    .contains("lost 0")
                    .doesNotContain(".ulg");
            assertThat(daemon.live(20)).hasSize(20).endsWith("…");

            vehicle.losesAll(true);

            await("silence", () -> daemon.vehicles().get(0).state().equals("silent"));
            assertThat(daemon.get("/healthz").code()).isEqualTo(503);
            assertThat(daemon.get("/healthz").text()).contains("vehicle 1 on air: no longer heard");
            assertThat(daemon.live()).startsWith("PX4 1 armed  silent");
            Map<String, Long> before = localBytes(daemon);
            await(
                    "data of this computer",
                    () -> localBytes(daemon).entrySet().stream()
                            .anyMatch(log -> log.getValue() > before.getOrDefault(log.getKey(), 0L)));
            assertThat(daemon.live()).startsWith("PX4 1 armed  silent     0.0 KB/s");

            vehicle.losesAll(false);

            await("health", () -> daemon.get("/healthz").code() == 200);
            assertThat(daemon.vehicles().get(0).state()).isEqualTo("recording");
        }
    }

    /** Reported at once, not when the log has ended. */
    @Test
    void heavyLossIsInHealthAndInTheLogUntilItIsOver() throws Exception {
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new MemoryHandler(logged);
        Logger logger = Logger.getLogger("org.mavlogd.record.figures.RateAdvice");
        logger.addHandler(handler);
        try (RunningDaemon daemon =
                        RunningDaemon.in(directory).udpListen("air", port).start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            await("data", () -> daemon.chunks() > 700);
            assertThat(daemon.get("/healthz").code()).isEqualTo(200);

            vehicle.losesChunks(true);
            long sent = vehicle.chunksSent();
            await("loss", () -> vehicle.chunksSent() > sent + 1000);
            vehicle.losesChunks(false);

            await("problem", () -> daemon.get("/healthz").code() == 503);
            assertThat(daemon.get("/healthz").text())
                    .containsPattern(
                            "[0-9]+ % of the log was lost in [0-9]+ s, most of it on the link: check the radio");
            assertThat(logged).anyMatch(line -> line.contains(" % of the log was lost in "));
            assertThat(String.valueOf(daemon.status("recordings").get(0).get("problem")))
                    .contains("of the log was lost");

            await("health", () -> daemon.get("/healthz").code() == 200);
            assertThat(logged).last().asString().contains("less than 2 % of the log is lost now");
            assertThat(logged).as("each told once").hasSize(2);
        } finally {
            logger.removeHandler(handler);
        }
    }

    /** Keeps the logged messages. */
    private static final class MemoryHandler extends Handler {
        private final List<String> lines;

        MemoryHandler(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public void publish(LogRecord event) {
            lines.add(String.valueOf(new SimpleFormatter().formatMessage(event)));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void vehicleThatWasSwitchedOffDisarmedIsNoProblemOnceItsLogIsFinished() throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .armedMode(0)
                        .silenceS(1)
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            await("vehicle", () -> !daemon.vehicles().isEmpty());

            vehicle.losesAll(true);

            await("silence", () -> daemon.vehicles().get(0).state().equals("silent"));
            assertThat(daemon.get("/healthz").text()).isEqualTo("ok\n");
        }
    }

    /** By file: when a vehicle starts a new log, its old file may not be finished yet. */
    private static Map<String, Long> localBytes(RunningDaemon daemon) {
        return daemon.recordings().stream()
                .collect(Collectors.toMap(
                        RecordingStatus::file, recording -> recording.figures().localBytes(), Math::max));
    }
}
