package org.mavlogd.page;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's headless chromium, and the actions that the tests need. */
final class Browser implements AutoCloseable {
    /** Time limit on a busy machine; a passing test does not wait that long. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<String> PROGRAMS = List.of("/usr/bin/chromium", "/usr/bin/chromium-browser");
    private static final List<String> DRIVERS = List.of("/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver");

    /** Counts the requests of a page whose answers are not complete. */
    private static final String COUNTING =
            "(() => { const fetch = window.fetch; window.openRequests = 0; window.answeredMs = 0;"
                    + "const answered = () => { window.openRequests--; window.answeredMs = performance.now(); };"
                    + "window.fetch = (...all) => { window.openRequests++; return fetch.apply(window, all).then(answer => {"
                    + "answer.clone().arrayBuffer().then(answered, answered); return answer; },"
                    + "error => { answered(); throw error; }); }; })()";

    private static final String STATE =
            "return location.hash + ': ' + (document.querySelector('main') || document.body).innerText.slice(0, 500)";

    private final ChromeDriver driver;
    private final URI page;

    private Browser(ChromeDriver driver, URI page) {
        this.driver = driver;
        this.page = page;
    }

    static boolean isHere() {
        return first(PROGRAMS).isPresent() && first(DRIVERS).isPresent();
    }

    private static Optional<String> first(List<String> files) {
        return files.stream().filter(file -> Files.isExecutable(Path.of(file))).findFirst();
    }

    static Browser start(URI page, Path downloads) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(first(PROGRAMS).orElseThrow());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--no-proxy-server",
                "--disable-background-networking",
                "--disable-component-update",
                "--force-device-scale-factor=1");
        options.setExperimentalOption(
                "prefs",
                Map.of("download.default_directory", downloads.toString(), "download.prompt_for_download", false));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(first(DRIVERS).orElseThrow()))
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", COUNTING));
        return new Browser(driver, page);
    }

    /** Opens a view in a new page, without state of the previous one. */
    void open(String hash) {
        driver.get("about:blank");
        driver.get(page + hash);
    }

    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** A screenshot in PNG. */
    byte[] picture() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    void theme(String theme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    }

    /** Runs a script before the page's own, until {@link #forgetScript}. */
    String scriptBeforePage(String script) {
        return String.valueOf(
                driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                        .get("identifier"));
    }

    void forgetScript(String identifier) {
        driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", identifier));
    }

    @Nullable
    Object js(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    @Nullable
    Object jsAsync(String script) {
        driver.manage().timeouts().scriptTimeout(PATIENCE);
        return driver.executeAsyncScript(script);
    }

    double number(String script) {
        return ((Number) Objects.requireNonNull(js("return " + script))).doubleValue();
    }

    String text(String selector) {
        return String.valueOf(
                js("const e = document.querySelector(arguments[0]); return e ? e.textContent : ''", selector));
    }

    int count(String selector) {
        return driver.findElements(By.cssSelector(selector)).size();
    }

    WebElement element(String selector) {
        until(selector + " is there", () -> count(selector) > 0);
        return driver.findElement(By.cssSelector(selector));
    }

    void click(String selector) {
        until(selector + " can be clicked", () -> {
            try {
                element(selector).click();
                return true;
            } catch (StaleElementReferenceException e) {
                return false; // the element was replaced in the meantime
            }
        });
    }

    /** Presses the button or link with this text. */
    void press(String text) {
        until(text + " can be pressed", () -> (Boolean) Objects.requireNonNull(js(
                "const all = [...document.querySelectorAll('dialog[open] button'), ...document.querySelectorAll('button, a')];"
                        + "const found = all.find(e => e.textContent.trim() === arguments[0] && !e.disabled);"
                        + "if (found) found.click(); return !!found",
                text)));
    }

    void type(String selector, CharSequence... keys) {
        element(selector).sendKeys(keys);
    }

    void replace(String selector, String text) {
        type(selector, Keys.chord(Keys.CONTROL, "a"), text);
    }

    Actions actions() {
        return new Actions(driver);
    }

    void until(String what, Callable<Boolean> condition) {
        try {
            await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    "not so within " + PATIENCE + ": " + what + "; errors " + errors() + "; page " + js(STATE), e);
        }
    }

    /** Errors that the page or the security policy reported since the last call. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /**
     * Whether a pixel within 2 px of a position on a canvas, in CSS pixels, has a colour of the theme, such as {@code
     * --series-1}.
     */
    boolean hasColour(String canvas, double x, double y, String colour) {
        return (Boolean) Objects.requireNonNull(js(
                "const [canvas, x, y, name] = arguments; const c = document.querySelector(canvas); const k = c.width / c.clientWidth;"
                        + "const d = c.getContext('2d').getImageData(Math.round(x * k) - 2, Math.round(y * k) - 2, 5, 5).data;"
                        + "const h = getComputedStyle(document.documentElement).getPropertyValue(name).trim();"
                        + "const rgb = [1, 3, 5].map(i => parseInt(h.slice(i, i + 2), 16));"
                        + "for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 120 && rgb.every((n, k) => Math.abs(d[i + k] - n) < 60)) return true;"
                        + "return false",
                canvas,
                x,
                y,
                colour));
    }

    /**
     * A position in the first strip, {x, y} in CSS pixels of its canvas, from fractions of the width (from the left)
     * and the height (from the top).
     */
    double[] placeInStrip(double x, double y) {
        String over = "document.querySelector('.u-over')";
        return new double[] {
            number(over + ".offsetLeft + " + over + ".clientWidth * " + x),
            number(over + ".offsetTop + " + over + ".clientHeight * " + y)
        };
    }

    /** Whether no request is pending and the last answer arrived more than 300 ms ago. */
    boolean isIdle() {
        return (Boolean) Objects.requireNonNull(
                js("return window.openRequests === 0 && performance.now() - window.answeredMs > 300"));
    }

    /** The serious and critical findings of axe-core in the page, as JSON: {@code []} if there are none. */
    String seriousFindings() throws IOException {
        js("if (!window.axe) {" + Files.readString(Path.of("src/test/resources/axe/axe.min.js")) + "}");
        return String.valueOf(
                jsAsync(
                        "const done = arguments[arguments.length - 1];"
                                + "axe.run(document, {resultTypes: ['violations']}).then(r => done(JSON.stringify(r.violations"
                                + ".filter(v => v.impact === 'serious' || v.impact === 'critical')"
                                + ".map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html + ' ' + n.failureSummary)]))), e => done(String(e)))"));
    }

    @Override
    public void close() throws IOException {
        driver.quit();
    }
}
