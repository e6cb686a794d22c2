package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogAppender;

/** Tests uploads with PUT, tus, Flight Review and commands. */
class WebUploadTest {
    private static final int BYTES = 300_000;

    @TempDir
    private static Path certificates = Path.of(".");

    @SuppressWarnings("NullAway.Init")
    private static TestCertificate right;

    @SuppressWarnings("NullAway.Init")
    private static TestCertificate elsewhere;

    @TempDir
    private Path directory = Path.of(".");

    private WebServers servers;
    private UploadFixture fixture;

    @SuppressWarnings("NullAway.Init")
    WebUploadTest() {}

    @BeforeAll
    static void makeCertificates() throws IOException, InterruptedException {
        right = new TestCertificate(certificates.resolve("right"), "ip:127.0.0.1");
        elsewhere = new TestCertificate(certificates.resolve("elsewhere"), "dns:logs.example.org");
    }

    @BeforeEach
    void start() throws IOException {
        servers = new WebServers();
        fixture = new UploadFixture(directory);
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    private byte[] log(int number) throws IOException {
        return Files.readAllBytes(fixture.logs().resolve(UploadFixture.name(number)));
    }

    private UploadFixture web(String type) throws IOException {
        String path = type.equals("flight_review") ? "" : '/' + type;
        return fixture.target("web", type, "url = \"" + servers.url(path) + '"');
    }

    private Map<String, byte[]> logs() {
        return servers.files.entrySet().stream()
                .filter(file -> !file.getKey().contains(".manifest"))
                .collect(Collectors.toMap(
                        file -> file.getKey().replaceAll(".*/", "").replaceAll(" .*-.*", ""), Map.Entry::getValue));
    }

    private void assertSentTwiceAndUnsure() throws IOException {
        assertThat(servers.files).hasSize(2);
        assertThat(fixture.status()).contains("\"state\":\"unsure\"");
        assertThat(fixture.uploaded()).isEmpty();
    }

    private void failsEachTime(int runs) throws IOException, InterruptedException {
        for (int run = 0; run < runs; run++) {
            assertThat(fixture.once()).isFalse();
        }
    }

    private void assertArrived(int... numbers) throws IOException {
        assertThat(logs()).hasSize(numbers.length);
        for (int number : numbers) {
            assertThat(logs().get(UploadFixture.name(number))).isEqualTo(log(number));
            assertThat(fixture.uploaded()).contains(UploadFixture.name(number));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "tus", "flight_review"})
    void sendsEachLogOnce(String type) throws IOException, InterruptedException {
        web(type);
        fixture.log(1, BYTES);
        fixture.log(2, BYTES);

        assertThat(fixture.once()).isTrue();
        assertThat(fixture.once()).isTrue();

        assertArrived(1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "tus", "flight_review"})
    void sendsOverTlsOnlyToTheServerThatTheAuthorityKnows(String type) throws IOException, InterruptedException {
        String path = type.equals("flight_review") ? "" : '/' + type;
        try (WebServers good = new WebServers(Optional.of(right.context()));
                WebServers bad = new WebServers(Optional.of(elsewhere.context()))) {
            fixture.target("good", type, "url = \"" + good.url(path) + "\"\nca_file = \"" + right.pem() + '"');
            fixture.target("java", type, "url = \"" + good.url(path) + '"');
            fixture.target("other", type, "url = \"" + good.url(path) + "\"\nca_file = \"" + elsewhere.pem() + '"');
            fixture.target("name", type, "url = \"" + bad.url(path) + "\"\nca_file = \"" + elsewhere.pem() + '"');
            fixture.log(1, BYTES);

            assertThat(fixture.once()).isFalse();

            assertThat(good.files.keySet().stream().filter(file -> file.contains(".ulg")))
                    .hasSize(1);
            assertThat(bad.files).isEmpty();
            assertThat(fixture.status())
                    .containsPattern("\"good\",\"state\":\"sent\"")
                    .containsPattern("\"java\",[^}]*\"state\":\"failing\",\"problem\":\"[^\"]*PKIX")
                    .containsPattern("\"other\",[^}]*\"state\":\"failing\",\"problem\":\"[^\"]*PKIX")
                    .containsPattern("\"name\",[^}]*\"state\":\"failing\",\"problem\":\"[^\"]*127.0.0.1");
        }
    }

    @ParameterizedTest
    @CsvSource({"put, 1", "put, 2", "tus, 1", "tus, 2", "tus, 3", "flight_review, 1"})
    void survivesACutConnection(String type, int body) throws IOException, InterruptedException {
        web(type);
        fixture.log(1, BYTES);
        servers.cutInside = number -> number == body;

        assertThat(fixture.untilSent()).isLessThanOrEqualTo(2);

        assertArrived(1);
    }

    @ParameterizedTest
    @CsvSource({"put, 1", "put, 2", "tus, 1", "tus, 2"})
    void aLostAnswerDoesNotDuplicate(String type, int body) throws IOException, InterruptedException {
        web(type);
        fixture.log(1, BYTES);
        servers.cutBeforeAnswer = number -> number == body;

        fixture.untilSent();

        assertArrived(1);
    }

    @Test
    void flightReviewGetsALogAtMostTwiceWhenItNeverAnswers() throws IOException, InterruptedException {
        web("flight_review");
        fixture.log(1, BYTES);
        servers.cutBeforeAnswer = number -> true;

        failsEachTime(5);

        assertSentTwiceAndUnsure();
    }

    /** The login page of a guest network answers like this. */
    @Test
    void flightReviewThatAnswersWithoutALinkIsNotBelieved() throws IOException, InterruptedException {
        web("flight_review");
        fixture.log(1, BYTES);
        servers.lateStatus = 200;

        failsEachTime(5);

        assertSentTwiceAndUnsure();
    }

    @Test
    void theFormOfFlightReviewIsFilledInAndItsLinkKept() throws IOException, InterruptedException {
        fixture.target(
                "review",
                "flight_review",
                "url = \"" + servers.url("")
                        + "\"\nemail = \"pilot@example.org\"\ndescription = \"Rover \\\"7\\\"\"\npublic = true");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isTrue();

        assertThat(servers.forms.get(UploadFixture.name(1)))
                .containsEntry("email", "pilot@example.org")
                .containsEntry("description", "Rover \"7\"")
                .containsEntry("type", "flightreport")
                .containsEntry("public", "true")
                .containsEntry("redirect", "false");
        String id = servers.files.keySet().iterator().next().replaceAll(".* ", "");
        assertThat(fixture.status()).contains("\"link\":\"" + servers.url("/plot_app?log=") + id);
    }

    @Test
    void flightReviewRefusesWhatIsNoLogAndOthersGoOn() throws IOException, InterruptedException {
        web("flight_review");
        Files.write(fixture.logs().resolve(UploadFixture.name(2)), new byte[BYTES]);
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertArrived(1);
        assertThat(fixture.status()).contains("the server answers with status 400");
    }

    @Test
    void sendsTheSecretAndNothingWithoutIt() throws IOException, InterruptedException {
        Path secret = directory.resolve("secret");
        Files.writeString(secret, "Bearer 4711\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        servers.authorization = "Bearer 4711";
        fixture.target("good", "put", "url = \"" + servers.url("/put") + "\"\nsecret_file = \"" + secret + '"');
        fixture.target("bad", "tus", "url = \"" + servers.url("/tus") + '"');
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(logs()).containsOnlyKeys(UploadFixture.name(1));
        assertThat(fixture.status()).contains("the server answers with status 401");
        assertThat(fixture.uploaded()).isEmpty();
    }

    @Test
    void neverFollowsAServerElsewhere() throws IOException, InterruptedException {
        try (WebServers others = new WebServers()) {
            servers.location = others.url("/tus/elsewhere");
            web("tus");
            fixture.log(1, BYTES);

            assertThat(fixture.once()).isFalse();

            assertThat(fixture.status()).contains("names an upload that is not on it");
        }
    }

    @Test
    void commandsGetFileAndKey() throws IOException, InterruptedException {
        Path target = Files.createDirectories(directory.resolve("copies"));
        fixture.target("copy", "command", "command = [\"/bin/cp\", \"{file}\", \"" + target + "/\"]\nmanifest = false");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isTrue();

        assertThat(target.resolve(UploadFixture.name(1))).hasBinaryContent(log(1));
    }

    @Test
    void aCommandThatFailsSaysWhy() throws IOException, InterruptedException {
        fixture.target("fail", "command", "command = [\"/bin/sh\", \"-c\", \"echo the disk is on fire; exit 3\"]");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("the command ends with 3: the disk is on fire");
    }

    @Test
    void aCommandThatHangsIsEnded() throws IOException, InterruptedException {
        fixture.target(
                "hang", "command", "command = [\"/bin/sh\", \"-c\", \"sleep 1000\"]\ntimeout_s = 1\nmanifest = false");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("did not end within 1 s");
    }

    private static String shell(String script) {
        return "command = [\"/bin/sh\", \"-c\", \"" + script + "\"]\nmanifest = false\n";
    }

    /** A zombie has no words. */
    private static boolean isRunning(String pid) throws IOException {
        try {
            return Files.size(Path.of("/proc", pid.strip())) >= 0
                    && Files.readAllBytes(Path.of("/proc", pid.strip(), "cmdline")).length > 0;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Test
    @Timeout(60)
    void aChildOfACommandThatIgnoresTheSignalIsEnded() throws IOException, InterruptedException {
        Path pid = directory.resolve("pid");
        fixture.target(
                "hang",
                "command",
                shell("(trap '' TERM; sh -c 'echo $PPID' >" + pid + "; while :; do sleep 1; done) & wait")
                        + "timeout_s = 2");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("did not end within 2 s");
        assertThat(isRunning(Files.readString(pid))).isFalse();
    }

    @Test
    @Timeout(60)
    void aCommandThatPrintsWithoutEndIsEnded() throws IOException, InterruptedException {
        fixture.target("write", "command", shell("exec yes") + "timeout_s = 1");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("did not end within 1 s");
    }

    @Test
    @Timeout(60)
    void childrenThatACommandLeavesAreEnded() throws IOException, InterruptedException {
        Path pid = directory.resolve("pid");
        fixture.target("write", "command", shell("yes & sleep 1000 & echo $! >" + pid + "; sleep 0.5; exit 0"));
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isTrue();

        assertThat(isRunning(Files.readString(pid))).isFalse();
    }

    @Test
    void oneTargetThatFailsDoesNotKeepTheOthers() throws IOException, InterruptedException {
        web("put");
        fixture.target("dead", "tus", "url = \"http://127.0.0.1:1/tus\"");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(logs()).containsOnlyKeys(UploadFixture.name(1));
        assertThat(fixture.uploaded()).isEmpty();
    }

    @Test
    void networksThatAreNotAllowedAreNotUsed() throws IOException, InterruptedException {
        web("put");
        fixture.upload("interfaces = [\"wlan*\"]\nnetworks = [\"10.0.0.0/8\"]");
        fixture.log(1, BYTES);

        assertThat(logs()).isEmpty();
        try (Uploader uploader = new Uploader(fixture.settings(), Backoff.DEFAULT, 100)) {
            long endNs = System.nanoTime() + 3_000_000_000L;
            uploader.run(() -> System.nanoTime() - endNs > 0, false);
        }

        assertThat(logs()).isEmpty();
        assertThat(fixture.status()).contains("127.0.0.1 is reached by lo, 127.0.0.1, which is not allowed");
    }

    @Test
    @Timeout(60)
    void onceEndsWhenNothingMayBeSent() throws IOException, InterruptedException {
        web("put");
        fixture.upload("interfaces = [\"wlan*\"]");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(logs()).isEmpty();
        assertThat(fixture.status()).contains("which is not allowed");
    }

    @Test
    void networksThatAreAllowedAreUsed() throws IOException, InterruptedException {
        web("put");
        fixture.upload("interfaces = [\"wlan*\", \"lo\"]\nnetworks = [\"10.0.0.0/8\", \"127.0.0.0/8\"]");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isTrue();

        assertArrived(1);
    }

    @Test
    @Timeout(60)
    void aLogThatCannotBeReadDoesNotKeepTheOthers() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        fixture.log(2, BYTES);
        // The directory in the place of the file leaves no room for the facts of the second log, which is read first.
        Files.createDirectories(fixture.state().resolve("facts/" + UploadFixture.name(2) + ".json.new"));

        assertThat(fixture.once()).isFalse();

        assertArrived(1);
        assertThat(fixture.status()).contains("\"backlog_files\":1,");
    }

    @Test
    @Timeout(60)
    void notesThatCannotBeReadDoNotKeepTheOthers() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        fixture.log(2, BYTES);
        Files.createDirectories(fixture.state().resolve("transfers/web/" + UploadFixture.name(2) + ".transfer/x"));

        try (Uploader uploader = new Uploader(fixture.settings(), UploadFixture.QUICK, 100)) {
            uploader.run(() -> fixture.isUploaded(1), false);
        }

        assertArrived(1);
    }

    @Test
    void flightReviewBehindAProxyThatWaitsInVainGetsALogAtMostTwice() throws IOException, InterruptedException {
        web("flight_review");
        fixture.log(1, BYTES);
        servers.lateStatus = 504;

        failsEachTime(4);

        assertSentTwiceAndUnsure();
    }

    @Test
    void flightReviewThatAnsweredWithAnErrorIsTriedAgain() throws IOException, InterruptedException {
        web("flight_review");
        fixture.log(1, BYTES);
        servers.status = 503;
        failsEachTime(4);
        servers.status = 0;

        assertThat(fixture.once()).isTrue();

        assertArrived(1);
    }

    @Test
    void twoUploadersDoNotShareTheirNotes() throws IOException, InterruptedException {
        web("put");
        try (Uploader first = new Uploader(fixture.settings(), Backoff.DEFAULT, 100)) {
            assertThat(first).isNotNull();
            assertThat(org.assertj.core.api.Assertions.catchThrowable(fixture::once))
                    .hasMessageContaining("another mavlogd upload is running");
        }
        assertThat(Set.of(fixture.once())).containsExactly(true);
    }

    /** Runs until a condition holds, at most for 20 seconds. */
    private void runUntil(BooleanSupplier isDone) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try (Uploader uploader = new Uploader(fixture.settings(), UploadFixture.QUICK, 100)) {
            uploader.run(() -> isDone.getAsBoolean() || System.nanoTime() - endNs > 0, false);
        }
    }

    private boolean isReported(String text) {
        try {
            return Files.exists(fixture.state().resolve(Report.STATUS))
                    && fixture.status().contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void touch(Path log) {
        try {
            Files.setLastModifiedTime(log, FileTime.fromMillis(4_711_000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Timeout(120)
    void aLogThatSomebodyTouchesWhileItWaitsIsUploadedAllTheSame() throws IOException, InterruptedException {
        web("put");
        Path log = fixture.log(1, BYTES);
        servers.status = 503;
        AtomicBoolean isTouched = new AtomicBoolean();

        runUntil(() -> {
            if (!isTouched.get() && isReported("status 503")) {
                touch(log);
                isTouched.set(true);
                servers.status = 0;
            }
            return fixture.isUploaded(1);
        });

        assertArrived(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tus", "flight_review"})
    @Timeout(60)
    void aRemarkIsNotSentWhereTheLogWouldBeThereTwice(String type) throws IOException, InterruptedException {
        web(type);
        Path log = fixture.log(2, BYTES);
        fixture.once();
        new ULogAppender().loggedString(LogLevel.NOTICE, 1, "lost a propeller").appendTo(log);
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isTrue();
        new ULogAppender().loggedString(LogLevel.NOTICE, 1, "found it").appendTo(log);
        assertThat(fixture.once()).isTrue();

        assertThat(servers.files.keySet().stream().filter(file -> file.contains(".ulg")))
                .hasSize(2);
        assertThat(fixture.uploaded()).contains(UploadFixture.name(2) + ' ' + Files.size(log));
    }

    /** Numbers start again in an empty directory, and names contain no time while the clock is not set. */
    @ParameterizedTest
    @ValueSource(strings = {"tus", "flight_review"})
    @Timeout(60)
    void anotherLogOfTheSameNameIsSent(String type) throws IOException, InterruptedException {
        web(type);
        fixture.log(1, BYTES);
        fixture.once();
        Files.delete(fixture.logs().resolve(UploadFixture.name(1)));
        fixture.log(UploadFixture.name(1), 4711, BYTES + 10_000);

        assertThat(fixture.once()).isTrue();

        assertThat(servers.files.values().stream().filter(file -> Arrays.equals(file, logOrFail(1))))
                .hasSize(1);
    }

    private byte[] logOrFail(int number) {
        try {
            return log(number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tus", "flight_review"})
    void notesOfALogThatIsThereAreKeptForEver(String type) throws IOException, InterruptedException {
        web(type);
        fixture.log(1, BYTES);
        fixture.once();
        try (Stream<Path> notes = Files.list(fixture.state().resolve("transfers/web"))) {
            notes.forEach(WebUploadTest::touch);
        }

        assertThat(fixture.once()).isTrue();

        assertThat(servers.files.keySet().stream().filter(file -> file.contains(".ulg")))
                .hasSize(1);
    }

    @Test
    void aCompressedCopyThatAPowerCutLeftIsNotSent() throws IOException, InterruptedException {
        fixture.target("web", "put", "url = \"" + servers.url("/put") + "\"\ncompress = true\nmanifest = false");
        fixture.log(1, BYTES);
        Path spool = Files.createDirectories(fixture.state().resolve("spool/web"));
        Path copy = Files.createFile(spool.resolve(UploadFixture.name(1) + ".zst"));
        Files.setLastModifiedTime(copy, FileTime.fromMillis(System.currentTimeMillis() + 10_000));

        assertThat(fixture.once()).isTrue();

        assertThat(unpacked(1)).isEqualTo(log(1));
    }

    /** WebDAV refuses files whose collection is missing (RFC 4918, 9.7.1). */
    @Test
    @Timeout(60)
    void collectionsOfWebDavAreMade() throws IOException, InterruptedException {
        servers.collections = new TreeSet<>(Set.of("", UploadFixture.UUID + '/'));
        web("put");
        fixture.log(1, BYTES);
        fixture.log(2, BYTES);

        assertThat(fixture.once()).isTrue();

        assertArrived(1, 2);
        assertThat(servers.collections)
                .containsExactly(
                        "",
                        UploadFixture.UUID + '/',
                        UploadFixture.UUID + "/2026-11-21/",
                        UploadFixture.UUID + "/2026-11-22/");
    }

    @Test
    @Timeout(60)
    void aCollectionThatCannotBeMadeIsNamed() throws IOException, InterruptedException {
        servers.collections = new TreeSet<>(Set.of("elsewhere/"));
        web("put");
        fixture.log(1, BYTES);

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("does not have the collection \\\"" + UploadFixture.UUID + "/\\\"");
        assertThat(servers.files).isEmpty();
    }

    private byte[] unpacked(int number) throws IOException {
        byte[] packed = logs().get(UploadFixture.name(number) + ".zst");
        return new ZstdInputStream(new ByteArrayInputStream(packed)).readAllBytes();
    }

    @Test
    void aCompressedCopyOfAnEarlierVersionIsNotSent() throws IOException, InterruptedException {
        fixture.target("web", "put", "url = \"" + servers.url("/put") + "\"\ncompress = true\nmanifest = false");
        Path log = fixture.log(1, BYTES);
        servers.status = 503;
        fixture.once();
        // The clock has been set back when a remark is added.
        Files.write(log, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        touch(log);
        servers.status = 0;

        assertThat(fixture.once()).isTrue();

        assertThat(unpacked(1)).isEqualTo(log(1));
    }

    /** Answers of a proxy that redirects to https, or of the login page of a guest network. */
    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307})
    void flightReviewThatLeadsElsewhereHasNoLog(int status) throws IOException, InterruptedException {
        web("flight_review");
        fixture.log(1, BYTES);
        servers.status = status;
        servers.location = "https://127.0.0.1/login";

        failsEachTime(4);

        assertThat(fixture.uploaded()).isEmpty();
        assertThat(fixture.status()).contains("https://127.0.0.1/login").doesNotContain("\"sent\"", "\"unsure\"");
    }

    /** To look takes long where there are very many. */
    @Test
    @Timeout(60)
    void nothingIsReportedToBeDoneBeforeTheLogsAreKnown() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        servers.status = 503;
        fixture.once();
        assertThat(fixture.status()).contains("\"backlog_files\":1,");

        try (Uploader uploader = new Uploader(fixture.settings(), UploadFixture.QUICK, 100)) {
            assertThat(uploader).isNotNull(); // it ends before it looked
        }

        assertThat(fixture.status()).contains("\"backlog_files\":1,");
    }

    /** Its disk may not be mounted: what was known of its logs stays known. */
    @Test
    @Timeout(60)
    void aMissingDirectoryIsNotOneWithoutLogs() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        servers.status = 503;
        fixture.once();
        Path elsewhere = fixture.logs().resolveSibling("elsewhere");
        Files.move(fixture.logs(), elsewhere);
        servers.status = 0;

        assertThat(fixture.once()).isFalse();

        Files.writeString(fixture.logs(), "a file in its place");
        assertThat(fixture.once()).isFalse();
        Files.delete(fixture.logs());
        Files.move(elsewhere, fixture.logs());
        assertThat(fixture.once()).isTrue();
    }

    /** Such as one of a library, or no memory; where the worker decides what is next, and not while it sends. */
    @Test
    @Timeout(60)
    void anInternalErrorDoesNotEndATarget() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        servers.status = 503;
        AtomicBoolean isThrown = new AtomicBoolean();
        Backoff backoff = new Backoff(1, 1, () -> {
            if (!isThrown.getAndSet(true)) {
                throw new NoClassDefFoundError("random");
            }
            servers.status = 0;
            return 1;
        });

        try (Uploader uploader = new Uploader(fixture.settings(), backoff, 100)) {
            uploader.run(() -> fixture.isUploaded(1), false);
        }

        assertArrived(1);
    }

    @Test
    @Timeout(60)
    void aTargetThatEndsByAnInternalErrorEndsTheUploader() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        servers.status = 503;
        Backoff backoff = new Backoff(1, 1, () -> {
            throw new NoClassDefFoundError("random");
        });

        try (Uploader uploader = new Uploader(fixture.settings(), backoff, 100)) {
            assertThatThrownBy(() -> uploader.run(() -> false, false)).hasRootCauseMessage("random");
        }

        assertThat(fixture.status()).contains("\"state\":\"failing\",\"problem\":\"internal error\"");
    }

    @Test
    @Timeout(60)
    void factsThatCannotBeReadDoNotKeepAnyLog() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        fixture.log(2, BYTES);
        Files.createDirectories(fixture.state().resolve("facts/" + UploadFixture.name(2) + ".json/x"));

        assertThat(fixture.once()).isFalse();

        assertArrived(1);
    }

    @Test
    @Timeout(60)
    void whatIsUploadedStaysListedWhileTheRestOfTheLogIsNotRead() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        fixture.once();
        String next = UploadFixture.name(1).replace("_000001.ulg", "_000001_000002.ulg");
        fixture.log(next, 2, BYTES);
        Files.createDirectories(fixture.state().resolve("facts/" + next + ".json.new"));

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.uploaded()).contains(UploadFixture.name(1));
        assertThat(fixture.status())
                .containsPattern(UploadFixture.name(1) + "\"[^{]*\"uploaded\":true")
                .contains("\"backlog_files\":1,");
    }

    @Test
    @Timeout(60)
    void theListOfWhatIsUploadedIsNotEmptyWhileTheUploaderStarts() throws IOException, InterruptedException {
        web("put");
        fixture.log(1, BYTES);
        fixture.once();
        String before = fixture.uploaded();

        try (Uploader uploader = new Uploader(fixture.settings(), UploadFixture.QUICK, 100)) {
            uploader.run(() -> true, false); // stopped before it looks for logs
        }

        assertThat(fixture.uploaded()).isEqualTo(before);
    }
}
