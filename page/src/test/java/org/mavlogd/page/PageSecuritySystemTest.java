package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.page.PageFixture.text;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One test for each rule of docs/page.md, "Security". */
class PageSecuritySystemTest {
    private static final String LOGS = "/api/v1/logs";

    @TempDir
    private Path directory;

    @Test
    void everyAnswerForbidsScriptsOfOthersAndFrames() throws IOException {
        try (PageFixture page = new PageFixture(directory, UnaryOperator.identity())) {
            for (String path : new String[] {"/", LOGS, "/healthz", "/api/v1/nothing", LOGS + "/none.ulg"}) {
                HttpResponse<byte[]> response = page.get(path);
                assertThat(response.headers()
                                .firstValue("Content-Security-Policy")
                                .orElse(""))
                        .as(path)
                        .startsWith("default-src 'self';")
                        .contains("frame-ancestors 'none'")
                        .doesNotContain("unsafe");
                assertThat(response.headers().firstValue("X-Content-Type-Options"))
                        .contains("nosniff");
                assertThat(response.headers().map()).doesNotContainKey("access-control-allow-origin");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 200",
        "127.0.0.1:80, 200",
        "localhost, 200",
        "LOCALHOST:9651, 200",
        "[::1]:9651, 200",
        "boat.example, 200",
        "evil.example, 403",
        "boat.example.evil.example, 403",
        "192.0.2.1, 403",
        "localhost:x, 400",
        "localhost.evil, 403"
    })
    void onlyNamesOfThisComputerAreAnswered(String host, int status) throws IOException {
        try (PageFixture page = new PageFixture(directory, PageFixture::withControl)) {
            assertThat(page.raw("GET /api/v1/page HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void aRequestWithoutHostOrWithTwoIsRefused() throws IOException {
        try (PageFixture page = new PageFixture(directory, UnaryOperator.identity())) {
            assertThat(page.raw("GET /api/v1/page HTTP/1.1\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 4");
            assertThat(
                            page.raw(
                                    "GET /api/v1/page HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 4");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LOGS, LOGS + "/a.ulg", LOGS + "/a.ulg/series?field=one.a", "/api/v1/status"})
    void nothingIsToldWithoutLogin(String path) throws IOException {
        try (PageFixture page = new PageFixture(directory, PageFixture::withToken)) {
            page.add("a.ulg", PageFixture.log().bytes());

            assertThat(page.get(path).statusCode()).isEqualTo(401);
            assertThat(page.get(path, "Authorization", "Bearer wrong-wrong-wrong")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(page.get(path, "Cookie", "mavlogd_session=abc").statusCode())
                    .isEqualTo(401);
            assertThat(page.get(path, "Authorization", "Bearer " + PageFixture.TOKEN)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(text(page.get("/api/v1/page")))
                    .contains("\"login\":true")
                    .doesNotContain("directories");
        }
    }

    @Test
    void aSessionIsACookieThatNoScriptAndNoOtherSiteGets() throws IOException {
        try (PageFixture page = new PageFixture(directory, PageFixture::withToken)) {
            HttpResponse<byte[]> login = login(page, PageFixture.TOKEN);

            assertThat(login.statusCode()).isEqualTo(204);
            String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie)
                    .containsIgnoringCase("HttpOnly")
                    .contains("SameSite=Strict")
                    .contains("Path=/");
            String value = cookie.substring(0, cookie.indexOf(';'));
            assertThat(value).hasSizeGreaterThan(50).doesNotContain(PageFixture.TOKEN);
            assertThat(page.get(LOGS, "Cookie", value).statusCode()).isEqualTo(200);
            assertThat(page.send("POST", "/api/v1/logout", "", "Cookie", value, "X-Mavlogd", "1")
                            .statusCode())
                    .isEqualTo(204);
            assertThat(page.get(LOGS, "Cookie", value).statusCode()).isEqualTo(401);
        }
    }

    private static HttpResponse<byte[]> login(PageFixture page, String token) {
        return page.send("POST", "/api/v1/login", "{\"token\":\"" + token + "\"}", "X-Mavlogd", "1");
    }

    @Test
    void wrongTokensAreSoonNotHeardAnyMore() throws IOException {
        try (PageFixture page = new PageFixture(directory, PageFixture::withToken)) {
            for (int i = 0; i < 5; i++) {
                HttpResponse<byte[]> answer = i % 2 == 0
                        ? login(page, "wrong-wrong-" + i)
                        : page.get(LOGS, "Authorization", "Bearer wrong-wrong-" + i);
                assertThat(answer.statusCode()).isEqualTo(401);
            }
            assertThat(login(page, PageFixture.TOKEN).statusCode()).isEqualTo(429);
            assertThat(page.get(LOGS, "Authorization", "Bearer " + PageFixture.TOKEN)
                            .statusCode())
                    .isEqualTo(429);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"token\":7}", "{\"token\":null}"})
    void aLoginThatIsNoneIsRefused(String body) throws IOException {
        try (PageFixture page = new PageFixture(directory, PageFixture::withToken)) {
            assertThat(page.send("POST", "/api/v1/login", body, "X-Mavlogd", "1")
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void withoutControlNothingChanges() throws IOException {
        try (PageFixture page = new PageFixture(directory, UnaryOperator.identity())) {
            changesAreForbidden(page, "X-Mavlogd", "1");
        }
    }

    @Test
    void aRequestThatAnotherSitesFormCanMakeChangesNothing() throws IOException {
        try (PageFixture page = new PageFixture(directory, PageFixture::withControl)) {
            changesAreForbidden(page, "Origin", "http://evil.example");
        }
    }

    private static void changesAreForbidden(PageFixture page, String... headers) {
        Path file = page.add(
                "2026-11-20_10-00-00_sys001_000001.ulg", PageFixture.log().bytes());
        long length = file.toFile().length();
        String log = LOGS + "/" + file.getFileName();

        assertThat(page.send("DELETE", log, "", headers).statusCode()).isEqualTo(403);
        assertThat(page.send("PUT", log + "/keep", "", headers).statusCode()).isEqualTo(403);
        assertThat(page.send("DELETE", log + "/keep", "", headers).statusCode()).isEqualTo(403);
        assertThat(page.send("PUT", log + "/remark", "hello", headers).statusCode())
                .isEqualTo(403);
        assertThat(file).hasSize(length);
        assertThat(page.logs()).isDirectoryNotContaining("glob:**.keep");
    }

    @Test
    void anAnswerIsSentOnceForOneRequestOnly() throws IOException {
        try (PageFixture page = new PageFixture(directory, UnaryOperator.identity())) {
            String both = """
                    GET /healthz HTTP/1.1
                    Host: localhost
                    Content-Length: 3
                    Transfer-Encoding: chunked
                    Connection: close

                    0

                    """.replace("\n", "\r\n");
            assertThat(page.raw(both).split("HTTP/1.1", -1)).hasSizeLessThanOrEqualTo(2);
            assertThat(page.raw("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .startsWith("HTTP/1.");
        }
    }
}
