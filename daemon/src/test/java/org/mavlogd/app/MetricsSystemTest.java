package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;

/** The metrics of a running recorder: names, formats and correct values. */
@Timeout(120)
class MetricsSystemTest {
    private static final String VEHICLE = "{component_id=\"1\",link=\"air\",system_id=\"1\"}";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();

    private interface Check {
        void of(RunningDaemon daemon, FlyingVehicle vehicle) throws Exception;
    }

    private void whileRecording(Check check) throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .silenceS(2)
                        .measuring()
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true).startsArmed(true))) {
            await("data", () -> daemon.chunks() > 500);
            await("state", () -> daemon.metric("mavlogd_vehicle_recording" + VEHICLE) == 1);
            check.of(daemon, vehicle);
        }
    }

    @Test
    void namesFollowTheConventionsOfPrometheus() throws Exception {
        whileRecording((daemon, vehicle) -> {
            String text = daemon.get("/metrics").text();

            assertThat(MetricRules.problems(text)).isEmpty();
            assertThat(text)
                    .contains("mavlogd_build_info{")
                    .contains("mavlogd_px4_ack_seconds_bucket{link=\"air\",le=\"0.001\"}")
                    .contains("mavlogd_store_force_seconds_bucket{")
                    .contains("mavlogd_record_dropout_seconds_total{link=\"air\"} 0.0")
                    .contains("mavlogd_fetch_logs_total{link=\"air\"} 0.0")
                    .contains("process_cpu_seconds_total ")
                    .contains("process_resident_memory_bytes ")
                    .contains("process_open_fds ")
                    .contains("jvm_memory_used_bytes{area=\"heap\"} ")
                    .contains("jvm_gc_collection_seconds_count{");
            assertThat(daemon.metric("mavlogd_px4_ack_seconds_count{link=\"air\"}"))
                    .isPositive();
        });
    }

    /** The check itself finds each kind of problem. */
    @Test
    void theRulesFindWhatIsWrong() {
        assertThat(MetricRules.problems("# HELP a_ms_total A\n# TYPE a_ms_total counter\na_ms_total 1\n"))
                .containsExactly("a_ms_total has ms in its name");
        assertThat(MetricRules.problems("# HELP a A\n# TYPE a counter\na{feed=\"x\",cause=\"two words\"} 1\n"))
                .containsExactly(
                        "a link's label is \"link\": a{feed=\"x\",cause=\"two words\"} 1",
                        "value of cause not in snake case: a{feed=\"x\",cause=\"two words\"} 1",
                        "a is a counter");
        assertThat(MetricRules.problems("b 1\n")).containsExactly("no type of b 1");
    }

    @Test
    void promtoolHasNothingToSay() throws Exception {
        String promtool = Optional.ofNullable(System.getenv("PROMTOOL")).orElse("promtool");
        Assumptions.assumeTrue(isThere(promtool), "promtool is not installed (Debian: prometheus)");
        whileRecording((daemon, vehicle) -> {
            Process check = new ProcessBuilder(promtool, "check", "metrics")
                    .redirectErrorStream(true)
                    .start();
            check.getOutputStream().write(daemon.get("/metrics").text().getBytes(StandardCharsets.UTF_8));
            check.getOutputStream().close();

            String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(check.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(output).isEmpty();
            assertThat(check.exitValue()).isZero();
        });
    }

    private static boolean isThere(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void vehiclesAreShownWithWhatHappensToThem() throws Exception {
        whileRecording((daemon, vehicle) -> {
            assertThat(daemon.metric("mavlogd_vehicle_armed" + VEHICLE)).isEqualTo(1);
            assertThat(daemon.metric("mavlogd_vehicle_silent" + VEHICLE)).isZero();
            assertThat(daemon.metric("mavlogd_problems")).isZero();
            assertThat(daemon.get("/metrics").text())
                    .contains("mavlogd_recording_unforced_age_seconds"
                            + "{component_id=\"1\",kind=\"ulg\",link=\"air\",system_id=\"1\"}");

            vehicle.losesAll(true);

            await("silence", () -> daemon.metric("mavlogd_vehicle_silent" + VEHICLE) == 1);
            assertThat(daemon.metric("mavlogd_vehicle_recording" + VEHICLE)).isZero();
            assertThat(daemon.metric("mavlogd_vehicle_armed" + VEHICLE)).isEqualTo(1);
            assertThat(daemon.metric("mavlogd_vehicle_last_heard_age_seconds" + VEHICLE))
                    .isGreaterThanOrEqualTo(2);
            assertThat(daemon.metric("mavlogd_problems")).isEqualTo(1);
        });
    }

    @Test
    void openMetricsAndGzipComeToThoseWhoAsk() throws Exception {
        whileRecording((daemon, vehicle) -> {
            HttpResponse<byte[]> plain = ask(daemon, Map.of());
            HttpResponse<byte[]> open = ask(
                    daemon,
                    Map.of("Accept", "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"));
            HttpResponse<byte[]> refused = ask(daemon, Map.of("Accept", "application/openmetrics-text;q=0, */*"));
            HttpResponse<byte[]> zipped = ask(daemon, Map.of("Accept-Encoding", "deflate, gzip;q=0.8"));
            HttpResponse<byte[]> unzipped = ask(daemon, Map.of("Accept-Encoding", "gzip;q=0"));

            assertThat(type(plain)).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
            assertThat(type(open)).isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
            assertThat(new String(open.body(), StandardCharsets.UTF_8))
                    .contains("# TYPE mavlogd_record_chunks counter")
                    .endsWith("# EOF\n");
            assertThat(type(refused)).isEqualTo(type(plain));
            assertThat(zipped.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(zipped.body().length).isLessThan(plain.body().length / 3);
            try (GZIPInputStream body = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
                assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("mavlogd_record_chunks_total{link=\"air\"} ");
            }
            assertThat(unzipped.headers().firstValue("Content-Encoding")).isEmpty();
        });
    }

    private static String type(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    private static HttpResponse<byte[]> ask(RunningDaemon daemon, Map<String, String> headers) throws Exception {
        await("status server", () -> daemon.httpPort().isPresent());
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + daemon.httpPort().orElseThrow() + "/metrics"))
                .timeout(Duration.ofSeconds(50));
        headers.forEach(request::header);
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Programs rely on this document: keys may be added, not removed. */
    @Test
    void statusForProgramsHasStatesAndTimes() throws Exception {
        whileRecording((daemon, vehicle) -> {
            Map<String, Object> status =
                    JsonTree.read(daemon.get("/api/v1/status").text());

            assertThat(status).containsEntry("schema", 1L).containsEntry("health", "ok");
            assertThat(status)
                    .containsKeys(
                            "version",
                            "time",
                            "started",
                            "uptime_s",
                            "problems",
                            "signing",
                            "links",
                            "forwarding",
                            "vehicles",
                            "recordings",
                            "finished",
                            "disk",
                            "memory",
                            "parts");
            assertThat(String.valueOf(status.get("vehicles")))
                    .contains("state=recording", "state_text=recording", "armed=true", "last_heard={iso=20");
            assertThat(String.valueOf(status.get("recordings")))
                    .contains("source=vehicle", "kind=ulg", "started={iso=20", "lost_chunks={link=0");

            vehicle.losesAll(true);

            await("problem", () -> daemon.get("/api/v1/status").text().contains("\"health\" : \"problem\""));
            assertThat(daemon.get("/api/v1/status").text()).contains("\"state\" : \"silent\"");
        });
    }
}
