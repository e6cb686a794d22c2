package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.MapTiles;
import org.mavlogd.config.PageSettings;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.WheelInput;

/**
 * The page in a real browser, with the real server and real logs. All tests share one browser, since it starts slowly.
 */
class PageBrowserSystemTest {
    private static final String WAVE = "#/plots?log=wave.ulg&track=0&s=wave.square";
    private static final List<String> VIEWS = List.of(
            "#/now",
            "#/plots",
            "#/plots?log=" + BrowserLogs.PX4 + "&stats=1",
            "#/plots?log=" + BrowserLogs.ARDUPILOT,
            "#/logs",
            "#/report?log=" + BrowserLogs.PX4);

    @TempDir
    static Path directory;

    private static Path logs = Path.of("");
    private static Path downloads = Path.of("");
    private static @Nullable PageServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Browser.isHere(), "chromium and chromium-driver are not installed: no browser tests");
        logs = Files.createDirectory(directory.resolve("logs"));
        downloads = Files.createDirectory(directory.resolve("downloads"));
        BrowserLogs.writeTo(logs);
        PageSettings settings = new PageSettings(
                PageSettings.address("127.0.0.1:0"),
                Optional.empty(),
                List.of(),
                true,
                Optional.empty(),
                MapTiles.NONE,
                logs,
                Optional.empty(),
                List.of());
        server = new PageServer(settings, List.of(logs), directory.resolve("cache"));
        browser = Browser.start(URI.create("http://127.0.0.1:" + server.start() + "/"), downloads);
        browser.size(1400, 900);
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void everyViewFitsAndIsAccessibleOnPhoneAndDesktopByDayAndNight() throws IOException {
        for (String view : VIEWS) {
            browser.size(1400, 900);
            browser.theme("light");
            browser.open(view);
            waitForView(view);
            for (int[] size : new int[][] {{1400, 900}, {360, 740}}) {
                browser.size(size[0], size[1]);
                for (String theme : List.of("light", "dark")) {
                    browser.theme(theme);
                    assertThat(browser.number(
                                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                            .as("pixels of %s beyond the edge of %d px", view, size[0])
                            .isZero();
                    assertThat(browser.seriousFindings())
                            .as("%s on %d px, %s", view, size[0], theme)
                            .isEqualTo("[]");
                }
            }
        }
        assertThat(browser.errors()).noneMatch(error -> error.contains("Content Security Policy"));
        browser.size(1400, 900);
        browser.theme("light");
    }

    private static void waitForView(String view) {
        if (view.contains("plots?")) {
            browser.until("three strips are drawn", () -> browser.count(".strip .u-over") == 3 && browser.isIdle());
        } else if (view.contains("report")) {
            browser.until(
                    "the report is there", () -> browser.text(".report-body").length() > 500);
        } else {
            browser.until(
                    "the view is there", () -> browser.text("main").length() > 20 && browser.count(".waiting") == 0);
        }
    }

    @Test
    void drawsTheDataAndLeavesGapsOpen() {
        openWave(WAVE);

        double[] whole = {0, (BrowserLogs.SAMPLES - 1) * BrowserLogs.STEP_US / 1e6};
        for (double s : new double[] {0.5, 1.5, 4.5, 7.5, 12.5, 18.5, 19.5}) {
            double value = BrowserLogs.waveAt(s);
            assertThat(hasColour(s, value, whole, 1.16))
                    .as("%s at %s s", value, s)
                    .isTrue();
            assertThat(hasColour(s, -value, whole, 1.16))
                    .as("%s at %s s", -value, s)
                    .isFalse();
            assertThat(hasColour(s, 0, whole, 1.16)).as("0 at %s s", s).isFalse();
        }
        // The edge from 1 to -1 crosses 0; in the gap there is no line at any height.
        assertThat(hasColour(3 - 0.005, 0, whole, 1.16)).isTrue();
        for (double value = -1.1; value <= 1.1; value += 0.05) {
            assertThat(hasColour(14.5, value, whole, 1.16))
                    .as("%s in the gap", value)
                    .isFalse();
            assertThat(hasColour(15.5, value, whole, 1.16))
                    .as("%s in the gap", value)
                    .isFalse();
        }
    }

    @Test
    void keysZoomToSingleSamples() {
        openWave("#/plots?log=wave.ulg&track=0&s=wave.ramp");
        WebElement canvas = browser.element(".strip .canvas");
        // One by one: of nine at once a busy machine lost one.
        browser.until("the range is in the address", () -> {
            boolean isNear = width() < 0.16;
            if (!isNear && browser.isIdle()) {
                canvas.sendKeys("+");
            }
            return isNear;
        });
        double[] range = Objects.requireNonNull(range());
        browser.until("the samples are read", () -> browser.isIdle());

        // A ramp that rises by one with each sample: each sample is a point, with a rising line between two of them.
        int first = (int) Math.ceil(range[0] * 100);
        int last = (int) Math.floor(range[1] * 100);
        assertThat(last - first).isBetween(1, 16);
        for (int i = first; i <= last; i++) {
            String found = String.valueOf(browser.js(
                    "const s = arguments[0]; const o = document.querySelector('.u-over'); const c = document.querySelector('.uplot canvas');"
                            + "const x = Math.round(o.offsetLeft + o.clientWidth * s); let n = 0;"
                            + "const d = c.getContext('2d').getImageData(x, o.offsetTop, 1, o.clientHeight).data;"
                            + "for (let i = 0; i < d.length; i += 4) if (d[i] < 70 && d[i + 2] > 110) n++; return String(n)",
                    (i / 100.0 - range[0]) / (range[1] - range[0])));
            // A point is 5 px high; the rising line is lower.
            assertThat(Integer.parseInt(found))
                    .as("height of the point of sample %d", i)
                    .isGreaterThanOrEqualTo(3);
        }

        canvas.sendKeys("0");
        browser.until("all is shown again", () -> range() == null);
    }

    @Test
    void mouseAndWheelZoomAndCursorReadsValues() {
        openWave(WAVE + "&s=wave.ramp");
        WebElement over = browser.element(".u-over");
        browser.actions().moveToElement(over, xOf(over, 0.275), 0).perform();
        browser.until(
                "both strips show their values",
                () -> browser.text(".strip:nth-of-type(1) .reading").equals("-1")
                        && Math.abs(Double.parseDouble(browser.text(".strip:nth-of-type(2) .reading")
                                                .split(" ", -1)[0])
                                        - 550)
                                < 6);

        browser.actions()
                .moveToElement(over, xOf(over, 0.25), 0)
                .clickAndHold()
                .moveToElement(over, xOf(over, 0.4), 0)
                .moveToElement(over, xOf(over, 0.5), 0)
                .release()
                .perform();
        browser.until("the dragged range is shown", () -> range() != null);
        double[] dragged = Objects.requireNonNull(range());
        assertThat(dragged[0]).isBetween(4.8, 5.2);
        assertThat(dragged[1]).isBetween(9.8, 10.2);

        browser.actions()
                .scrollFromOrigin(WheelInput.ScrollOrigin.fromElement(over), 0, -200)
                .perform();
        browser.until("the wheel shows less", () -> {
            double[] now = range();
            return now != null && now[1] - now[0] < 0.9 * (dragged[1] - dragged[0]);
        });

        browser.actions().doubleClick(over).perform();
        browser.until("a double click shows all", () -> range() == null);
        browser.press("Back");
        browser.until("the way back", () -> range() != null);
    }

    @Test
    void fieldsAreFoundByWordsAndTheViewIsInTheAddress() {
        openWave(WAVE);
        browser.press("Add a strip");
        browser.type("#field-search", "wav fla");
        browser.until("one field is found", () -> browser.count("#field-list li") == 1);
        browser.type("#field-search", Keys.ENTER);
        browser.press("Done");
        browser.until("there are two strips", () -> browser.count(".strip") == 2);
        String hash = String.valueOf(browser.js("return location.hash"));
        assertThat(hash).contains("s=wave.square").contains("s=wave.flat");

        browser.open(hash);

        browser.until("the same strips", () -> browser.count(".strip .u-over") == 2);
        assertThat(browser.text(".strip:nth-of-type(2) .legend")).contains("wave.flat");
    }

    @Test
    void searchesKeepsRemarksAndDeletes() throws IOException {
        Path doomed = Files.copy(logs.resolve(BrowserLogs.WAVE), logs.resolve("2026-03-20_20-27-40_sys001_000007.ulg"));
        browser.open("#/logs");
        browser.until("all logs are listed", () -> browser.count(".logs tbody tr") == 5);
        browser.replace("#find", "sys001_000007");
        browser.until("one is found", () -> browser.count(".logs tbody tr") == 1);

        browser.click(".logs tbody .c-select input");
        browser.press("Keep");
        browser.until("it is kept", () -> browser.text(".logs tbody").contains("KEPT"));
        browser.press("Do not keep");
        browser.until("it is no longer kept", () -> !browser.text(".logs tbody").contains("KEPT"));

        browser.press("Remark");
        browser.type("#remark", "<i>second try</i>");
        browser.press("Save");
        browser.until(
                "the remark is shown as it is",
                () -> browser.text(".logs tbody").contains("<i>second try</i>"));

        browser.press("Delete");
        browser.press("Cancel");
        browser.until("the dialog is closed", () -> browser.count("dialog") == 0);
        assertThat(doomed).exists();
        browser.click(".selection .danger");
        browser.click("dialog .danger");
        browser.until("it is gone", () -> Files.notExists(doomed) && browser.count(".logs tbody tr") == 0);
    }

    @Test
    void whatTheServerRefusedStaysInSightAndNothingWrittenIsLost() throws IOException {
        String name = "2026-03-20_20-27-40_sys001_000008.ulg";
        Path log = Files.copy(logs.resolve(BrowserLogs.WAVE), logs.resolve(name));
        String script = browser.scriptBeforePage(
                "const f = window.fetch; window.failing = true; window.lists = 0; window.fetch = (u, o) => {"
                        + " if (String(u).endsWith('v1/logs')) window.lists++;"
                        + " return window.failing && o && o.method"
                        + " ? Promise.resolve(new Response('{\"error\":\"the <b>disk</b> is full\"}', {status: 507})) : f(u, o); }");
        try {
            browser.open("#/logs");
            browser.until("all logs are listed", () -> browser.count(".logs tbody tr") == 5);
            browser.replace("#find", "sys001_000008");
            browser.until("one is found", () -> browser.count(".logs tbody tr") == 1);

            browser.press("Remark");
            browser.type("#remark", "seen off the pier");
            browser.press("Save");
            browser.until(
                    "the reason is told",
                    () -> browser.text("dialog .bad").contains("NOT SAVED the <b>disk</b> is full"));
            assertThat(browser.js("return document.querySelector('#remark').value"))
                    .isEqualTo("seen off the pier");
            browser.js("window.failing = false");
            browser.press("Save");
            browser.until("it is saved", () -> browser.text(".logs tbody").contains("seen off the pier"));

            browser.js("window.failing = true");
            browser.click(".logs tbody .c-select input");
            browser.press("Keep");
            browser.until("the refusal is told", () -> browser.text(".refusal").contains("disk</b> is full"));
            double lists = browser.number("window.lists");
            browser.until("the list is read again", () -> browser.number("window.lists") > lists);
            assertThat(browser.text(".refusal")).contains("NOT DONE", name);
            assertThat(browser.text(".logs tbody")).doesNotContain("KEPT");
            browser.press("Dismiss");
            browser.until("it is gone", () -> browser.count(".refusal") == 0);
        } finally {
            browser.forgetScript(script);
            Files.delete(log);
            browser.errors();
        }
    }

    @Test
    void downloadsTheFileUnchanged() throws IOException, NoSuchAlgorithmException {
        browser.open("#/logs");
        browser.click("a[download='" + BrowserLogs.PX4 + "']");

        Path downloaded = downloads.resolve(BrowserLogs.PX4);
        browser.until(
                "it is downloaded",
                () -> Files.exists(downloaded) && Files.size(downloaded) == Files.size(logs.resolve(BrowserLogs.PX4)));
        assertThat(sha256(downloaded)).isEqualTo(sha256(logs.resolve(BrowserLogs.PX4)));
    }

    private static byte[] sha256(Path file) throws IOException, NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    }

    @Test
    void markupInNamesAndMessagesIsText() {
        String name = URLEncoder.encode(BrowserLogs.HOSTILE, StandardCharsets.UTF_8);
        for (String view : List.of("#/logs", "#/plots?log=" + name, "#/report?log=" + name)) {
            browser.open(view);
            browser.until("the name is shown", () -> browser.text("main").contains(BrowserLogs.HOSTILE));
            if (!view.contains("logs")) {
                browser.until("the message is shown", () -> browser.text("main").contains(BrowserLogs.MARKUP));
            }
            browser.until("all is read", browser::isIdle);
            if (view.contains("report")) {
                assertThat(browser.text("#report-problems"))
                        .contains("1 warning")
                        .doesNotContain("1 warnings");
            }
            assertThat(browser.js("return window.hacked === undefined"))
                    .as(view)
                    .isEqualTo(true);
            assertThat(browser.count("main img, main script, main b[onmouseover]"))
                    .as(view)
                    .isZero();
        }
    }

    @Test
    void tenThousandLogsAreAFewRows() {
        String script = browser.scriptBeforePage(
                "const f = window.fetch; window.fetch = (u, o) => String(u).endsWith('v1/logs')"
                        + " ? Promise.resolve(new Response(JSON.stringify({logs: Array.from({length: 10000}, (_, i) => ({name: 'log'"
                        + " + String(i).padStart(5, '0') + '.ulg', size: i, state: 'finished', kind: 'ulg'}))}))) : f(u, o)");
        try {
            browser.open("#/logs");
            browser.until("rows are shown", () -> browser.text(".total").contains("10000 logs"));
            assertThat(browser.count(".logs tbody tr")).isBetween(10, 60);

            browser.js("const e = document.querySelector('.logs-scroll'); e.scrollTop = e.scrollHeight");

            browser.until("the last one", () -> browser.text(".logs tbody").contains("log09999.ulg"));
            assertThat(browser.count(".logs tbody tr")).isBetween(10, 60);
            assertThat(browser.text(".logs tbody")).doesNotContain("log00000.ulg");
        } finally {
            browser.forgetScript(script);
        }
    }

    private static void openWave(String hash) {
        browser.open(hash);
        browser.until("the strip is drawn", () -> browser.count(".strip .u-over") > 0 && browser.isIdle());
    }

    /** The range in the address, or null for the complete log. */
    private static double @Nullable [] range() {
        Object text = browser.js("const p = new URLSearchParams(location.hash.split('?')[1]);"
                + "return p.has('from') ? p.get('from') + ' ' + p.get('to') : null");
        if (text == null) {
            return null;
        }
        String[] ends = text.toString().split(" ", -1);
        return new double[] {Double.parseDouble(ends[0]), Double.parseDouble(ends[1])};
    }

    /** Length of the range in the address, in seconds; NaN for the complete log. */
    private static double width() {
        double[] range = range();
        return range == null ? Double.NaN : range[1] - range[0];
    }

    /** The position {@code place}, 0 to 1, in an element, relative to its middle as Selenium requires. */
    private static int xOf(WebElement element, double place) {
        return (int) Math.round((place - 0.5) * element.getSize().getWidth());
    }

    /** Whether a pixel within 2 px of a value's position has the colour of the first series. */
    private static boolean hasColour(double s, double value, double[] range, double limit) {
        double[] place = browser.placeInStrip((s - range[0]) / (range[1] - range[0]), (limit - value) / (2 * limit));
        return browser.hasColour(".uplot canvas", place[0], place[1], "--series-1");
    }
}
