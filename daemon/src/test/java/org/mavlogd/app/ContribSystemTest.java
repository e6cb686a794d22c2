package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.signing.Signing;
import org.mavlogd.signing.SigningKey;

/**
 * Checks the dashboard and the alerts against the metrics of a running recorder, and with Prometheus where it is
 * installed.
 */
@Timeout(180)
class ContribSystemTest {
    private static final Path CONTRIB = Path.of(System.getProperty("basedir", "."), "..", "contrib");
    private static final Pattern NAME = Pattern.compile("\\b(?:mavlogd|process|jvm)_[a-z0-9_]+");
    private static final Pattern ALERT = Pattern.compile("(?m)^        expr: (?:\\|\\n((?: {10,}.*\\n)+)|(.*)\\n)");
    /** Metrics without values while a PX4 is recorded without a fault. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("mavlogd_ardupilot_ack_seconds_bucket");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** The queries of the dashboard, with its variables replaced as Grafana does. */
    private static List<String> dashboard() throws IOException {
        Map<String, Object> root = JsonTree.read(Files.readString(CONTRIB.resolve("grafana/mavlogd.json")));
        List<String> queries = new ArrayList<>();
        for (Object panel : (List<?>) root.getOrDefault("panels", List.of())) {
            for (Object target : (List<?>) field(panel, "targets")) {
                queries.add(String.valueOf(field(target, "expr"))
                        .replace("$instance", ".*")
                        .replace("$__rate_interval", "5s")
                        .replace("$__range", "5s"));
            }
        }
        assertThat(queries).hasSizeGreaterThan(20).allMatch(query -> !query.contains("$"));
        return queries;
    }

    private static Object field(Object object, String name) {
        return Objects.requireNonNull(((Map<?, ?>) object).get(name), name);
    }

    private static List<String> alerts() throws IOException {
        Matcher alert = ALERT.matcher(Files.readString(CONTRIB.resolve("prometheus/alerts.yml")));
        List<String> queries = new ArrayList<>();
        while (alert.find()) {
            queries.add(alert.group(1) == null ? alert.group(2) : alert.group(1));
        }
        assertThat(queries).hasSize(12);
        return queries;
    }

    private RunningDaemon daemon(int port) {
        RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                .udpListen("air", port)
                // With a key, the metrics of signing exist as well.
                .signing(
                        SigningKey.of(new byte[SigningKey.LENGTH]),
                        Signing.Policy.MIXED,
                        directory.resolve("signing.state"))
                .start();
        await("status server", () -> daemon.httpPort().isPresent());
        return daemon;
    }

    @Test
    void everyQueryNamesMetricsThatThereAre() throws Exception {
        int port = FreePorts.udp();
        try (RunningDaemon daemon = daemon(port);
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            await("recording", () -> daemon.chunks() > 500 && !daemon.vehicles().isEmpty());
            assertThat(vehicle.isStreaming()).isTrue();
            String metrics = daemon.get("/metrics").text();
            Set<String> shown = metrics.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("[{ ]", 2)[0])
                    .collect(Collectors.toCollection(TreeSet::new));

            List<String> queries = new ArrayList<>(dashboard());
            queries.addAll(alerts());
            for (String query : queries) {
                Matcher name = NAME.matcher(query);
                while (name.find()) {
                    assertThat(shown).as(query).contains(name.group());
                }
            }
        }
    }

    @Test
    void alertsDoWhatTheirTestsDemand() throws Exception {
        String promtool = program("PROMTOOL", "promtool");
        Process test = new ProcessBuilder(
                        promtool,
                        "test",
                        "rules",
                        CONTRIB.resolve("prometheus/alerts-test.yml").toString())
                .redirectErrorStream(true)
                .start();

        String output = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(test.waitFor(50, TimeUnit.SECONDS)).isTrue();
        assertThat(test.exitValue()).as(output).isZero();
    }

    /**
     * The program's path from the environment variable, or its plain name; skips the test if the program is missing.
     */
    private static String program(String variable, String name) throws InterruptedException {
        String program = Optional.ofNullable(System.getenv(variable)).orElse(name);
        try {
            new ProcessBuilder(program, "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            Assumptions.abort(name + " is not installed (Debian: prometheus)");
        }
        return program;
    }

    @Test
    void prometheusAnswersEveryQuery() throws Exception {
        String program = program("PROMETHEUS", "prometheus");
        int port = FreePorts.udp();
        int prometheusPort = FreePorts.tcp();
        try (RunningDaemon daemon = daemon(port);
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            await("recording", () -> daemon.chunks() > 500);
            assertThat(vehicle.isStreaming()).isTrue();
            Process prometheus = start(program, daemon.httpPort().orElseThrow(), prometheusPort);
            try {
                for (String query : dashboard()) {
                    boolean mayBeEmpty = MAY_BE_EMPTY.stream().anyMatch(query::contains);
                    await(query, () -> ask(prometheusPort, query).matches(mayBeEmpty ? SUCCESS : WITH_VALUES));
                }
                for (String query : alerts()) {
                    await(query, () -> ask(prometheusPort, query).matches(SUCCESS));
                }
            } finally {
                // Its data is not needed. After SIGTERM it waits up to half a minute for open connections.
                prometheus.destroyForcibly();
                assertThat(prometheus.waitFor(50, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String SUCCESS = "(?s)200 \\{\"status\":\"success\".*";
    private static final String WITH_VALUES = SUCCESS + "\"result\":\\[\\{.*";

    private Process start(String program, int recorderPort, int port) throws IOException {
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: mavlogd
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """.formatted(
                CONTRIB.resolve("prometheus/alerts.yml").toAbsolutePath().normalize(), recorderPort));
        return new ProcessBuilder(
                        program,
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
    }

    /** Code and body; empty while Prometheus does not listen yet. */
    private static String ask(int port, String query) throws InterruptedException {
        String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + encoded))
                .timeout(Duration.ofSeconds(50))
                .build();
        try {
            HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        } catch (IOException e) {
            return "";
        }
    }
}
