package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mavlogd.page.PageFixture.text;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mcap.McapHandler;
import org.mavlogd.mcap.McapMessageView;
import org.mavlogd.mcap.McapReader;
import org.mavlogd.mcap.McapRecord;
import org.mavlogd.series.RawLog;
import org.mavlogd.tools.Main;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Compares the page's exports as CSV, MCAP and GPX with the files that the commands write. */
class PageExportSystemTest {
    private static final String LOGS = "/api/v1/logs/";
    private static final String PX4 = "px4.ulg";
    private static final String ARDUPILOT = "ardupilot.bin";
    private static final String ZIPPED = "zipped.bin.gz";
    private static final String SMALL = "small.ulg";
    private static final String DAMAGED = "damaged.ulg";
    private static final String HOSTILE = "<a href=x>\"; x=\u00fc.ulg";
    private static final int LONG_SAMPLES = 600_000;
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    @TempDir
    private static Path directory;

    private static PageFixture page;

    @BeforeAll
    static void start() throws IOException {
        page = new PageFixture(directory, settings -> settings);
        unpack("../simulator/src/demo/11_rover_ackermann.ulg.gz", PX4);
        Path download = Path.of("../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz");
        unpack(download.toString(), ARDUPILOT);
        page.add(ZIPPED, Files.readAllBytes(download));
        page.add(SMALL, PageFixture.log().bytes());
        page.add(HOSTILE, PageFixture.log().bytes());
        page.add(
                DAMAGED,
                PageFixture.log()
                        .raw(new byte[500])
                        .sample(3, 20_000_000, 7, 7, 7)
                        .bytes());
    }

    private static void unpack(String from, String to) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(Path.of(from)))) {
            page.add(to, in.readAllBytes());
        }
    }

    @AfterAll
    static void stop() {
        page.close();
    }

    private static HttpResponse<byte[]> export(String log, String what) {
        return page.get(LOGS + URLEncoder.encode(log, StandardCharsets.UTF_8).replace("+", "%20") + "/export/" + what);
    }

    /** The files that the command writes to a directory. */
    private static Map<String, byte[]> command(String log, String... options) throws IOException {
        Path out = Files.createTempDirectory(directory, "command");
        List<String> words = new ArrayList<>(List.of("export"));
        words.add(options[0]);
        words.add(page.logs().resolve(log).toString());
        words.addAll(List.of(options).subList(1, options.length));
        Path target = options[0].equals("csv") ? out : out.resolve("file");
        words.addAll(List.of("-o", target.toString()));
        assertThat(Main.run(words.toArray(String[]::new))).isIn(0, 3);
        Map<String, byte[]> written = new TreeMap<>();
        try (Stream<Path> files = Files.list(out)) {
            for (Path file : files.toList()) {
                written.put(String.valueOf(file.getFileName()), Files.readAllBytes(file));
            }
        }
        return written;
    }

    private static Map<String, byte[]> unzip(byte[] zip) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), in.readAllBytes());
            }
        }
        return files;
    }

    @ParameterizedTest
    @ValueSource(strings = {PX4, ARDUPILOT, ZIPPED})
    void tablesAreThoseOfTheCommand(String log) throws IOException {
        HttpResponse<byte[]> answer = export(log, "csv");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/zip");
        assertThat(answer.headers().firstValue("Content-Disposition").orElseThrow())
                .startsWith("attachment; filename=\"" + log.replaceFirst("\\..*", "") + "_csv.zip\"");
        assertSame(unzip(answer.body()), command(log, "csv"));
        assertNothingIsLeft();
    }

    private static void assertSame(Map<String, byte[]> found, Map<String, byte[]> expected) {
        assertThat(found.keySet()).isEqualTo(expected.keySet()).isNotEmpty();
        expected.forEach((name, bytes) -> assertThat(found.get(name)).as(name).isEqualTo(bytes));
    }

    private static void assertNothingIsLeft() {
        Path spool = directory.resolve("cache/exports");
        await().atMost(PATIENCE).until(() -> !Files.exists(spool) || isEmpty(spool));
    }

    private static boolean isEmpty(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.findAny().isEmpty();
        }
    }

    @Test
    void aTableOfOneInstanceIsPlain() throws IOException {
        HttpResponse<byte[]> answer = export(SMALL, "csv?topic=o*&from=2000000&to=3000000&time=s");

        Map<String, byte[]> expected =
                command(SMALL, "csv", "--topic", "o*", "--from", "2", "--to", "3", "--time", "s");
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/csv; charset=utf-8");
        assertThat(answer.headers().firstValue("Content-Disposition").orElseThrow())
                .contains("filename=\"small_one_0.csv\"");
        assertThat(answer.body()).isEqualTo(expected.get("one_0.csv")).isNotEmpty();
        assertThat(text(answer).lines()).hasSize(102);
    }

    @Test
    void severalTopicsAndGlobsChoose() throws IOException {
        HttpResponse<byte[]> answer = export(PX4, "csv?topic=vehicle_s*&topic=battery_status:0,cpuload");

        assertSame(unzip(answer.body()), command(PX4, "csv", "--topics", "vehicle_s*,battery_status:0,cpuload"));
    }

    @Test
    void damagedLogsAreExportedAsFarAsTheyAreSound() throws IOException {
        HttpResponse<byte[]> answer = export(DAMAGED, "csv");

        assertThat(answer.body()).isEqualTo(command(DAMAGED, "csv").get("one_0.csv"));
        assertThat(text(answer)).contains("\n20000000,7.0,");
    }

    @ParameterizedTest
    @ValueSource(strings = {PX4, ARDUPILOT, ZIPPED, DAMAGED})
    void mcapIsThatOfTheCommand(String log) throws IOException {
        HttpResponse<byte[]> answer = export(log, "mcap");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(command(log, "mcap").get("file"));
        assertThat(read(answer.body()).counts).isNotEmpty();
    }

    @Test
    void mcapOfSomeTopicsAndTimesHoldsThese() throws IOException {
        Mcap all = read(export(SMALL, "mcap").body());
        Mcap part = read(export(SMALL, "mcap?topic=one&from=2000001&to=3000000").body());

        assertThat(all.counts).containsEntry("one/0", 1000).containsEntry("log_message", 1);
        assertThat(part.counts).containsEntry("one/0", 100).doesNotContainKey("log_message");
        assertThat(part.firstNs).isEqualTo(2_010_000_000L);
        assertThat(part.lastNs).isEqualTo(3_000_000_000L);
    }

    /** The contents of an MCAP file, according to our own reader. */
    private static final class Mcap implements McapHandler {
        private final Map<Integer, String> channels = new HashMap<>();
        private final Map<String, Integer> counts = new TreeMap<>();
        private long firstNs = Long.MAX_VALUE;
        private long lastNs;

        @Override
        public void onRecord(McapRecord record) {
            if (record instanceof McapRecord.Channel channel) {
                channels.put(channel.id(), channel.topic());
            }
        }

        @Override
        public void onMessage(McapMessageView message) {
            counts.merge(String.valueOf(channels.get(message.channelId())), 1, Integer::sum);
            firstNs = Math.min(firstNs, message.logTimeNs());
            lastNs = Math.max(lastNs, message.logTimeNs());
        }
    }

    private static Mcap read(byte[] file) throws IOException {
        Mcap found = new Mcap();
        McapReader.Ending ending = new McapReader(Channels.newChannel(new ByteArrayInputStream(file)), found).read();
        assertThat(ending.isComplete()).isTrue();
        return found;
    }

    @Test
    void gpxIsThatOfTheCommandAndCanBeCut() throws Exception {
        HttpResponse<byte[]> answer = export(PX4, "gpx");

        assertThat(answer.body()).isEqualTo(command(PX4, "gpx").get("file"));
        NodeList all = xml(answer.body()).getElementsByTagName("trkpt");
        assertThat(all.getLength()).isGreaterThan(100);
        long middleUs = 1000 * Math.round(seconds(PX4) * 500);
        NodeList half = xml(export(PX4, "gpx?from=" + middleUs).body()).getElementsByTagName("trkpt");
        assertThat(half.getLength()).isBetween(1, all.getLength() - 1);
        assertThat(half.item(half.getLength() - 1).getTextContent())
                .isEqualTo(all.item(all.getLength() - 1).getTextContent());
    }

    /** The sum of the log's first and last time, in seconds. */
    private static double seconds(String log) {
        var topics = new JsonObject(text(page.get(LOGS + log + "/topics")));
        return (topics.getLong("from_us") + topics.getLong("to_us")) / 1e6;
    }

    private static Document xml(byte[] text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text));
    }

    @Test
    void aHostileNameIsOnlyAName() {
        HttpResponse<byte[]> answer = export(HOSTILE, "csv");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Disposition").orElseThrow())
                .isEqualTo("attachment; filename=\"_a_href_x____x___one_0.csv\"; "
                        + "filename*=UTF-8''%3Ca%20href%3Dx%3E%22%3B%20x%3D%C3%BC_one_0.csv");
    }

    @ParameterizedTest
    @CsvSource({
        "csv?topic=nosuch, 422",
        "mcap?topic=nosuch, 422",
        "csv?topic=../../etc/passwd, 422",
        "csv?topic=%00, 422",
        "csv?from=90000000, 422",
        "csv?time=utc, 422",
        "gpx, 422",
        "csv?from=-1, 400",
        "csv?from=1&from=2, 400",
        "csv?time=fortnights, 400",
        "mcap?time=s, 400",
        "gpx?topic=one, 400",
        "parquet, 400",
        "..%2Fcsv, 400"
    })
    void whatCannotBeDoneIsAnError(String what, int status) {
        HttpResponse<byte[]> answer = export(SMALL, what);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(text(answer)).startsWith("{\"error\":\"");
        assertNothingIsLeft();
    }

    @Test
    void aGlobOfManyStarsTakesNoTime() {
        HttpResponse<byte[]> answer = export(PX4, "csv?topic=" + "*_".repeat(60) + "x");

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(export(PX4, "csv?topic=" + "a".repeat(300)).statusCode()).isEqualTo(400);
    }

    @Test
    void noLogIsNoExport() {
        page.add("none.ulg", new byte[] {1, 2, 3});

        for (String format : List.of("csv", "mcap", "gpx")) {
            assertThat(export("none.ulg", format).statusCode()).as(format).isEqualTo(422);
            assertThat(export("missing.ulg", format).statusCode()).as(format).isEqualTo(404);
        }
    }

    /** Random values, which do not compress: the file is larger than the system's buffers for a connection. */
    private static byte[] longLog() {
        Random random = new Random(1);
        RawLog log = PageFixture.log();
        for (int i = 0; i < LONG_SAMPLES; i++) {
            log.sample(3, 20_000_000 + 100L * i, random.nextFloat(), random.nextDouble(), random.nextDouble());
        }
        return log.bytes();
    }

    @Test
    void aFewAtOnceAreEnoughAndAnEndedConnectionEndsItsExport() throws IOException {
        page.add("long.ulg", longLog());

        try (Socket first = ask("long.ulg/export/mcap");
                Socket second = ask("long.ulg/export/csv")) {
            assertThat(firstLine(first)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(firstLine(second)).isEqualTo("HTTP/1.1 200 OK");
            // Both clients stop reading: their exports wait, and the page serves other clients in the meantime.
            HttpResponse<byte[]> third = export(SMALL, "csv");
            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.headers().firstValue("Retry-After")).contains("1");
            assertThat(page.get(LOGS + SMALL + "/series?field=one.a").statusCode())
                    .isEqualTo(200);
        }

        await().atMost(PATIENCE).until(() -> export(SMALL, "csv").statusCode() == 200);
        await().atMost(PATIENCE).until(() -> export(SMALL, "mcap").statusCode() == 200);
        assertNothingIsLeft();
    }

    private static Socket ask(String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), page.port()));
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream()
                .write(("GET " + LOGS + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = socket.getInputStream().read();
                b != '\r' && b >= 0;
                b = socket.getInputStream().read()) {
            line.write(b);
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void aDamagedGzipEndsTheConnectionAndNotTheAnswer() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(PageFixture.log().bytes());
        }
        byte[] cut = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
        page.add("cut.ulg.gz", cut);

        assertThat(export("cut.ulg.gz", "mcap").statusCode()).isEqualTo(422);
        assertThat(text(export("cut.ulg.gz", "csv"))).contains("gzip data is damaged");
    }
}
