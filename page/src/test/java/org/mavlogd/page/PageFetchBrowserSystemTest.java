package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.PageSettings;
import org.openqa.selenium.Keys;

/**
 * Logs on the cards of a simulated PX4 and ArduPilot, which the running recorder fetches on request of a real browser.
 */
class PageFetchBrowserSystemTest {
    private static final String PX4_LOG = "../simulator/src/demo/11_rover_ackermann.ulg.gz";
    private static final String ARDUPILOT_LOG = "../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz";
    // Each log takes about forty seconds, long enough to cancel it on a busy machine.
    private static final String PX4_RATE_KB = "30";
    private static final String ARDUPILOT_RATE_KB = "8";
    private static final String DIALOG = "dialog[open]";

    @TempDir
    static Path directory;

    private static RecorderFixture fixture;
    private static PageServer server;
    private static Browser browser;
    private static int port;
    private static Process armed;

    @BeforeAll
    static void start() throws IOException, ConfigException {
        assumeTrue(Browser.isHere(), "chromium and chromium-driver are not installed: no browser tests");
        Path token = Files.writeString(directory.resolve("command.token"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        fixture = new RecorderFixture(directory, "command_token_file = \"" + token + "\"", "control = true");
        server = new PageServer(
                PageSettings.load(fixture.config()), List.of(fixture.logs()), directory.resolve("cache"));
        port = server.start();
        browser = Browser.start(URI.create("http://127.0.0.1:" + port + "/"), directory);
        browser.size(1400, 900);
        fixture.recorder();
        fixture.simulate("px4", PX4_LOG, 1, "--rate", PX4_RATE_KB, "--loop");
        fixture.simulate("ardupilot", ARDUPILOT_LOG, 2, "--rate", ARDUPILOT_RATE_KB, "--loop");
        armed = fixture.vehicle("px4", PX4_LOG, 3);
    }

    @AfterAll
    static void stop() throws IOException {
        if (fixture != null) {
            fixture.close();
        }
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void listsFetchesCancelsAndContinues() throws IOException, InterruptedException {
        browser.open("#/logs");
        browser.press("On the vehicle");
        browser.until(
                "both are there",
                () -> browser.text(DIALOG).contains("PX4 1")
                        && browser.text(DIALOG).contains("ArduPilot 2"));
        browser.until("the armed one is refused", () -> card("PX4 3").contains("ARMED"));
        browser.errors(); // discards errors from before the recorder answered
        assertThat(isEnabled("PX4 3", "Read the list of logs")).isFalse();
        picture("list");

        for (String vehicle : List.of("PX4 1", "ArduPilot 2")) {
            fetchAndCompare(vehicle, vehicle.startsWith("PX4") ? PX4_LOG : ARDUPILOT_LOG);
        }
        assertThat(armed.isAlive()).isTrue();
        refusesWithWords();
        browser.press("Close");
        browser.until(
                "the fetched logs are listed",
                () -> browser.text(".logs").contains("sys001_log")
                        && browser.text(".logs").contains("sys002_log"));
        assertThat(browser.errors()).isEmpty();
    }

    private static void fetchAndCompare(String vehicle, String log) throws IOException {
        byte[] content;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(Path.of(log)))) {
            content = in.readAllBytes();
        }
        boolean hasMouse = vehicle.startsWith("PX4");
        if (hasMouse) {
            pressStarting(vehicle, "Read the list of logs");
        } else {
            typeAt(in(vehicle, "button"), "Read the list of logs", Keys.ENTER);
        }
        browser.until("its log is listed", () -> browser.count(in(vehicle, ".card-logs li")) == 1);
        if (hasMouse) {
            choose(vehicle);
            pressStarting(vehicle, "Fetch 1 log");
        } else {
            awaitChoice(vehicle);
            typeAt(in(vehicle, ".card-logs input"), "", Keys.SPACE);
            typeAt(in(vehicle, "button"), "Fetch 1 log", Keys.ENTER);
        }
        browser.until(
                "progress is told in words",
                () -> browser.text(in(vehicle, ".fetch-progress p"))
                        .matches("log \\d+: .* of .*, \\d+ %, .*KB/s, .* left"));
        assertThat(browser.number("document.querySelector(" + quoted(in(vehicle, "progress")) + ").value"))
                .isPositive();
        assertThat(browser.number("document.querySelector(" + quoted(in(vehicle, "progress")) + ").max"))
                .isEqualTo(content.length);
        assertThat(browser.seriousFindings()).isEqualTo("[]");
        picture("progress");
        if (hasMouse) {
            browser.press("Close");
        } else {
            browser.actions().sendKeys(Keys.ESCAPE).perform();
        }
        browser.until(
                "the view tells it, too", () -> browser.text(".fetch-strip").contains(vehicle));
        assertNothingBeyond();
        picture("strip");
        browser.press("Cancel");
        browser.until("it ends", () -> browser.count(".fetch-strip") == 0);
        assertThat(fetched()).noneMatch(file -> !file.toString().contains(".part") && isOf(file, vehicle));

        browser.press("On the vehicle");
        browser.until("the reason is told", () -> card(vehicle).contains("cancelled"));
        browser.until("the part is told", () -> card(vehicle).contains("INCOMPLETE"));
        choose(vehicle);
        pressStarting(vehicle, "Fetch 1 log");
        await().atMost(Browser.PATIENCE.multipliedBy(3))
                .until(() -> fetched().stream().anyMatch(file -> isOf(file, vehicle) && isComplete(file)));
        Path file = fetched().stream()
                .filter(one -> isOf(one, vehicle) && isComplete(one))
                .findFirst()
                .orElseThrow();
        assertThat(file).hasBinaryContent(content);
        browser.until("it is told", () -> card(vehicle).contains("HERE"));
        assertThat((Boolean) browser.js(
                        "return document.querySelector(arguments[0]).disabled", in(vehicle, ".card-logs input")))
                .isTrue();
    }

    /** Takes screenshots for people, and checks that nothing is wider than a phone. */
    private static void picture(String name) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "fetch-pictures"));
        Files.write(folder.resolve(name + "-wide.png"), browser.picture());
        browser.size(360, 740);
        Files.write(folder.resolve(name + "-phone.png"), browser.picture());
        assertNothingBeyond();
        browser.size(1400, 900);
    }

    private static void assertNothingBeyond() {
        assertThat(browser.number("document.documentElement.scrollWidth - innerWidth"))
                .isLessThanOrEqualTo(0);
    }

    private static boolean isOf(Path file, String vehicle) {
        return String.valueOf(file.getFileName()).contains(vehicle.startsWith("PX4") ? "sys001" : "sys002");
    }

    private static boolean isComplete(Path file) {
        return file.toString().endsWith(".ulg") || file.toString().endsWith(".bin");
    }

    private static List<Path> fetched() throws IOException {
        Path folder = fixture.logs().resolve("fetched");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static String in(String vehicle, String selector) {
        return DIALOG + " section[aria-label='" + vehicle + "'] " + selector;
    }

    private static String card(String vehicle) {
        return browser.text(in(vehicle, "").strip());
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    private static boolean isEnabled(String vehicle, String button) {
        return Boolean.TRUE.equals(browser.js(
                "return [...document.querySelectorAll(arguments[0])].some(e => e.textContent.startsWith(arguments[1]) && !e.disabled)",
                in(vehicle, "button"),
                button));
    }

    /** Uses the keyboard only: presses Tab until the element is reached, then the key. */
    private static void typeAt(String selector, String text, Keys key) {
        for (int i = 0; i < 80; i++) {
            if (Boolean.TRUE.equals(browser.js(
                    "const e = document.activeElement; return e.matches(arguments[0]) && e.textContent.trim().startsWith(arguments[1])",
                    selector,
                    text))) {
                browser.actions().sendKeys(key).perform();
                return;
            }
            browser.actions().sendKeys(Keys.TAB).perform();
        }
        throw new AssertionError("not reached with Tab: " + selector + " " + text);
    }

    /** While the vehicle is busy, or not heard for a moment, its logs cannot be chosen, and a click does nothing. */
    private static void awaitChoice(String vehicle) {
        browser.until("its log can be chosen", () -> browser.count(in(vehicle, ".card-logs input:enabled")) == 1);
    }

    private static void choose(String vehicle) {
        browser.until("its log is chosen", () -> {
            if (browser.count(in(vehicle, ".card-logs input:enabled:not(:checked)")) == 1) {
                browser.click(in(vehicle, ".card-logs input"));
            }
            return browser.count(in(vehicle, ".card-logs input:checked")) == 1;
        });
    }

    private static void pressStarting(String vehicle, String button) {
        browser.until(
                button + " can be pressed",
                () -> Boolean.TRUE.equals(browser.js(
                        "const b = [...document.querySelectorAll(arguments[0])].find(e => e.textContent.startsWith(arguments[1]) && !e.disabled);"
                                + "if (b) b.click(); return !!b",
                        in(vehicle, "button"),
                        button)));
    }

    /** Checks the API's errors for refused requests. */
    private static void refusesWithWords() throws IOException, InterruptedException {
        assertThat(post("/list", vehicle(3)).body()).contains("is armed: logs are fetched only while it is disarmed");
        assertThat(post("/list", vehicle(9)).statusCode()).isEqualTo(404);
        assertThat(post("/list", new JsonObject()).statusCode()).isEqualTo(400);
        assertThat(post(
                                "/list",
                                new JsonObject()
                                        .put("link", "a&ids=1#")
                                        .put("system_id", 1)
                                        .put("component_id", 1))
                        .statusCode())
                .isEqualTo(404);
        assertThat(post("/start", vehicle(1).put("list", 1).put("ids", new JsonArray().add("../../etc")))
                        .statusCode())
                .isEqualTo(400);
        assertThat(post("/start", vehicle(1).put("list", 999).put("ids", new JsonArray().add(1)))
                        .body())
                .contains("choose again");
        assertThat(post("/cancel", vehicle(1)).body()).contains("nothing is being fetched");
        assertThat(send("POST", "/list", vehicle(1).encode(), false).statusCode())
                .isEqualTo(403);
        assertThat(send("POST", "/else", vehicle(1).encode(), true).statusCode())
                .isEqualTo(405);
        HttpResponse<String> overview = send("GET", "", "", false);
        assertThat(overview.statusCode()).isEqualTo(200);
        assertThat(overview.body()).doesNotContain("0123456789abcdef");
    }

    @Test
    void withoutControlOrACommandTokenNothingIsAsked() throws IOException, ConfigException, InterruptedException {
        PageSettings with = PageSettings.load(fixture.config());
        PageSettings.Recorder recorder = with.recorder().orElseThrow();
        await().atMost(Duration.ofSeconds(60)).until(() -> answers(recorder));
        PageSettings readOnly = changed(with, false, recorder);
        PageSettings mute = changed(
                with,
                true,
                new PageSettings.Recorder(recorder.host(), recorder.port(), recorder.token(), Optional.empty()));
        PageSettings wrong = changed(
                with,
                true,
                new PageSettings.Recorder(
                        recorder.host(), recorder.port(), recorder.token(), Optional.of("wrong-wrong-wrong")));
        assertRefused(readOnly, 403, "control = true");
        assertRefused(mute, 409, "command_token_file");
        assertRefused(wrong, 502, "command_token_file was changed");
    }

    private static boolean answers(PageSettings.Recorder recorder) throws IOException {
        try (Socket socket = new Socket(recorder.host(), recorder.port())) {
            return socket.isConnected();
        } catch (ConnectException e) {
            return false;
        }
    }

    private static void assertRefused(PageSettings settings, int status, String why)
            throws IOException, InterruptedException {
        int before = port;
        try (PageServer other =
                new PageServer(settings, List.of(fixture.logs()), directory.resolve("cache-" + status))) {
            port = other.start();
            HttpResponse<String> overview = send("GET", "", "", true);
            assertThat(overview.statusCode()).isEqualTo(status);
            assertThat(overview.body()).contains(why);
            HttpResponse<String> list = post("/list", vehicle(1));
            assertThat(list.statusCode()).isEqualTo(status);
            assertThat(list.body()).contains(why);
        } finally {
            port = before;
        }
    }

    private static PageSettings changed(PageSettings from, boolean control, PageSettings.Recorder recorder) {
        return new PageSettings(
                from.listen(),
                from.token(),
                from.hosts(),
                control,
                from.tls(),
                from.tiles(),
                from.logDirectory(),
                Optional.of(recorder),
                from.origins());
    }

    private static JsonObject vehicle(int systemId) {
        return new JsonObject()
                .put("link", "vehicles")
                .put("system_id", systemId)
                .put("component_id", 1);
    }

    private static HttpResponse<String> post(String command, JsonObject body) throws IOException, InterruptedException {
        return send("POST", command, body.encode(), true);
    }

    private static HttpResponse<String> send(String method, String path, String body, boolean hasHeader)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/api/v1/fetch" + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(Browser.PATIENCE);
        if (hasHeader) {
            request.header("X-Mavlogd", "1");
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
