package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.PageSettings;

/** The progress of uploads in a real browser, from the uploader's own report, with a running recorder. */
class PageUploadsBrowserSystemTest {
    private static final String MARKUP = "<img src=x onerror=window.hacked=1>";

    @TempDir
    static Path directory;

    private static Path state = Path.of("");
    private static RecorderFixture fixture;
    private static PageServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException, ConfigException {
        assumeTrue(Browser.isHere(), "chromium and chromium-driver are not installed: no browser tests");
        state = Files.createDirectory(directory.resolve("upload"));
        fixture = new RecorderFixture(directory, "", """
                [upload]
                state_directory = "%s"
                [[target]]
                name = "bucket"
                type = "command"
                command = ["/bin/true", "{file}"]
                """.formatted(state));
        for (String name : List.of("sent.ulg", "on-its-way.ulg", "waiting.ulg", "refused.ulg")) {
            BrowserLogs.wave(fixture.logs().resolve(name), 1);
        }
        server = new PageServer(
                PageSettings.load(fixture.config()), List.of(fixture.logs()), directory.resolve("cache"));
        browser = Browser.start(URI.create("http://127.0.0.1:" + server.start() + "/"), directory);
        fixture.recorder();
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

    /** Replaces the report atomically, like the uploader, which seems to run for an hour from now. */
    private static void report(String json) throws IOException {
        Path next = Files.writeString(state.resolve("next"), json);
        Files.setLastModifiedTime(next, FileTime.from(Instant.now().plusSeconds(3600)));
        Files.move(next, state.resolve("status.json"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void eachLogAndTheBacklogAreTold() throws IOException {
        assertThat(Files.exists(state.resolve("status.json"))).isFalse();
        browser.size(1400, 900);
        browser.open("#/now");
        browser.until("the recorder is there", () -> browser.text("main").contains("NO VEHICLE HEARD"));
        assertThat(browser.text("main")).as("an uploader that never ran").doesNotContain("Uploads");

        report("""
                {"written_utc":"2026-11-21T10:00:00Z","waits_for":null,"bytes_per_s":250000,"sent_bytes":1000,
                "backlog_files":3,"backlog_bytes":4500000,"targets":[
                {"name":"bucket","type":"s3","state":"sending","problem":null,"file":"on-its-way.ulg"},
                {"name":"review","type":"flight_review","state":"failing","problem":"refused: %s","file":null}],
                "files":[{"file":"sent.ulg","uploaded":true,"targets":[]},
                {"file":"on-its-way.ulg","uploaded":false,"targets":[{"name":"bucket","state":"waiting","problem":null}]},
                {"file":"waiting.ulg","uploaded":false,"targets":[{"name":"bucket","state":"waiting","problem":null}]},
                {"file":"refused.ulg","uploaded":false,"targets":[{"name":"review","state":"waiting","problem":"no"}]}]}
                """.formatted(MARKUP));
        for (int width : new int[] {1400, 360}) {
            for (String theme : List.of("light", "dark")) {
                browser.size(width, 900);
                browser.theme(theme);
                now(width + "-" + theme);
                logs(width + "-" + theme);
            }
        }
        assertThat(browser.js("return window.hacked === undefined")).isEqualTo(true);

        report(
                "{\"backlog_files\":1,\"backlog_bytes\":10,\"waits_for\":\"vehicle 1 is armed\",\"targets\":[],\"files\":[]}");
        browser.open("#/now");
        browser.until("the reason is shown", () -> panel().contains("vehicle 1 is armed"));
        report("{\"backlog_files\":0,\"backlog_bytes\":0,\"waits_for\":null,\"targets\":[],\"files\":[]}");
        browser.until("all is sent", () -> panel().contains("ALL UPLOADED"));
        assertThat(panel()).doesNotContain("NOT RUNNING");

        Files.setLastModifiedTime(state.resolve("status.json"), FileTime.from(Instant.parse("2026-03-20T20:27:40Z")));
        browser.until("the uploader's end is shown", () -> panel().contains("NOT RUNNING since 2026-03-20 20:27:40Z."));
        browser.open("#/logs");
        browser.until(
                "it is shown above the logs, too",
                () -> browser.text("main")
                        .contains("uploads: not running since 2026-03-20 20:27:40Z; its last report: all"));
        assertThat(browser.errors()).isEmpty();
    }

    private static String panel() {
        return String.valueOf(
                browser.js(
                        "const p = [...document.querySelectorAll('.panel')]"
                                + ".find(p => p.querySelector('h2').textContent === 'Uploads'); return p ? p.textContent.replace(/\\s+/g, ' ') : ''"));
    }

    private static void now(String picture) throws IOException {
        browser.open("#/now");
        browser.until("the backlog is shown", () -> panel().contains("3 files, 4.5 MB"));
        assertThat(panel())
                .contains("250 KB/s", "bucket SENDING", "on-its-way.ulg", "review FAILING: refused: " + MARKUP);
        judge("now-" + picture);
    }

    private static void logs(String picture) throws IOException {
        browser.open("#/logs");
        browser.until(
                "each log has its word",
                () -> markOf("sent.ulg").equals("UPLOADED")
                        && markOf("on-its-way.ulg").equals("UPLOADING")
                        && markOf("waiting.ulg").equals("NOT UPLOADED")
                        && markOf("refused.ulg").equals("UPLOAD FAILED"));
        assertThat(browser.text("main")).contains("uploads: 3 files", "review: refused: " + MARKUP);
        judge("logs-" + picture);
    }

    private static String markOf(String log) {
        return String.valueOf(Objects.requireNonNull(browser.js(
                "const row = [...document.querySelectorAll('tr')].find(r => r.querySelector('.name')?.textContent.startsWith(arguments[0]));"
                        + "return row ? [...row.querySelectorAll('.marks .chip')].map(c => c.textContent).filter(t => t.includes('UPLOAD')).join() : ''",
                log)));
    }

    /** Checks that nothing is outside the window and all text is readable, and takes a screenshot for people. */
    private static void judge(String picture) throws IOException {
        assertThat(browser.number("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                .isZero();
        assertThat(browser.seriousFindings()).isEqualTo("[]");
        Path pictures = Files.createDirectories(Path.of("target/pictures"));
        Files.write(pictures.resolve("uploads-" + picture + ".png"), browser.picture());
    }
}
