package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.AirVehicles.PERFECT;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.AirHub;
import org.mavlogd.app.AirVehicles;
import org.mavlogd.app.JsonTree;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.SystemTests;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.mavlink.MessageIds;

/** The running recorder lists and fetches logs of a vehicle's card when a client asks by HTTP. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class FetchOnRequestSystemTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final long RATE = 90_000; // long enough to look at on a busy machine
    private static final String VEHICLE = "link=air&system_id=1&component_id=1";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final byte[] binLog = DataFlashBytes.make(7, 900_000, 40_000);
    private final byte[] ulgLog = SystemTests.roverLog();
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(50)).build();

    private record Answer(int status, Map<String, Object> json) {
        String error() {
            return String.valueOf(json.get("error"));
        }
    }

    private Answer ask(RunningDaemon daemon, String method, String path) throws IOException, InterruptedException {
        await("HTTP", () -> daemon.httpPort().isPresent());
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + daemon.httpPort().getAsInt() + "/api/v1/fetch" + path))
                .timeout(Duration.ofSeconds(50))
                .header("Authorization", "Bearer " + TOKEN)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), JsonTree.read(response.body()));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> array(Map<String, Object> json, String name) {
        return (List<Map<String, Object>>) json.getOrDefault(name, List.of());
    }

    private Map<String, Object> vehicle(RunningDaemon daemon) throws IOException, InterruptedException {
        List<Map<String, Object>> vehicles = array(ask(daemon, "GET", "").json(), "vehicles");
        return vehicles.isEmpty() ? Map.of() : vehicles.get(0);
    }

    private Map<String, Object> item(RunningDaemon daemon) throws IOException, InterruptedException {
        List<Map<String, Object>> items = array(vehicle(daemon), "items");
        return items.isEmpty() ? Map.of() : items.get(0);
    }

    private static long number(Map<String, Object> json, String name) {
        return json.get(name) instanceof Number number ? number.longValue() : -1;
    }

    private RunningDaemon daemon(int port) {
        return RunningDaemon.in(directory)
                .udpListen("air", port)
                .commandToken(TOKEN)
                .start();
    }

    private void list(RunningDaemon daemon) throws IOException, InterruptedException {
        await("idle", () -> "idle".equals(vehicle(daemon).get("state")));
        long before = number(vehicle(daemon), "list");
        await(
                "the request is taken",
                () -> ask(daemon, "POST", "/list?" + VEHICLE).status() == 202);
        await("the list is there", () -> number(vehicle(daemon), "list") > before);
        await("idle again", () -> "idle".equals(vehicle(daemon).get("state")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void listsFetchesCancelsAndContinues(boolean isArduPilot) throws Exception {
        byte[] log = isArduPilot ? binLog : ulgLog;
        String name = isArduPilot
                ? "sys001_log00001_" + log.length + ".bin"
                : "2026-11-20_12-34-56_sys001_log00001_" + log.length + ".ulg";
        Path file = directory.resolve("fetched").resolve(name);
        int port = FreePorts.udp();
        try (AirHub air = new AirHub(port, null);
                AirVehicles vehicles = new AirVehicles()) {
            try (RunningDaemon daemon = daemon(port)) {
                park(vehicles, air, isArduPilot, false);
                list(daemon);
                Map<String, Object> card =
                        ask(daemon, "GET", "/logs?" + VEHICLE).json();
                assertThat(array(card, "logs")).singleElement().satisfies(found -> {
                    assertThat(number(found, "size")).isEqualTo(log.length);
                    assertThat(found.get("name")).isEqualTo(name);
                    assertThat(found.get("here")).isEqualTo("no");
                });

                start(daemon);
                await("some of it is there", () -> number(item(daemon), "done") > 0);
                assertThat(ask(daemon, "POST", "/list?" + VEHICLE).error()).contains("one fetch at a time");
                assertThat(ask(daemon, "POST", "/cancel?" + VEHICLE).status()).isEqualTo(202);
                await("cancelled", () -> "idle".equals(vehicle(daemon).get("state")));
                assertThat(vehicle(daemon).get("problem")).isEqualTo("cancelled");
                assertThat(item(daemon).get("state")).isEqualTo("incomplete");
                assertThat(file).doesNotExist();
                long done = number(item(daemon), "done");
                assertThat(done).isBetween(1L, log.length - 1L);

                list(daemon);
                start(daemon);
                await("it continues where it was", () -> number(item(daemon), "done") >= done - 2048);
                await("the rate is known", () -> number(vehicle(daemon), "bytes_per_s") > 0);
                daemon.stop();
            }
            assertThat(file.resolveSibling(name + ".part")).exists();

            try (RunningDaemon daemon = daemon(port)) {
                list(daemon);
                assertThat(array(ask(daemon, "GET", "/logs?" + VEHICLE).json(), "logs")
                                .get(0)
                                .get("here"))
                        .isEqualTo("part");
                start(daemon);
                await("complete", () -> "complete".equals(item(daemon).get("state")));
                await("idle", () -> "idle".equals(vehicle(daemon).get("state")));
                assertThat(vehicle(daemon).get("problem")).isEqualTo("");
                assertThat(file).hasBinaryContent(log);

                list(daemon);
                assertThat(array(ask(daemon, "GET", "/logs?" + VEHICLE).json(), "logs")
                                .get(0)
                                .get("here"))
                        .isEqualTo("complete");
                start(daemon);
                await(
                        "it is not fetched twice",
                        () -> "incomplete".equals(item(daemon).get("state")));
                assertThat(item(daemon).get("problem")).asString().contains("exists already");

                // The file was deleted in the meantime, for example by the page: it can be fetched again.
                Files.delete(file);
                list(daemon);
                start(daemon);
                await("complete again", () -> "complete".equals(item(daemon).get("state")));
                assertThat(file).hasBinaryContent(log);
            }
        }
    }

    private void start(RunningDaemon daemon) throws IOException, InterruptedException {
        await("idle", () -> "idle".equals(vehicle(daemon).get("state")));
        Answer answer = ask(daemon, "POST", "/start?" + VEHICLE + "&ids=1&list=" + number(vehicle(daemon), "list"));
        assertThat(answer.status()).as(answer.error()).isEqualTo(202);
    }

    private void park(AirVehicles vehicles, AirHub air, boolean isArduPilot, boolean isArmed) {
        if (isArduPilot) {
            vehicles.parkArduPilot(air.vehicleTarget(), binLog, isArmed, PERFECT, RATE);
        } else {
            vehicles.parkPx4(air.vehicleTarget(), ulgLog, isArmed, RATE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anArmedVehicleIsAskedNothing(boolean isArduPilot) throws Exception {
        int port = FreePorts.udp();
        try (AirHub air = new AirHub(port, null);
                AirVehicles vehicles = new AirVehicles();
                RunningDaemon daemon = daemon(port)) {
            park(vehicles, air, isArduPilot, true);
            await("armed", () -> Boolean.TRUE.equals(vehicle(daemon).get("armed")));

            Answer refused = ask(daemon, "POST", "/list?" + VEHICLE);

            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.error()).contains("is armed: logs are fetched only while it is disarmed");
            assertThat(ask(daemon, "POST", "/list?link=air&system_id=9&component_id=1")
                            .status())
                    .isEqualTo(404);
            assertThat(ask(daemon, "POST", "/list?link=air").status()).isEqualTo(400);
            assertThat(ask(daemon, "POST", "/start?" + VEHICLE + "&ids=../../etc&list=1")
                            .status())
                    .isEqualTo(400);
            assertThat(air.said(MessageIds.FILE_TRANSFER_PROTOCOL)).isZero();
            assertThat(air.said(MessageIds.LOG_REQUEST_LIST)).isZero();
        }
    }
}
