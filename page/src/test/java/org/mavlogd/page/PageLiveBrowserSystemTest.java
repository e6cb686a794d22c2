package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.MapTiles;
import org.mavlogd.config.PageSettings;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** The page in a real browser with a recorder, a PX4 and an ArduPilot, each in its own process. */
class PageLiveBrowserSystemTest {
    private static final String PX4_LOG = "../simulator/src/demo/11_rover_ackermann.ulg.gz";
    private static final String ARDUPILOT_LOG = "../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz";

    @TempDir
    static Path directory;

    private static RecorderFixture fixture;
    private static PageServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException, ConfigException {
        assumeTrue(Browser.isHere(), "chromium and chromium-driver are not installed: no browser tests");
        fixture = new RecorderFixture(directory);
        server = new PageServer(
                PageSettings.load(fixture.config()), List.of(fixture.logs()), directory.resolve("cache"));
        browser = Browser.start(URI.create("http://127.0.0.1:" + server.start() + "/"), directory);
        browser.size(1400, 900);
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
    void theViewsFollowTheVehiclesAndTheRecorder() throws IOException, InterruptedException {
        browser.open("#/now");
        browser.until("no recorder is told", () -> browser.text("main").contains("RECORDER NOT REACHABLE"));

        Process recorder = fixture.recorder();
        browser.until("the recorder is there", () -> browser.text("main").contains("NO VEHICLE HEARD"));

        Process px4 = fixture.vehicle("px4", PX4_LOG, 1);
        fixture.vehicle("ardupilot", ARDUPILOT_LOG, 2);
        browser.until(
                "both are recorded",
                () -> stateOf(1).equals("RECORDING") && stateOf(2).equals("RECORDING"));
        browser.until(
                "the rate is told",
                () -> figure(1, "Rate").endsWith("KB/s") && figure(2, "Rate").endsWith("KB/s"));
        browser.until("the PX4's battery is told", () -> figure(1, "Battery").contains("V"));
        assertThat(vehicleText(1)).contains("ARMED").contains("sys001");
        assertThat(figure(1, "Loss")).isEqualTo("none");

        livePlotFollowsTheFile();

        browser.open("#/now");
        browser.until("both are shown again", () -> stateOf(1).equals("RECORDING"));
        px4.destroyForcibly().waitFor();
        browser.until("the silent vehicle is told", () -> stateOf(1).equals("SILENT"));
        assertThat(stateOf(2)).isEqualTo("RECORDING");

        recorder.destroyForcibly().waitFor();
        browser.until("the dead recorder is told", () -> browser.text("main").contains("RECORDER NOT REACHABLE"));
        fixture.recorder();
        browser.until("all goes on", () -> stateOf(2).equals("RECORDING"));
    }

    /** The plot shows the newest sample of the file at its right edge, and later a newer one. */
    private static void livePlotFollowsTheFile() throws IOException {
        String name = growing();
        String script = browser.scriptBeforePage("const f = window.fetch; window.newest = 0;"
                + "window.fetch = async (u, o) => { const r = await f(u, o); if (String(u).includes('/series?'))"
                + " { r.clone().json().then(j => { window.newest = Math.max(window.newest, ...j.t_us) }, () => {}); }"
                + " return r; }");
        try {
            browser.open("#/plots?log=" + name + "&live=30&track=0&s=vehicle_attitude.q[0]");
            browser.until("the strip is drawn", () -> browser.count(".strip .u-over") > 0);
            browser.until("it says that it is live", () -> browser.text("main").contains("LIVE"));
            for (int i = 0; i < 3; i++) {
                long newestUs = newestInFile(fixture.logs().resolve(name));
                browser.until(
                        "the plot has the sample of " + newestUs + " us",
                        () -> browser.number("window.newest") >= newestUs);
                browser.until("the line reaches the right edge", () -> lineEnd() > 0.95);
            }
        } finally {
            browser.forgetScript(script);
        }
    }

    private static String growing() {
        JsonArray all = new JsonObject(String.valueOf(browser.jsAsync("const done = arguments[arguments.length - 1];"
                        + "fetch('/api/v1/logs').then(r => r.text()).then(done)")))
                .getJsonArray("logs");
        return all.stream()
                .map(JsonObject.class::cast)
                .filter(log -> "recording".equals(log.getString("state")))
                .map(log -> log.getString("name"))
                .filter(log -> log.contains("sys001") && log.contains(".ulg"))
                .findFirst()
                .orElseThrow();
    }

    private static long newestInFile(Path file) throws IOException {
        long[] newestUs = new long[1];
        ULogReader.read(file, new ULogHandler() {
            @Override
            public void onSample(SampleView sample) {
                if (sample.topic().name().equals("vehicle_attitude")) {
                    newestUs[0] = Math.max(newestUs[0], sample.timestampUs());
                }
            }
        });
        return newestUs[0];
    }

    /** The position of the line's last pixel, as a fraction of the plot's width. */
    private static double lineEnd() {
        return browser.number("(() => { const o = document.querySelector('.u-over');"
                + "const c = document.querySelector('.uplot canvas');"
                + "const d = c.getContext('2d').getImageData(o.offsetLeft, o.offsetTop, o.clientWidth, o.clientHeight).data;"
                + "const h = getComputedStyle(document.documentElement).getPropertyValue('--series-1').trim();"
                + "const rgb = [1, 3, 5].map(i => parseInt(h.slice(i, i + 2), 16)); let last = 0;"
                + "for (let i = 0; i < d.length; i += 4)"
                + " if (d[i + 3] > 120 && rgb.every((n, k) => Math.abs(d[i + k] - n) < 40))"
                + " last = Math.max(last, (i / 4) % o.clientWidth);"
                + "return last / o.clientWidth })()");
    }

    private static String vehicleText(int id) {
        return String.valueOf(browser.js(
                "const v = [...document.querySelectorAll('.vehicle')].find(e => e.querySelector('h2').textContent"
                        + ".startsWith('Vehicle ' + arguments[0] + ' ')); return v ? v.textContent : ''",
                id));
    }

    /** The state of a vehicle in words. */
    private static String stateOf(int id) {
        return inVehicle(id, "v.querySelector('.state').lastChild.textContent.trim()");
    }

    private static String figure(int id, String name) {
        return inVehicle(
                id,
                "[...v.querySelectorAll('dt')].filter(e => e.textContent === '" + name
                        + "').map(e => e.nextElementSibling.textContent.trim())[0] || ''");
    }

    private static String inVehicle(int id, String what) {
        return String.valueOf(browser.js(
                "const v = [...document.querySelectorAll('.vehicle')].find(e => e.querySelector('h2').textContent"
                        + ".startsWith('Vehicle ' + arguments[0] + ' ')); return v ? " + what + " : ''",
                id));
    }

    @Test
    void nothingIsShownBeforeTheLogin() throws IOException {
        Path locked = Files.createDirectory(directory.resolve("locked"));
        BrowserLogs.writeTo(locked);
        PageSettings open = PageSettings.ofDirectory(locked).withListen(PageSettings.address("127.0.0.1:0"));
        PageSettings settings = new PageSettings(
                open.listen(),
                Optional.of(PageFixture.TOKEN),
                List.of(),
                false,
                Optional.empty(),
                MapTiles.NONE,
                locked,
                Optional.empty(),
                List.of());
        try (PageServer other = new PageServer(settings, List.of(locked), directory.resolve("cache-locked"));
                Browser stranger = Browser.start(URI.create("http://127.0.0.1:" + other.start() + "/"), directory)) {
            stranger.open("#/logs");
            stranger.replace("#token", "wrong-wrong-wrong");
            stranger.press("Log in");
            stranger.until(
                    "the token is refused",
                    () -> stranger.text("#login-problem").contains("not accepted"));
            assertThat(stranger.text("body")).doesNotContain(BrowserLogs.PX4);

            stranger.replace("#token", PageFixture.TOKEN);
            stranger.press("Log in");
            stranger.until("the logs are listed", () -> stranger.text("main").contains(BrowserLogs.PX4));
            assertThat(cookies(stranger)).isEqualTo("");

            stranger.press("Log out");
            stranger.until("the login is asked for", () -> stranger.count("#token") == 1);
            stranger.open("#/logs");
            stranger.until("it stays so", () -> stranger.count("#token") == 1);
        }
    }

    /** The cookies that a script can read. */
    private static @Nullable Object cookies(Browser browser) {
        return Objects.requireNonNull(browser.js("return document.cookie"));
    }
}
