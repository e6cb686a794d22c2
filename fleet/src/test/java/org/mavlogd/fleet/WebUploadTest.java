package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
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

/** Tests uploads with PUT, WebDAV and tus, and what these have in common with Flight Review. */
@Timeout(120)
class WebUploadTest {
    @TempDir
    private static Path certificates = Path.of(".");

    @SuppressWarnings("NullAway.Init")
    private static TestCertificate right;

    @SuppressWarnings("NullAway.Init")
    private static TestCertificate elsewhere;

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
    void start(@TempDir Path directory) throws IOException {
        servers = new WebServers();
        fixture = new UploadFixture(directory);
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "tus", "flight_review"})
    void sendsEachLogOnce(String type) throws IOException, InterruptedException {
        fixture.web(type, servers);
        fixture.log(1);
        fixture.log(2);

        assertThat(fixture.once()).isTrue();
        assertThat(fixture.once()).isTrue();

        fixture.assertArrived(servers, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "tus", "flight_review"})
    void sendsOverTlsOnlyToTheServerThatTheAuthorityKnows(String type) throws IOException, InterruptedException {
        try (WebServers good = new WebServers(Optional.of(right.context()));
                WebServers bad = new WebServers(Optional.of(elsewhere.context()))) {
            fixture.web("good", type, good, "ca_file = \"" + right.pem() + '"');
            fixture.web("java", type, good);
            fixture.web("other", type, good, "ca_file = \"" + elsewhere.pem() + '"');
            fixture.web("name", type, bad, "ca_file = \"" + elsewhere.pem() + '"');
            fixture.log(1);

            assertThat(fixture.once()).isFalse();

            assertThat(good.logs()).containsOnlyKeys(UploadFixture.name(1));
            assertThat(bad.files).isEmpty();
            assertThat(fixture.status())
                    .containsPattern("\"good\",\"state\":\"sent\"")
                    .containsPattern("\"java\",[^}]*\"state\":\"failing\",\"problem\":\"[^\"]*PKIX")
                    .containsPattern("\"other\",[^}]*\"state\":\"failing\",\"problem\":\"[^\"]*PKIX")
                    .containsPattern("\"name\",[^}]*\"state\":\"failing\",\"problem\":\"[^\"]*127.0.0.1");
        }
    }

    @Test
    void sendsTheSecretAndNothingWithoutIt() throws IOException, InterruptedException {
        servers.authorization = "Bearer 4711";
        Path secret = fixture.secret("secret", servers.authorization + '\n');
        fixture.web("good", "put", servers, "secret_file = \"" + secret + '"');
        fixture.web("bad", "tus", servers);
        fixture.log(1);

        assertThat(fixture.once()).isFalse();

        assertThat(servers.logs()).containsOnlyKeys(UploadFixture.name(1));
        assertThat(fixture.status()).contains("the server answers with status 401");
        assertThat(fixture.uploaded()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"put, 1", "put, 2", "tus, 1", "tus, 2", "tus, 3", "flight_review, 1"})
    void survivesACutConnection(String type, int body) throws IOException, InterruptedException {
        fixture.web(type, servers);
        fixture.log(1);
        servers.cutInside = number -> number == body;

        assertThat(fixture.untilSent()).isLessThanOrEqualTo(2);

        fixture.assertArrived(servers, 1);
    }

    @ParameterizedTest
    @CsvSource({"put, 1", "put, 2", "tus, 1", "tus, 2"})
    void aLogArrivesOnceAfterALostAnswer(String type, int body) throws IOException, InterruptedException {
        fixture.web(type, servers);
        fixture.log(1);
        servers.cutBeforeAnswer = number -> number == body;

        fixture.untilSent();

        fixture.assertArrived(servers, 1);
    }

    @Test
    void refusesAnUploadThatTusPutsOnAnotherServer() throws IOException, InterruptedException {
        try (WebServers others = new WebServers()) {
            servers.location = others.url("/tus/elsewhere");
            fixture.web("tus", servers);
            fixture.log(1);

            assertThat(fixture.once()).isFalse();

            assertThat(fixture.status()).contains("names an upload that is not on it");
        }
    }

    @Test
    void anInterruptedUploadBeginsAnewIfTheServerIsChanged(@TempDir Path directory)
            throws IOException, InterruptedException {
        try (WebServers before = new WebServers()) {
            fixture = new UploadFixture(directory).web("tus", before, "manifest = false");
            fixture.log(1);
            fixture.onceInterrupted(before);
            fixture = new UploadFixture(directory).web("tus", servers, "manifest = false");

            assertThat(fixture.once()).isTrue();

            fixture.assertArrived(servers, 1);
            assertThat(before.files).isEmpty();
        }
    }

    /** Such as after an update of the compressor: its copies of the same log may have other bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"of the same length", "of another length than before"})
    void anInterruptedUploadBeginsAnewIfTheCompressedCopyIsAnother(String mark)
            throws IOException, InterruptedException {
        fixture.web("tus", servers, "compress = true", "manifest = false");
        fixture.log(1);
        Path copy =
                Files.createDirectories(fixture.state().resolve("spool/web")).resolve(UploadFixture.name(1) + ".zst");
        replace(copy, "of an equal length");
        fixture.onceInterrupted(servers);
        replace(copy, mark);
        byte[] content = Files.readAllBytes(copy);

        assertThat(fixture.once()).isTrue();

        assertThat(servers.logs()).containsOnlyKeys(UploadFixture.name(1) + ".zst");
        assertThat(servers.logs().get(UploadFixture.name(1) + ".zst")).isEqualTo(content);
    }

    /** Replaces the compressed copy of log 1. */
    private void replace(Path copy, String mark) throws IOException {
        Files.write(copy, (mark + "x".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));
        Files.setLastModifiedTime(copy, Files.getLastModifiedTime(fixture.logs().resolve(UploadFixture.name(1))));
    }

    @Test
    void anInterruptedUploadBeginsAnewIfTheServerExpectsAnotherLength() throws IOException, InterruptedException {
        fixture.web("tus", servers, "manifest = false");
        fixture.log(1);
        servers.moreLength = 1;
        fixture.onceInterrupted(servers);
        servers.moreLength = 0;

        assertThat(fixture.once()).isTrue();

        fixture.assertArrived(servers, 1);
    }

    /** These servers would keep both versions of the log. */
    @ParameterizedTest
    @ValueSource(strings = {"tus", "flight_review"})
    void aLogIsNotSentAgainForALaterRemark(String type) throws IOException, InterruptedException {
        fixture.web(type, servers);
        Path log = fixture.log(2);
        fixture.once();
        new ULogAppender().loggedString(LogLevel.NOTICE, 1, "lost a propeller").appendTo(log);
        fixture.log(1);

        assertThat(fixture.once()).isTrue();
        new ULogAppender().loggedString(LogLevel.NOTICE, 1, "found it").appendTo(log);
        assertThat(fixture.once()).isTrue();

        assertThat(servers.logs()).containsOnlyKeys(UploadFixture.name(1), UploadFixture.name(2));
        assertThat(fixture.uploaded()).contains(UploadFixture.name(2) + ' ' + Files.size(log));
    }

    /** Numbers start again in an empty directory, and names contain no time while the clock is not set. */
    @ParameterizedTest
    @ValueSource(strings = {"tus", "flight_review"})
    void anotherLogOfTheSameNameIsSent(String type) throws IOException, InterruptedException {
        fixture.web(type, servers);
        String name = UploadFixture.name(1);
        Path first = fixture.log(1);
        fixture.once();
        Files.delete(first);
        fixture.log(name, 4711, UploadFixture.BYTES + 10_000);

        assertThat(fixture.once()).isTrue();

        assertThat(servers.logs()).containsOnlyKeys(name, name + WebServers.AGAIN);
        assertThat(servers.logs().get(name + WebServers.AGAIN)).isEqualTo(fixture.content(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tus", "flight_review"})
    void oldNotesOfALogThatIsStillThereAreKept(String type) throws IOException, InterruptedException {
        fixture.web(type, servers);
        fixture.log(1);
        fixture.once();
        try (Stream<Path> notes = Files.list(fixture.state().resolve("transfers/web"))) {
            notes.forEach(UploadFixture::makeOld);
        }

        assertThat(fixture.once()).isTrue();
        assertThat(fixture.once()).isTrue();

        assertThat(servers.logs()).containsOnlyKeys(UploadFixture.name(1));
    }

    /** WebDAV refuses files whose collection is missing (RFC 4918, 9.7.1). */
    @Test
    void collectionsOfWebDavAreMade() throws IOException, InterruptedException {
        String vehicle = UploadFixture.UUID + '/';
        servers.collections = new TreeSet<>(Set.of("", vehicle));
        fixture.web("put", servers);
        fixture.log(1);
        fixture.log(2);
        AtomicInteger delays = new AtomicInteger();

        try (Uploader uploader = fixture.uploader(new Backoff(1, 1, delays::incrementAndGet))) {
            assertThat(uploader.run(() -> false, true)).isTrue();
        }

        fixture.assertArrived(servers, 1, 2);
        assertThat(delays).as("failed attempts").hasValue(0);
        assertThat(servers.collections).containsExactly("", vehicle, vehicle + "2026-11-21/", vehicle + "2026-11-22/");
    }

    @Test
    void aCollectionThatCannotBeMadeIsReported() throws IOException, InterruptedException {
        servers.collections = new TreeSet<>(Set.of("elsewhere/"));
        fixture.web("put", servers);
        fixture.log(1);

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("does not have the collection \\\"" + UploadFixture.UUID + "/\\\"");
        assertThat(servers.files).isEmpty();
    }
}
