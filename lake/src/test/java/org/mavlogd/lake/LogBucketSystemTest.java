package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.fleet.FaultyProxy;
import org.mavlogd.fleet.FaultyProxy.Fault;
import org.mavlogd.fleet.FaultyProxy.Request;
import org.mavlogd.fleet.S3MockServer;
import org.mavlogd.logtools.Progress;

/**
 * Logs in a bucket of Adobe's S3Mock become the same lake as the same logs in a folder, with any faults of the server
 * and the network.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogBucketSystemTest {
    private static final String LOG = "px4rs_esc_status_log";
    private static final String OTHER = "pyulog_sample_log_small";

    @TempDir
    private static Path server = Path.of(".");

    @TempDir
    private Path directory = Path.of(".");

    private S3MockServer s3;
    private FaultyProxy proxy;
    private Path lake = Path.of(".");
    private int number;

    @SuppressWarnings("NullAway.Init")
    LogBucketSystemTest() {}

    @BeforeAll
    void start() throws IOException, InterruptedException {
        System.setProperty("aws.accessKeyId", "any");
        System.setProperty("aws.secretAccessKey", "any");
        s3 = new S3MockServer(server.resolve("objects"));
    }

    @AfterAll
    void stop() {
        s3.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    @BeforeEach
    void places() throws IOException {
        proxy = new FaultyProxy(s3.port());
        lake = directory.resolve("lake");
        number++;
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    /** A bucket for the names of one test, which begin with {@code prefix}. */
    private LogBucket bucket(String prefix) throws IOException {
        return new LogBucket(
                "s3://" + S3MockServer.BUCKET + "/" + number + prefix,
                Optional.of(URI.create(proxy.url())),
                Optional.of("us-east-1"),
                LakeBuild.downloads(lake));
    }

    private LakeBuild.Result build() throws IOException {
        try (LogBucket bucket = bucket("/");
                LakeBuild build = new LakeBuild(lake, "test", Clock.systemUTC())) {
            LakeBuild.Result result = build.run(bucket, bucket.logs(), 2, Progress.NONE);
            assertThat(LakeFiles.inside(LakeBuild.downloads(lake)))
                    .as("copies are deleted")
                    .isEmpty();
            return result;
        }
    }

    private void put(String name, byte[] content) throws IOException, InterruptedException {
        s3.put(number + "/" + name, content);
    }

    private long reads() {
        return proxy.requests.stream().filter(request -> isRead(request, "")).count();
    }

    private static boolean isRead(Request request, String end) {
        return request.method().equals("GET")
                && request.path().toLowerCase(java.util.Locale.ROOT).contains(".")
                && request.path().endsWith(end);
    }

    /** Applies the fault to the first {@code times} reads of a log. */
    private static Function<Request, Fault> reading(int times, Fault fault) {
        AtomicInteger left = new AtomicInteger(times);
        return request -> isRead(request, "a.ulg") && left.getAndDecrement() > 0 ? fault : FaultyProxy.NONE;
    }

    @Test
    void lakeIsThatOfTheSameFolder() throws IOException, InterruptedException, SQLException {
        Path folder = directory.resolve("logs");
        FleetLogs.write(folder);
        for (String name : FleetLogs.PX4) {
            put("copter/" + name + ".ulg", FleetLogs.px4(name));
        }
        put("rover/00000001.BIN", FleetLogs.arduPilot());
        put("rover/notes.txt", new byte[10]);
        Path expected = directory.resolve("expected");
        FleetLogs.build(folder, expected);

        assertThat(build().converted()).isEqualTo(FleetLogs.PX4.size() + 1);

        String facts = "SELECT vehicle, sha256, bytes, samples, start FROM logs ORDER BY sha256";
        assertThat(FleetLogs.ask(lake, facts)).isEqualTo(FleetLogs.ask(expected, facts));
        assertThat(FleetLogs.ask(lake, "SELECT count(*), sum(voltage_v) FROM topic_battery_status"))
                .isEqualTo(FleetLogs.ask(expected, "SELECT count(*), sum(voltage_v) FROM topic_battery_status"));
        assertThat(FleetLogs.ask(lake, "SELECT DISTINCT source FROM logs WHERE source NOT LIKE 's3://logs/%'"))
                .isEmpty();

        long before = reads();
        LakeBuild.Result again = build();
        assertThat(again.unchanged()).isEqualTo(FleetLogs.PX4.size() + 1);
        assertThat(reads()).as("unchanged logs are not read").isEqualTo(before);
    }

    @Test
    void correctedLogReplacesItsRows() throws IOException, InterruptedException, SQLException {
        put("a.ulg", FleetLogs.px4(LOG));
        build();
        put("a.ulg", FleetLogs.px4(OTHER));

        assertThat(build().replaced()).isEqualTo(1);

        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM logs")).containsExactly("1");
    }

    @Test
    void cutAndDamagedCopiesAreMadeAgain() throws IOException, InterruptedException {
        put("a.ulg", FleetLogs.px4(LOG));
        AtomicInteger reads = new AtomicInteger();
        proxy.faults(request -> !isRead(request, "a.ulg")
                ? FaultyProxy.NONE
                : switch (reads.getAndIncrement()) {
                    case 0 -> new Fault.CutAnswer();
                    case 1 -> new Fault.FlipAnswer();
                    case 2 -> new Fault.Answer(503, "SlowDown");
                    default -> FaultyProxy.NONE;
                });

        assertThat(build().converted()).isEqualTo(1);
        assertThat(reads.get()).isEqualTo(4);
    }

    @Test
    void logThatIsOnlyReadWronglyIsRefused() throws IOException, InterruptedException, SQLException {
        put("a.ulg", FleetLogs.px4(LOG));
        put("b.ulg", FleetLogs.px4(OTHER));
        proxy.faults(reading(Integer.MAX_VALUE, new Fault.FlipAnswer()));

        LakeBuild.Result result = build();

        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.converted()).isEqualTo(1);
        assertThat(FleetLogs.ask(lake, "SELECT place, reason FROM failures").get(0))
                .startsWith("s3://logs/" + number + "/a.ulg ")
                .contains("the server says");
    }

    @ParameterizedTest
    @CsvSource({"404, NoSuchKey", "403, AccessDenied"})
    void logThatIsGoneOrForbiddenIsRefusedAndOthersConverted(int status, String code)
            throws IOException, InterruptedException, SQLException {
        put("a.ulg", FleetLogs.px4(LOG));
        put("b.ulg", FleetLogs.px4(OTHER));
        proxy.faults(reading(1, new Fault.Answer(status, code)));

        LakeBuild.Result result = build();

        assertThat(result.text()).isEqualTo("1 log converted, 0 replaced, 0 unchanged, 0 copies of others, 1 failed");
        assertThat(FleetLogs.ask(lake, "SELECT reason FROM failures").get(0)).contains(status + ", " + code);
        assertThat(build().converted()).as("the next build tries again").isEqualTo(1);
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM failures")).containsExactly("0");
    }

    @ParameterizedTest
    @CsvSource({"500, InternalError", "403, ExpiredToken"})
    void serverThatFailsEndsTheBuildAndIsNamed(int status, String code)
            throws IOException, InterruptedException, SQLException {
        put("a.ulg", FleetLogs.px4(LOG));
        proxy.faults(reading(Integer.MAX_VALUE, new Fault.Answer(status, code)));

        assertThatThrownBy(this::build)
                .isInstanceOf(LogSource.Failure.class)
                .hasMessageContaining("s3://logs: the server answers with status " + status + ", " + code);

        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM failures")).containsExactly("0");
        proxy.faults(request -> FaultyProxy.NONE);
        assertThat(build().converted()).isEqualTo(1);
    }

    @Test
    void logThatWasReplacedSinceItWasListedIsRefused() throws IOException, InterruptedException {
        put("a.ulg", FleetLogs.px4(LOG));
        try (LogBucket bucket = bucket("/");
                LakeBuild build = new LakeBuild(lake, "test", Clock.systemUTC())) {
            List<SourceLog> listed = bucket.logs();
            put("a.ulg", FleetLogs.px4(OTHER));

            LakeBuild.Result result = build.run(bucket, listed, 1, Progress.NONE);

            assertThat(result.failed()).isEqualTo(1);
            assertThat(build.problems().get(0)).contains("a.ulg: changed since it was listed");
        }
        assertThat(build().converted()).isEqualTo(1);
    }

    @Test
    void keysNeverChooseAPath() throws IOException, InterruptedException {
        byte[] bad = "no log".getBytes(StandardCharsets.UTF_8);
        // S3Mock refuses names with "..", names of directories, and backslashes; LakeBuildTest tests SourceLog.id with
        // them.
        put("-rf%20..%7C%24(id).ulg", bad);
        put("%1B%5B31m%20rm%20-r%20~.ulg", bad);
        put("x".repeat(900) + ".ulg", bad);
        List<Path> before = files();

        LakeBuild.Result result = build();

        assertThat(result.text()).isEqualTo("0 logs converted, 0 replaced, 0 unchanged, 0 copies of others, 3 failed");
        assertThat(files().stream().filter(file -> !file.startsWith(lake))).containsExactlyElementsOf(before);
    }

    @Test
    void listThatBreaksOffIsNotTakenForAll() throws IOException, InterruptedException {
        put("a.ulg", FleetLogs.px4(LOG));
        proxy.faults(request -> new Fault.CutAnswer());

        assertThatThrownBy(() -> {
                    try (LogBucket bucket = bucket("/")) {
                        bucket.logs();
                    }
                })
                .isInstanceOf(LogSource.Failure.class);
    }

    private List<Path> files() throws IOException {
        try (var all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(lake))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void listsMoreThanAPageAndOnlyWhatBeginsWithThePrefix() throws IOException, InterruptedException {
        IntStream.range(0, 1_005).parallel().forEach(i -> {
            try {
                put("day/v%d/%04d.ulg".formatted(i % 3, i), new byte[1]);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        put("dax/other.ulg", new byte[1]);

        try (LogBucket bucket = bucket("/day")) {
            List<SourceLog> logs = bucket.logs();

            assertThat(logs).hasSize(1_005);
            assertThat(logs.get(1_004).source()).isEqualTo("s3://logs/" + number + "/day/v2/1004.ulg");
        }
        try (LogBucket bucket = bucket("/day/")) {
            assertThat(bucket.logs().stream()
                            .map(log -> log.folder().orElse("none"))
                            .distinct())
                    .containsExactlyInAnyOrder("v0", "v1", "v2");
        }
    }

    @Test
    void wrongAddressesAreNamed() {
        assertThatThrownBy(() -> new LogBucket("s3://a/x", Optional.empty(), Optional.of("r"), lake))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("s3://BUCKET/PREFIX");
        assertThatThrownBy(() -> {
                    try (LogBucket none = new LogBucket(
                            "s3://no-such-bucket/", Optional.of(URI.create(proxy.url())), Optional.of("r"), lake)) {
                        none.logs();
                    }
                })
                .isInstanceOf(LogSource.Failure.class)
                .hasMessageContaining("s3://no-such-bucket: the server answers with status 404, NoSuchBucket");
    }
}
