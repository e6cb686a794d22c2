package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.MapTiles;
import org.mavlogd.config.PageSettings;
import org.openqa.selenium.Keys;

/** Tests plots in a real browser except their curves: compares pixels and figures with the known logs. */
class PagePlotsBrowserSystemTest {
    private static final String DRIVE = "#/plots?log=" + BrowserLogs.DRIVE;
    /** Margins of the track's canvas: on all sides, and for the scale below. */
    private static final double MARGIN_PX = 26;

    private static final double SCALE_PX = 18;

    private static final double SCALE_M = 10;
    private static final double SCALE_LEFT_PX = 14;
    private static final double SCALE_ABOVE_EDGE_PX = 14;

    @TempDir
    static Path directory;

    private static @Nullable PageServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Browser.isHere(), "chromium and chromium-driver are not installed: no browser tests");
        BrowserLogs.drive(directory.resolve(BrowserLogs.DRIVE));
        BrowserLogs.wave(directory.resolve(BrowserLogs.WAVE), 1);
        BrowserLogs.wave(directory.resolve("opposite.ulg"), -1);
        PageSettings settings = new PageSettings(
                PageSettings.address("127.0.0.1:0"),
                Optional.empty(),
                List.of(),
                false,
                Optional.empty(),
                MapTiles.NONE,
                directory,
                Optional.empty(),
                List.of());
        server = new PageServer(settings, List.of(directory), directory.resolve("cache"));
        browser = Browser.start(URI.create("http://127.0.0.1:" + server.start() + "/"), directory);
        browser.size(1400, 900);
        browser.theme("light");
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

    private static void open(String hash) {
        browser.open(hash);
        browser.until("the strip is drawn", () -> browser.count(".strip .u-over") > 0 && browser.isIdle());
    }

    @Test
    void modesAndArmedTimesAreTheBackgroundAndMessagesAreMarked() {
        open(DRIVE + "&track=0&s=vehicle_status.arming_state");

        // Not at whole seconds, where the grid has lines.
        assertThat(background(4.3)).isEqualTo(background(6.3)).isNotEqualTo(background(14.3));
        assertThat(background(14.3)).isEqualTo(background(17.3));
        for (double s : new double[] {1, 19}) {
            assertThat(stripHas(s, 0.995, "--armed")).as("armed at %s s", s).isFalse();
        }
        for (double s : new double[] {3, 10, 17}) {
            assertThat(stripHas(s, 0.995, "--armed")).as("armed at %s s", s).isTrue();
        }
        assertThat(stripHas(5, 0.01, "--warn")).isTrue();
        assertThat(stripHas(12, 0.01, "--bad")).isTrue();
        assertThat(stripHas(15, 0.01, "--muted")).isTrue();
        assertThat(stripHas(8.5, 0.01, "--warn") || stripHas(8.5, 0.01, "--bad"))
                .isFalse();
    }

    /** The colour of most pixels in a column of the strip, as red, green and blue. */
    private static String background(double s) {
        double[] place = browser.placeInStrip(s / BrowserLogs.DRIVE_S, 0);
        return String.valueOf(browser.js(
                "const c = document.querySelector('.uplot canvas'); const o = document.querySelector('.u-over');"
                        + "const d = c.getContext('2d').getImageData(Math.round(arguments[0]), o.offsetTop, 1, o.clientHeight).data;"
                        + "const n = new Map(); for (let i = 0; i < d.length; i += 4) {"
                        + " const k = d.slice(i, i + 3).join(' '); n.set(k, (n.get(k) || 0) + 1); }"
                        + "return [...n].sort((a, b) => b[1] - a[1])[0][0]",
                place[0]));
    }

    private static boolean stripHas(double s, double fromAbove, String colour) {
        double[] place = browser.placeInStrip(s / BrowserLogs.DRIVE_S, fromAbove);
        return browser.hasColour(".uplot canvas", place[0], place[1], colour);
    }

    @Test
    void theTrackIsDrawnToScaleAndTheVisibleRangeIsBold() {
        open(DRIVE + "&s=fast.value");
        browser.until("the track is drawn", () -> trackHas(0, BrowserLogs.NORTH_M / 2));
        for (double share = 0.05; share < 0.9; share += 0.05) {
            assertThat(trackHas(0, share * BrowserLogs.NORTH_M)).isTrue();
            assertThat(trackHas(share * BrowserLogs.EAST_M, BrowserLogs.NORTH_M))
                    .isTrue();
        }
        assertThat(trackHas(BrowserLogs.EAST_M / 2, BrowserLogs.NORTH_M / 2)).isFalse();
        assertThat(trackHas(BrowserLogs.EAST_M / 2, 0)).isFalse();

        open(DRIVE + "&from=2&to=6&s=fast.value");
        browser.until("the visible part", () -> trackHas(0, 20));
        assertThat(trackHas(0, 5)).isFalse();
        assertThat(trackHas(0, 35)).isFalse();
        assertThat(trackHas(BrowserLogs.EAST_M / 2, BrowserLogs.NORTH_M)).isFalse();
    }

    @Test
    void theVehicleOnTheTrackPointsWhereItHeadsAndTheScaleIsRight() {
        // In seconds since boot, 4 s and 14 s after the start.
        open(DRIVE + "&at=9&s=fast.value");
        browser.until("the vehicle heads north", () -> vehicleHas(0, 20, true));
        assertThat(vehicleHas(0, 20, false)).isFalse();
        open(DRIVE + "&at=19&s=fast.value");
        browser.until("the vehicle heads east", () -> vehicleHas(30, BrowserLogs.NORTH_M, false));
        assertThat(vehicleHas(30, BrowserLogs.NORTH_M, true)).isFalse();

        double lengthPx = SCALE_M * trackScale();
        double top = browser.number("document.querySelector('.track canvas').clientHeight") - SCALE_ABOVE_EDGE_PX;
        assertThat(lengthPx).as("the longest round length below 110 px").isBetween(44.0, 110.0);
        for (double share : new double[] {0.1, 0.5, 0.95}) {
            assertThat(browser.hasColour(".track canvas", SCALE_LEFT_PX + share * lengthPx, top, "--ink"))
                    .isTrue();
        }
        assertThat(browser.hasColour(".track canvas", SCALE_LEFT_PX + lengthPx + 3.5, top, "--ink"))
                .isFalse();
    }

    /** Whether the wings of the arrow, which are wider than the track, are behind its position. */
    private static boolean vehicleHas(double eastM, double northM, boolean isNorth) {
        double[] place = trackPlace(eastM, northM);
        double aside = 5.4;
        double behind = 6.5;
        for (int side : new int[] {-1, 1}) {
            double x = place[0] + (isNorth ? side * aside : -behind);
            double y = place[1] + (isNorth ? behind : side * aside);
            if (!browser.hasColour(".track canvas", x, y, "--series-1")) {
                return false;
            }
        }
        return true;
    }

    private static boolean trackHas(double eastM, double northM) {
        double[] place = trackPlace(eastM, northM);
        return browser.hasColour(".track canvas", place[0], place[1], "--series-1");
    }

    private static double trackScale() {
        double width = browser.number("document.querySelector('.track canvas').clientWidth");
        double height = browser.number("document.querySelector('.track canvas').clientHeight") - SCALE_PX;
        return Math.min((width - 2 * MARGIN_PX) / BrowserLogs.EAST_M, (height - 2 * MARGIN_PX) / BrowserLogs.NORTH_M);
    }

    private static double[] trackPlace(double eastM, double northM) {
        double width = browser.number("document.querySelector('.track canvas').clientWidth");
        double height = browser.number("document.querySelector('.track canvas').clientHeight") - SCALE_PX;
        double scale = trackScale();
        return new double[] {
            width / 2 + (eastM - BrowserLogs.EAST_M / 2) * scale,
            height / 2 - (northM - BrowserLogs.NORTH_M / 2) * scale
        };
    }

    @Test
    void statisticsAreThoseOfAllSamplesInTheVisibleRange() {
        open(DRIVE + "&track=0&stats=1&s=fast.value");
        statisticsAre(0, (int) (1000 * BrowserLogs.DRIVE_S) - 1);

        open(DRIVE + "&track=0&stats=1&from=5&to=12&s=fast.value");
        statisticsAre(5000, 12_000);

        // The range may be outside one of several logs: the plot then has no samples of it, and reports no error.
        open(DRIVE + "&track=0&stats=1&from=-5&to=-2&s=fast.value");
        browser.until(
                "no samples", () -> browser.text(".statistics td:last-of-type").equals("0"));
        assertThat(browser.count(".statistics .bad")).isZero();
    }

    private static void statisticsAre(int first, int last) {
        browser.until(
                "the figures are there",
                () -> browser.count(".statistics td") == 5
                        && browser.text(".statistics td:nth-of-type(5)").equals(Integer.toString(last - first + 1)));
        double[] values = IntStream.rangeClosed(first, last)
                .mapToDouble(BrowserLogs::fastAt)
                .filter(value -> !Double.isNaN(value))
                .toArray();
        double mean = IntStream.range(0, values.length)
                .mapToDouble(i -> values[i])
                .average()
                .orElseThrow();
        double variance = IntStream.range(0, values.length)
                .mapToDouble(i -> (values[i] - mean) * (values[i] - mean))
                .average()
                .orElseThrow();
        double least = IntStream.range(0, values.length)
                .mapToDouble(i -> values[i])
                .min()
                .orElseThrow();
        double greatest = IntStream.range(0, values.length)
                .mapToDouble(i -> values[i])
                .max()
                .orElseThrow();
        double[] expected = {least, mean, greatest, Math.sqrt(variance)};
        for (int i = 0; i < expected.length; i++) {
            String shown = browser.text(".statistics td:nth-of-type(" + (i + 1) + ")");
            assertThat(Double.parseDouble(shown)).isCloseTo(expected[i], within(1e-4 * Math.abs(expected[i])));
        }
    }

    @Test
    void severalLogsAreDrawnInOnePlot() {
        open("#/plots?log=" + BrowserLogs.WAVE + "&log=opposite.ulg&track=0&s=wave.square");
        browser.until("both curves have a name", () -> browser.count(".strip .legend .swatch") == 2);

        double wholeS = (BrowserLogs.SAMPLES - 1) * BrowserLogs.STEP_US / 1e6;
        for (double s : new double[] {0.5, 3.5, 10.5, 19.5}) {
            double fromAbove = (1.16 - BrowserLogs.waveAt(s)) / 2.32;
            double[] first = browser.placeInStrip(s / wholeS, fromAbove);
            double[] second = browser.placeInStrip(s / wholeS, 1 - fromAbove);
            assertThat(browser.hasColour(".uplot canvas", first[0], first[1], "--series-1"))
                    .isTrue();
            assertThat(browser.hasColour(".uplot canvas", second[0], second[1], "--series-2"))
                    .isTrue();
            assertThat(browser.hasColour(".uplot canvas", first[0], first[1], "--series-2"))
                    .isFalse();
        }
    }

    /** Uses only the keyboard, from the list of logs to a zoomed plot and its report. */
    @Test
    void everythingCanBeReachedWithTheKeyboard() {
        browser.open("#/logs");
        browser.until("the logs are listed", () -> browser.count(".logs tbody tr") == 3);
        tabTo("document.activeElement.id === 'find'");
        browser.actions().sendKeys("drive").perform();
        browser.until("one is found", () -> browser.count(".logs tbody tr") == 1);
        tabTo("document.activeElement.classList.contains('name')");
        assertThat(browser.js("const s = getComputedStyle(document.activeElement);"
                        + "return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1"))
                .as("the focus is seen")
                .isEqualTo(true);
        browser.actions().sendKeys(Keys.ENTER).perform();
        browser.until("its plots", () -> browser.count(".strip .u-over") > 0 && browser.isIdle());

        tabTo("document.activeElement.classList.contains('canvas')");
        browser.actions().sendKeys("+", "+").perform();
        browser.until("a part is shown", () -> hash().contains("from="));
        String part = hash();
        browser.actions().sendKeys(Keys.ARROW_RIGHT).perform();
        browser.actions().sendKeys("0").perform();
        browser.until("all is shown", () -> !hash().contains("from="));
        assertThat(part).startsWith("#/plots?log=drive.ulg");
    }

    private static String hash() {
        return String.valueOf(browser.js("return location.hash"));
    }

    /** Presses Tab until the condition holds; each press must reach a visible element. */
    private static void tabTo(String condition) {
        for (int i = 0; i < 80; i++) {
            browser.actions().sendKeys(Keys.TAB).perform();
            if (Objects.equals(browser.js("return " + condition), true)) {
                return;
            }
        }
        throw new AssertionError("not reached with Tab: " + condition);
    }

    @Test
    void theFieldPickerSaysWhichTopicsCannotBeDrawnAndWhy() throws IOException {
        String ghost = "ghost";
        Path bare = Files.write(
                directory.resolve("bare.ulg"),
                PageFixture.log()
                        .format("bare:float a;")
                        .subscribe("bare", 0, 10)
                        .subscribe(ghost, 0, 11)
                        .bytes());
        browser.size(360, 740);
        browser.open("#/plots?log=bare.ulg&track=0&s=bare.a");
        browser.until(
                "the plot says it, too",
                () -> browser.text(".strip .problem")
                        .contains("topic \"bare\" cannot be drawn: it has no field \"timestamp\""));
        browser.click("button[aria-label='Fields of strip 1']");
        browser.until(
                "they are counted", () -> browser.text(".undrawable summary").equals("2 topics cannot be drawn"));
        browser.click(".undrawable summary");

        assertThat(browser.text(".undrawable"))
                .contains("bare: it has no field \"timestamp\"")
                .contains(ghost + ": format \"" + ghost + "\" is not defined");
        assertThat(browser.number("document.documentElement.scrollWidth - innerWidth"))
                .isLessThanOrEqualTo(0);
        assertThat(browser.seriousFindings()).isEqualTo("[]");
        Files.createDirectories(Path.of("target", "fetch-pictures"));
        Files.write(Path.of("target", "fetch-pictures", "undrawable-phone.png"), browser.picture());
        Files.delete(bare);
        browser.size(1400, 900);
    }

    @Test
    void namesOfModesLieAboveTheCurves() {
        String script =
                browser.scriptBeforePage("window.names = new Map(); const drawn = CanvasRenderingContext2D.prototype;"
                        + "const fill = drawn.fillText; drawn.fillText = function (text, x, y) {"
                        + " if (this.textAlign === 'left' && this.textBaseline === 'top') window.names.set(text, y + parseInt(this.font));"
                        + " return fill.apply(this, arguments); };");
        try {
            open(DRIVE + "&track=0&s=fast.value");
            browser.until("both modes have a name", () -> browser.number("window.names.size") == 2);

            assertThat(browser.number("Math.max(...window.names.values())"))
                    .isLessThanOrEqualTo(browser.number("document.querySelector('.u-over').offsetTop"));
        } finally {
            browser.forgetScript(script);
        }
    }

    /** Of each canvas: the texts at the left of the plots, by their height. */
    private static final String AXIS_TEXTS =
            "window.axes = new Map(); const drawn = CanvasRenderingContext2D.prototype; const fill = drawn.fillText;"
                    + "const clear = drawn.clearRect; drawn.clearRect = function () {"
                    + " window.axes.delete(this.canvas); return clear.apply(this, arguments); };"
                    + "drawn.fillText = function (text, x, y) {"
                    + " if (this.textAlign === 'right') {"
                    + "  if (!window.axes.has(this.canvas)) window.axes.set(this.canvas, new Map());"
                    + "  window.axes.get(this.canvas).set(Math.round(y), [text, this.measureText(text).width - x]); }"
                    + " return fill.apply(this, arguments); };";

    @Test
    void ticksOfLargeValuesDifferAndHaveRoom() throws IOException {
        Path far = directory.resolve("far.ulg");
        BrowserLogs.far(far);
        String script = browser.scriptBeforePage(AXIS_TEXTS);
        try {
            open("#/plots?log=far.ulg&track=0&s=vehicle_global_position.lat&s=vehicle_global_position.alt");
            browser.until("both strips have ticks", () -> axes() == 2);
            assertThat(unreadableAxes()).isEmpty();

            browser.open("#/report?log=far.ulg");
            browser.until("the altitude has ticks", () -> axes() >= 1);
            assertThat(unreadableAxes()).isEmpty();
            assertThat(browser.text("#plot-altitude_msl .report-legend")).contains("1520.28 … 1520.32");
        } finally {
            browser.forgetScript(script);
            Files.delete(far);
        }
    }

    private static double axes() {
        return browser.number("[...window.axes.values()].filter(axis => axis.size > 1).length");
    }

    /** Axes with two ticks of one text, or with one that begins left of the canvas. */
    private static String unreadableAxes() {
        return String.valueOf(browser.js("return [...window.axes.values()].map(axis => [...axis.values()])"
                + ".filter(ticks => new Set(ticks.map(t => t[0])).size < ticks.length || ticks.some(t => t[1] > 0))"
                + ".map(ticks => ticks.map(t => t[0]).join(' ')).join('; ')"));
    }

    @Test
    void eachSensorIsAProblemOfItsOwn() throws IOException {
        Path log = directory.resolve("vibrating.ulg");
        BrowserLogs.vibrating(log);
        try {
            browser.open("#/report?log=vibrating.ulg");
            browser.until("the problems are listed", () -> browser.count(".report-problem") > 0);

            assertThat(browser.text(".report-problems"))
                    .contains("Vibration of IMU 1 up to 12", "Vibration of IMU 2 up to 13");
        } finally {
            Files.delete(log);
        }
    }

    @Test
    void aReportWithoutAnyLogIsNotAnEmptyPage() {
        String script = browser.scriptBeforePage("const ask = window.fetch; window.fetch = (address, ...rest) =>"
                + " String(address).endsWith('api/v1/logs')"
                + " ? Promise.resolve(new Response('{\"logs\":[]}', {headers: {'Content-Type': 'application/json'}}))"
                + " : ask(address, ...rest);");
        try {
            browser.open("#/report");

            browser.until("it is said", () -> browser.text("main").contains("No logs to report."));
        } finally {
            browser.forgetScript(script);
        }
    }

    @Test
    void anEmptyListShowsHowToReadSubfolders() {
        String script = browser.scriptBeforePage("const ask = window.fetch; window.fetch = (address, ...rest) =>"
                + " String(address).endsWith('api/v1/logs')"
                + " ? Promise.resolve(new Response('{\"logs\":[],\"unread\":\"/card/log: no logs here\"}',"
                + " {headers: {'Content-Type': 'application/json'}}))"
                + " : ask(address, ...rest);");
        try {
            browser.open("#/logs");

            browser.until("it is shown", () -> browser.text("main").contains("/card/log: no logs here"));
        } finally {
            browser.forgetScript(script);
        }
    }
}
