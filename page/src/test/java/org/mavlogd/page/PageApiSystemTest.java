package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mavlogd.page.PageFixture.text;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.series.RawLog;

/** Tests the answers of the API through a real socket. */
class PageApiSystemTest {
    private static final String LOGS = "/api/v1/logs";

    @TempDir
    private Path directory;

    private PageFixture page;

    @BeforeEach
    void start() throws IOException {
        page = new PageFixture(directory, PageFixture::withControl);
    }

    @AfterEach
    void stop() {
        page.close();
    }

    private static JsonObject json(HttpResponse<byte[]> response) {
        return new JsonObject(text(response));
    }

    /** PX4's card has a folder for each day. */
    @Test
    void anEmptyListNamesSubfoldersThatAreNotRead() throws IOException {
        assertThat(json(page.get(LOGS)).getString("unread")).isEmpty();
        Path day = Files.createDirectory(page.logs().resolve("2026-11-21"));
        Files.write(day.resolve("14_03_59.ulg"), PageFixture.log().bytes());

        JsonObject list = json(page.get(LOGS));

        assertThat(list.getJsonArray("logs")).isEmpty();
        assertThat(list.getString("unread"))
                .isEqualTo(page.logs() + ": no logs here, and subfolders are not read; to show their logs: "
                        + "mavlogd page --directory " + page.logs() + "/*/");
        page.add("a.ulg", PageFixture.log().bytes());
        assertThat(json(page.get(LOGS)).getString("unread")).isEmpty();
    }

    @Test
    void foldersOfTheRecorderAndHiddenOnesAreNotUnread() throws IOException {
        Files.createDirectory(page.logs().resolve(".Trash"));
        assertThat(new Catalogue(List.of(page.logs())).unreadFolders()).isEmpty();
        Files.createDirectory(page.logs().resolve("day"));
        assertThat(new Catalogue(List.of(page.logs())).unreadFolders()).hasSize(1);
        Files.createDirectory(page.logs().resolve("fetched"));
        assertThat(new Catalogue(List.of(page.logs(), page.logs().resolve("absent"))).unreadFolders())
                .isEmpty();
    }

    @Test
    void listsLogsWithWhatIsReadInTheBackground() {
        page.add("a.ulg", PageFixture.log().bytes());
        page.add("half.ulg.part", PageFixture.log().bytes());
        page.add("notes.txt", new byte[] {1});
        page.add("none.bin", new byte[] {1, 2, 3});

        JsonArray first = json(page.get(LOGS)).getJsonArray("logs");

        assertThat(first.stream().map(log -> ((JsonObject) log).getString("name")))
                .containsExactlyInAnyOrder("a.ulg", "half.ulg.part", "none.bin");
        assertAllHaveTheirFields(first);
        await().atMost(Duration.ofSeconds(50)).untilAsserted(() -> {
            JsonArray logs = json(page.get(LOGS)).getJsonArray("logs");
            JsonObject whole = named(logs, "a.ulg");
            assertThat(whole.getDouble("duration_s")).isEqualTo(11.0);
            assertThat(whole.getString("state")).isEqualTo("finished");
            assertThat(whole.getString("kind")).isEqualTo("ulg");
            assertThat(named(logs, "half.ulg.part").getString("state")).isEqualTo("unfinished");
            assertThat(named(logs, "none.bin").getString("damage")).isNotBlank();
            assertAllHaveTheirFields(logs);
        });
    }

    /** Programs may rely on these fields, whether the log has already been read or not. */
    private static void assertAllHaveTheirFields(JsonArray logs) {
        assertThat(logs.stream().map(JsonObject.class::cast))
                .allSatisfy(log -> assertThat(log.fieldNames())
                        .contains("name", "size", "start_utc", "duration_s", "vehicle", "state"));
    }

    private static JsonObject named(JsonArray logs, String name) {
        return logs.stream()
                .map(JsonObject.class::cast)
                .filter(log -> log.getString("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=0-99, 0, 100",
        "bytes=100-, 100, -1",
        "bytes=-7, -7, 7",
        "bytes=5-999999999, 5, -1",
        "bytes=-999999999, 0, -1"
    })
    void sendsRangesOfALog(String range, int first, int length) {
        byte[] log = PageFixture.log().bytes();
        page.add("a.ulg", log);
        int from = first < 0 ? log.length + first : first;
        int to = length < 0 ? log.length : from + length;

        HttpResponse<byte[]> part = page.get(LOGS + "/a.ulg", "Range", range, "Accept-Encoding", "gzip");

        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(log, from, to));
        assertThat(part.headers().firstValue("Content-Range"))
                .contains("bytes " + from + "-" + (to - 1) + "/" + log.length);
    }

    @Test
    void sendsAWholeLogUnchangedAndNotAgainToWhoHasIt() {
        byte[] log = PageFixture.log().bytes();
        page.add("a.ulg", log);

        HttpResponse<byte[]> whole = page.get(LOGS + "/a.ulg", "Accept-Encoding", "gzip, deflate");

        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.body()).isEqualTo(log);
        String tag = whole.headers().firstValue("ETag").orElseThrow();
        assertThat(page.get(LOGS + "/a.ulg", "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(page.get(LOGS + "/a.ulg", "Range", "bytes=0-1", "If-Range", "\"old\"")
                        .statusCode())
                .isEqualTo(200);
        assertThat(page.get(LOGS + "/a.ulg", "Range", "bytes=" + log.length + "-")
                        .statusCode())
                .isEqualTo(416);
    }

    @Test
    void tellsTopicsAndPlotsFields() {
        page.add("a.ulg", PageFixture.log().bytes());

        JsonObject topics = json(page.get(LOGS + "/a.ulg/topics"));
        JsonObject all = json(page.get(LOGS + "/a.ulg/series?field=one.a&points=1000"));
        JsonObject few = json(page.get(LOGS + "/a.ulg/series?field=one.0.b%5B0%5D&points=10&from=2000000&to=3000000"));

        JsonObject topic = topics.getJsonArray("topics").getJsonObject(0);
        assertThat(topic.getString("name")).isEqualTo("one");
        assertThat(topic.getInteger("samples")).isEqualTo(1000);
        assertThat(topic.getJsonArray("fields").stream().map(field -> ((JsonObject) field).getString("name")))
                .containsExactly("timestamp", "a", "b[0]", "b[1]");
        assertThat(topics.getLong("from_us")).isEqualTo(1_000_000);
        assertThat(topics.getLong("to_us")).isEqualTo(10_990_000);
        assertThat(all.getInteger("samples")).isEqualTo(1000);
        assertThat(all.getJsonArray("min").getInteger(999)).isEqualTo(999);
        assertThat(few.getInteger("samples")).isEqualTo(101);
        assertThat(few.getJsonArray("t_us").size()).isEqualTo(10);
        assertThat(few.getJsonArray("max").getInteger(0)).isEqualTo(-100);
        assertThat(few.getJsonArray("min").getInteger(9)).isEqualTo(-200);
    }

    @Test
    void plotsALogThatGrowsShrinksAndDisappears() throws IOException {
        RawLog log = PageFixture.log();
        Path file = page.add("a.ulg", log.bytes());
        String series = LOGS + "/a.ulg/series?field=one.a";
        assertThat(json(page.get(series)).getInteger("samples")).isEqualTo(1000);

        Files.write(file, new byte[] {30, 0, 'D', 3, 0}, StandardOpenOption.APPEND);
        Files.write(file, new byte[28], StandardOpenOption.APPEND);
        assertThat(json(page.get(series)).getInteger("samples")).isEqualTo(1001);
        Files.write(file, Arrays.copyOf(log.bytes(), log.length() / 2));
        assertThat(json(page.get(series)).getInteger("samples")).isBetween(400, 600);
        Files.delete(file);
        assertThat(page.get(series).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"series?field=one.a&", "messages?", "export/mcap?", "export/csv?", "export/gpx?"})
    void refusesARangeThatEndsBeforeItStarts(String request) {
        page.add("a.ulg", PageFixture.log().bytes());

        HttpResponse<byte[]> answer = page.get(LOGS + "/a.ulg/" + request + "from=2000000&to=1999999");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(text(answer)).isEqualTo("{\"error\":\"from is 2000000, and must not be after to, 1999999\"}");
        assertThat(page.get(LOGS + "/a.ulg/series?field=one.a&from=2000000&to=2000000")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void readsZippedLogs() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(PageFixture.log().bytes());
        }
        page.add("a.ulg.gz", zipped.toByteArray());

        assertThat(json(page.get(LOGS + "/a.ulg.gz/series?field=one.a")).getInteger("samples"))
                .isEqualTo(1000);
        assertThat(page.get(LOGS + "/a.ulg.gz").body()).isEqualTo(zipped.toByteArray());
    }

    @Test
    void tellsMessagesAsTextModesAndReport() {
        page.add("a.ulg", PageFixture.log().bytes());

        HttpResponse<byte[]> messages = page.get(LOGS + "/a.ulg/messages?level=warning");

        JsonObject message = json(messages).getJsonArray("messages").getJsonObject(0);
        assertThat(message.getString("message")).isEqualTo("<script>alert(1)</script>");
        assertThat(message.getLong("t_us")).isEqualTo(2_000_000);
        assertThat(messages.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(json(page.get(LOGS + "/a.ulg/messages?level=error")).getJsonArray("messages"))
                .isEmpty();
        assertThat(json(page.get(LOGS + "/a.ulg/messages?from=2000001")).getJsonArray("messages"))
                .isEmpty();
        assertThat(json(page.get(LOGS + "/a.ulg/modes")).getJsonArray("armed")).isEmpty();
        assertThat(page.get(LOGS + "/a.ulg/report").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/..%2fsecret.ulg",
                "/%2e%2e%2fsecret.ulg",
                "/..%5csecret.ulg",
                "/%2fetc%2fpasswd",
                "/a.ulg%00.ulg",
                "/.hidden.ulg",
                "/%3Cscript%3E.ulg",
                "/secret.txt",
                "/link.ulg",
                "/folder.ulg"
            })
    void namesAreNeverPaths(String name) throws IOException {
        Files.write(directory.resolve("secret.ulg"), PageFixture.log().bytes());
        Files.write(page.logs().resolve("secret.txt"), new byte[1]);
        Files.createSymbolicLink(page.logs().resolve("link.ulg"), directory.resolve("secret.ulg"));
        Files.createDirectories(page.logs().resolve("folder.ulg"));

        for (String route : new String[] {"", "/topics", "/series?field=one.a", "/messages", "/modes", "/report"}) {
            HttpResponse<byte[]> response = page.get(LOGS + name + route);
            assertThat(response.statusCode()).as(name + route).isIn(400, 404);
            assertThat(text(response)).contains("error");
            assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        }
    }

    @Test
    void refusesLongNamesAndWrongParameters() {
        page.add("a.ulg", PageFixture.log().bytes());
        String log = LOGS + "/a.ulg/series?field=";

        assertThat(page.get(LOGS + "/" + "x".repeat(3000) + ".ulg").statusCode())
                .isEqualTo(404);
        for (String query : new String[] {
            "",
            "one",
            ".a",
            "one.a&points=0",
            "one.a&points=10001",
            "one.a&points=x",
            "one.a&from=-1",
            "one.a&to=1e9",
            "one.a&field=one.b"
        }) {
            HttpResponse<byte[]> response = page.get(log + query);
            assertThat(response.statusCode()).as(query).isEqualTo(400);
            assertThat(json(response).getString("error")).isNotBlank();
        }
        for (String field : new String[] {"two.a", "one.7.a", "one.c", "one.b", "one.b%5B2%5D", "one.a%5B0%5D"}) {
            assertThat(page.get(log + field).statusCode()).as(field).isEqualTo(404);
        }
        assertThat(page.get("/api/v1/nothing").statusCode()).isEqualTo(404);
        assertThat(page.send("POST", LOGS, "").statusCode()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void answersWhateverALogHolds(long seed) {
        Random random = new Random(seed);
        byte[] log = PageFixture.log().bytes();
        for (int i = 0; i < 200; i++) {
            log[random.nextInt(log.length)] = (byte) random.nextInt();
        }
        byte[] noise = new byte[10_000];
        random.nextBytes(noise);
        page.add("a.ulg", log);
        page.add("noise.ulg", noise);
        page.add("empty.bin", new byte[0]);

        for (String name : new String[] {"a.ulg", "noise.ulg", "empty.bin"}) {
            for (String route : new String[] {"/topics", "/series?field=one.a", "/messages", "/modes", "/report"}) {
                assertThat(page.get(LOGS + "/" + name + route).statusCode())
                        .as("seed " + seed + ", " + name + route)
                        .isIn(200, 404, 422);
            }
        }
    }

    @Test
    void keepsRemarksAndDeletesTheRecordersLogs() throws IOException {
        String name = "2026-11-20_10-00-00_sys001_000001.ulg";
        Path file = page.add(name, PageFixture.log().bytes());
        String[] ours = {"X-Mavlogd", "1"};
        String log = LOGS + "/" + name;

        HttpResponse<byte[]> kept = page.send("PUT", log + "/keep", "", ours);
        assertThat(kept.statusCode()).as(text(kept)).isEqualTo(200);
        assertThat(named(json(page.get(LOGS)).getJsonArray("logs"), name).getBoolean("kept"))
                .isTrue();
        assertThat(page.send("DELETE", log, "", ours).statusCode()).isEqualTo(409);
        assertThat(page.send("DELETE", log + "/keep", "", ours).statusCode()).isEqualTo(200);
        assertThat(page.send("PUT", log + "/remark", "Wind from <b>west</b>", ours)
                        .statusCode())
                .isEqualTo(200);
        page.get(LOGS);
        await().atMost(Duration.ofSeconds(50))
                .untilAsserted(() -> assertThat(named(json(page.get(LOGS)).getJsonArray("logs"), name)
                                .getString("remark"))
                        .isEqualTo("Wind from <b>west</b>"));
        assertThat(page.send("DELETE", log, "", ours).statusCode()).isEqualTo(200);
        assertThat(Files.exists(file)).isFalse();
    }

    @Test
    void leavesLogsOfOthersAlone() {
        Path file = page.add("mine.ulg", PageFixture.log().bytes());

        assertThat(page.send("DELETE", LOGS + "/mine.ulg", "", "X-Mavlogd", "1").statusCode())
                .isEqualTo(409);
        assertThat(page.send("PUT", LOGS + "/mine.ulg/keep", "", "X-Mavlogd", "1")
                        .statusCode())
                .isEqualTo(409);
        assertThat(file).exists();
    }

    @Test
    void tellsThatThereIsNoRecorder() {
        assertThat(json(page.get("/api/v1/status")).getString("recorder")).isEqualTo("not reachable");
        assertThat(page.get("/healthz").statusCode()).isEqualTo(200);
        JsonObject about = json(page.get("/api/v1/page"));
        assertThat(about.getBoolean("control")).isTrue();
        assertThat(about.getBoolean("login")).isFalse();
    }

    /** The list and a plot of topics without times give the reason; nested topics with a time are plotted. */
    @Test
    void saysWhyATopicCannotBeDrawn() {
        String ghost = "ghost";
        byte[] sample = {15, 0, 64, 66, 15, 0, 0, 0, 0, 0, 0, 0, -128, 63};
        RawLog log = PageFixture.log()
                .format("bare:float a;")
                .format("small:uint32_t timestamp;float a;")
                .format("inner:float v;")
                .format("nested:uint64_t timestamp;inner c;")
                .format("torn:uint64_t timestamp;nowhere c;")
                .subscribe("bare", 0, 10)
                .subscribe("small", 2, 11)
                .subscribe("nested", 0, 12)
                .subscribe("torn", 0, 13)
                .subscribe(ghost, 0, 14)
                .subscribe("late", 0, 15)
                .format("late:uint64_t timestamp;float a;")
                .message('D', sample)
                .message('D', new byte[] {10, 0, 0, 0, -128, 63})
                .message('D', new byte[] {12, 0, 64, 66, 15, 0, 0, 0, 0, 0, 0, 0, -128, 63})
                .message('D', new byte[] {12, 0, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, -128, 63});
        page.add("a.ulg", log.bytes());

        JsonObject topics = json(page.get(LOGS + "/a.ulg/topics"));

        JsonArray undrawable = topics.getJsonArray("undrawable");
        assertThat(named(undrawable, "bare").getString("reason")).contains("no field \"timestamp\"");
        assertThat(named(undrawable, "small").getString("reason")).contains("is uint32_t, not uint64_t");
        assertThat(named(undrawable, "small").getInteger("instance")).isEqualTo(2);
        assertThat(named(undrawable, "torn").getString("reason")).contains("not defined");
        assertThat(named(undrawable, ghost).getString("reason")).isEqualTo("format \"" + ghost + "\" is not defined");
        assertThat(named(topics.getJsonArray("topics"), "late").getLong("samples"))
                .isEqualTo(1);
        assertThat(undrawable).hasSize(4);
        JsonObject nested = named(topics.getJsonArray("topics"), "nested");
        assertThat(nested.getLong("samples")).isEqualTo(1);
        assertThat(nested.getLong("left_out")).isEqualTo(1);
        assertThat(json(page.get(LOGS + "/a.ulg/series?field=nested.c.v")).getJsonArray("max"))
                .containsExactly(1);

        HttpResponse<byte[]> plot = page.get(LOGS + "/a.ulg/series?field=small.2.a");
        assertThat(plot.statusCode()).isEqualTo(422);
        assertThat(json(plot).getString("error"))
                .isEqualTo("topic \"small\" cannot be drawn: its field \"timestamp\" is uint32_t, not uint64_t");
        assertThat(page.get(LOGS + "/a.ulg/series?field=one.a").statusCode()).isEqualTo(200);
    }
}
