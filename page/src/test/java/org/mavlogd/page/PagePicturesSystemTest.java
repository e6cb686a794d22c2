package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.PageSettings;

/**
 * Makes the screenshots of the documentation: {@code mvn -pl page -am test -Dtest=PagePicturesSystemTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dmavlogd.pictures=docs/pictures}. With {@code -Dmavlogd.pictures.all=true}
 * it makes every view on a phone and on a wide screen, in the light and the dark theme.
 */
class PagePicturesSystemTest {
    private static final int MAX_BYTES = 200_000;
    private static final String PX4 = "../simulator/src/demo/11_rover_ackermann.ulg.gz";
    private static final String ARDUPILOT = "../test-data/captures/ardupilot/s1_clean_rover.mav.bin.gz";
    private static final String DRIVE = "rover_ardupilot.bin";
    private static final Map<String, String> OTHERS = Map.of(
            PX4,
            "2026-03-20_20-27-40_sys001_000007.ulg",
            "../ulog-writer/src/test/resources/org/mavlogd/ulog/px4rs_6ba1abc7.ulg.gz",
            "2026-03-20_20-58-05_sys001_000008.ulg",
            "../ulog-writer/src/test/resources/org/mavlogd/ulog/pyulog_sample_log_small.ulg.gz",
            "2026-03-21_09-12-33_sys001_000009.ulg",
            "../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz",
            "2026-03-21_10-02-11_sys002_000010.bin",
            ARDUPILOT,
            DRIVE);

    @TempDir
    private Path directory;

    @Test
    void makesThePicturesOfTheDocumentation() throws IOException, ConfigException {
        String target = System.getProperty("mavlogd.pictures", "");
        assumeTrue(!target.isEmpty() && Browser.isHere(), "made on demand only");
        Path pictures = Files.createDirectories(Path.of(target).toAbsolutePath());
        try (RecorderFixture fixture = new RecorderFixture(directory)) {
            for (Map.Entry<String, String> log : OTHERS.entrySet()) {
                try (InputStream in = new GZIPInputStream(Files.newInputStream(Path.of(log.getKey())))) {
                    Files.copy(in, fixture.logs().resolve(log.getValue()));
                }
            }
            fixture.recorder();
            fixture.vehicle("px4", PX4, 1);
            fixture.vehicle("ardupilot", ARDUPILOT, 2);
            PageSettings settings = PageSettings.load(fixture.config());
            try (PageServer server = new PageServer(settings, List.of(fixture.logs()), directory.resolve("cache"));
                    Browser browser =
                            Browser.start(URI.create("http://127.0.0.1:" + server.start() + "/"), directory)) {
                make(browser, pictures);
            }
        }
    }

    private static void make(Browser browser, Path pictures) throws IOException {
        String plots = "#/plots?log=" + DRIVE + "&stats=1";
        take(browser, pictures, "page-logs", "#/logs", 1200, 760, "light");
        // After the list, which waits until logs are read, so that the time of day at the cursor is known.
        take(browser, pictures, "page-plots", plots, 1200, 760, "light");
        take(browser, pictures, "page-report", "#/report?log=" + DRIVE, 1200, 760, "light");
        take(browser, pictures, "page-now", "#/now", 1200, 760, "dark");
        take(browser, pictures, "page-phone", "#/now", 360, 740, "light");
        if (!Boolean.getBoolean("mavlogd.pictures.all")) {
            return;
        }
        for (String view : List.of("#/now", plots, "#/plots", "#/logs", "#/report?log=" + DRIVE)) {
            for (int width : new int[] {1400, 360}) {
                for (String theme : List.of("light", "dark")) {
                    String name = "all-" + view.replaceAll("#/|\\?.*", "") + (view.equals(plots) ? "-drawn-" : "-")
                            + width + "-" + theme;
                    take(browser, pictures, name, view, width, width == 360 ? 1600 : 1000, theme);
                }
            }
        }
    }

    private static void take(
            Browser browser, Path pictures, String name, String view, int width, int height, String theme)
            throws IOException {
        browser.size(width, height);
        browser.theme(theme);
        browser.open(view);
        try {
            browser.until("the view " + view + " is drawn", () -> isDrawn(browser, view));
        } catch (AssertionError e) {
            Files.write(pictures.resolve("failed.png"), browser.picture());
            throw e;
        }
        if (view.contains("plots?")) {
            browser.js("window.scrollTo(0, 0)");
            browser.element(".strip .canvas").sendKeys("\uE014".repeat(30)); // the right arrow key moves the cursor
        }
        byte[] picture = browser.picture();
        if (!name.startsWith("all-")) {
            assertThat(picture.length).as(name).isLessThan(MAX_BYTES);
        }
        Files.write(pictures.resolve(name + ".png"), picture);
    }

    private static boolean isDrawn(Browser browser, String view) {
        String text = browser.text("main");
        if (view.contains("now")) {
            return browser.count(".vehicle.state-recording") == 2
                    && browser.count(".messages li") > 2
                    && !text.contains("…");
        }
        if (view.contains("plots?")) {
            return browser.count(".strip .u-over") == 3 && browser.count(".statistics td") > 10 && browser.isIdle();
        }
        if (view.contains("logs")) {
            return browser.count(".logs tbody svg.thumbnail") >= 4 && browser.count(".logs .chip.recording") >= 2;
        }
        return view.contains("report")
                ? browser.text(".report-body").length() > 500
                : browser.count(".log-choice li") > 0;
    }
}
