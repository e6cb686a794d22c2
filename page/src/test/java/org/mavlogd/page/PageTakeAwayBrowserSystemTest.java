package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.MapTiles;
import org.mavlogd.config.PageSettings;
import org.mavlogd.tools.Main;

/** Exports in a real browser, and a map from a server on this computer under the track. */
class PageTakeAwayBrowserSystemTest {
    private static final Color MAP = new Color(0, 200, 0);

    /** Records which images are drawn, and where. */
    private static final String RECORD = "window.drawn = []; const old = CanvasRenderingContext2D.prototype.drawImage;"
            + "CanvasRenderingContext2D.prototype.drawImage = function (image, ...place) {"
            + "window.drawn.push({loaded: image.naturalWidth, place}); return old.call(this, image, ...place); };";

    private static final String COVERS = "const c = document.querySelector('.track canvas'); if (!c) return false;"
            + "const on = (x, y) => (window.drawn || []).some(d => d.loaded === 256 && d.place[0] <= x && x < d.place[0] + d.place[2]"
            + " && d.place[1] <= y && y < d.place[1] + d.place[3]); const [w, h] = [c.clientWidth - 1, c.clientHeight - 1];"
            + "return on(0, 0) && on(w, 0) && on(0, h) && on(w, h) && on(w / 2, h / 2)";

    @TempDir
    static Path directory;

    private static final Queue<String> ASKED = new ConcurrentLinkedQueue<>();

    private static Path logs = Path.of("");
    private static Path downloads = Path.of("");
    private static @Nullable HttpServer tiles;
    private static @Nullable PageServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Browser.isHere(), "chromium and chromium-driver are not installed: no browser tests");
        logs = Files.createDirectory(directory.resolve("logs"));
        downloads = Files.createDirectory(directory.resolve("downloads"));
        BrowserLogs.writeTo(logs);
        tiles = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        tiles.createContext("/", PageTakeAwayBrowserSystemTest::tile);
        tiles.start();
        PageSettings settings = new PageSettings(
                PageSettings.address("127.0.0.1:0"),
                Optional.empty(),
                List.of(),
                false,
                Optional.empty(),
                new MapTiles("http://127.0.0.1:" + tiles.getAddress().getPort() + "/{z}/{x}/{y}.png", "© the mappers"),
                logs,
                Optional.empty(),
                List.of());
        server = new PageServer(settings, List.of(logs), directory.resolve("cache"));
        browser = Browser.start(URI.create("http://127.0.0.1:" + server.start() + "/"), downloads);
        browser.size(1400, 900);
    }

    private static void tile(HttpExchange exchange) throws IOException {
        ASKED.add(exchange.getRequestURI().getPath());
        BufferedImage picture = new BufferedImage(256, 256, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        graphics.setColor(MAP);
        graphics.fillRect(0, 0, 256, 256);
        graphics.dispose();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(picture, "png", out);
        exchange.getResponseHeaders().add("Content-Type", "image/png");
        exchange.sendResponseHeaders(200, out.size());
        exchange.getResponseBody().write(out.toByteArray());
        exchange.close();
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
        if (tiles != null) {
            tiles.stop(0);
        }
    }

    private static Path downloaded(String name) {
        Path file = downloads.resolve(name);
        // The browser reserves the name with an empty file, which the complete download replaces.
        browser.until(name + " is downloaded", () -> Files.exists(file) && Files.size(file) > 0);
        return file;
    }

    private static byte[] command(String kind, String log) throws IOException {
        Path out = directory.resolve(log + "." + kind);
        assertThat(Main.run("export", kind, "--force", logs.resolve(log).toString(), "-o", out.toString()))
                .isZero();
        return Files.readAllBytes(out);
    }

    @Test
    void exportsALogInTheFormatThatIsChosen() throws IOException {
        browser.open("#/logs");
        browser.click("button[aria-label='Export " + BrowserLogs.PX4 + "']");
        browser.press("MCAP");

        Path file = downloaded(BrowserLogs.PX4.replace(".ulg", ".mcap"));
        assertThat(file).hasBinaryContent(command("mcap", BrowserLogs.PX4));
        browser.until("the dialog is closed", () -> browser.count("dialog") == 0);
    }

    @Test
    void ofSeveralLogsTellsThoseThatHoldNoTrack() throws IOException {
        browser.open("#/logs");
        browser.until("all logs are listed", () -> browser.count(".c-select input") == 5);
        browser.click("thead .c-select input");
        browser.click(".selection button:nth-of-type(2)");
        browser.press("GPX");

        browser.until(
                "the failures are told", () -> browser.text("dialog .banner").contains(BrowserLogs.WAVE));
        assertThat(browser.text("dialog .banner")).contains("it holds no valid position of the vehicle");
        assertThat(downloaded(BrowserLogs.PX4.replace(".ulg", ".gpx")))
                .hasBinaryContent(command("gpx", BrowserLogs.PX4));
    }

    @Test
    void savesWhatThePlotsShow() throws IOException {
        browser.open("#/plots?log=wave.ulg&track=0&s=wave.square&from=2&to=3");
        browser.until("the strip is drawn", () -> browser.count(".strip .u-over") == 1);
        browser.press("CSV");

        List<String> rows = Files.readAllLines(downloaded("wave_wave_0.csv"));
        assertThat(rows.get(0)).isEqualTo("timestamp,square,ramp,flat");
        assertThat(rows).hasSize(102);
        assertThat(rows.get(1)).startsWith("7000000,");
        assertThat(rows.get(101)).startsWith("8000000,");
    }

    @Test
    void drawsTheTrackOnTheMap() throws IOException {
        ASKED.clear();
        String recording = browser.scriptBeforePage(RECORD);

        browser.open("#/plots?log=" + BrowserLogs.PX4);

        // Pixels of images from other servers cannot be read back; the positions of the drawn images can.
        browser.until("the map covers the canvas", () -> Boolean.TRUE.equals(browser.js(COVERS)));
        assertThat(ASKED).isNotEmpty().allMatch(path -> path.matches("/[0-9]+/[0-9]+/[0-9]+\\.png"));
        String level = ASKED.element().split("/", -1)[1];
        assertThat(ASKED).contains(tileOf(firstPoint(), Integer.parseInt(level)));
        assertThat(browser.text(".track figcaption")).contains("map: © the mappers");
        assertThat(browser.errors()).noneMatch(error -> error.contains("Content Security Policy"));
        browser.forgetScript(recording);
    }

    /** Latitude and longitude of the track's first point, from our own GPX export. */
    private static double[] firstPoint() throws IOException {
        String gpx = new String(command("gpx", BrowserLogs.PX4), StandardCharsets.UTF_8);
        Matcher point =
                Pattern.compile("<trkpt lat=\"([-0-9.]+)\" lon=\"([-0-9.]+)\"").matcher(gpx);
        assertThat(point.find()).isTrue();
        return new double[] {Double.parseDouble(point.group(1)), Double.parseDouble(point.group(2))};
    }

    /** The tile by the formula of OpenStreetMap's wiki, "Slippy map tilenames". */
    private static String tileOf(double[] point, int level) {
        double count = Math.pow(2, level);
        double lat = Math.toRadians(point[0]);
        int x = (int) ((point[1] + 180) / 360 * count);
        int y = (int) ((1 - Math.log(Math.tan(lat) + 1 / Math.cos(lat)) / Math.PI) / 2 * count);
        return "/" + level + "/" + x + "/" + y + ".png";
    }
}
