package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the uploader does for any target: which logs it finds, what it keeps and reports, when it may send. */
@Timeout(120)
class UploaderTest {
    private WebServers servers;
    private UploadFixture fixture;

    @SuppressWarnings("NullAway.Init")
    UploaderTest() {}

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        servers = new WebServers();
        fixture = new UploadFixture(directory).web("put", servers);
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    // ---- Targets and networks

    @Test
    void aTargetThatFailsDoesNotStopTheOthers() throws IOException, InterruptedException {
        fixture.target("dead", "tus", "url = \"http://127.0.0.1:1/tus\"");
        fixture.log(1);

        assertThat(fixture.once()).isFalse();

        assertThat(servers.logs()).containsOnlyKeys(UploadFixture.name(1));
        assertThat(fixture.uploaded()).isEmpty();
    }

    @Test
    void networksThatAreAllowedAreUsed() throws IOException, InterruptedException {
        fixture.upload("interfaces = [\"wlan*\", \"lo\"]\nnetworks = [\"10.0.0.0/8\", \"127.0.0.0/8\"]");
        fixture.log(1);

        assertThat(fixture.once()).isTrue();

        fixture.assertArrived(servers, 1);
    }

    /** The uploader checks the networks each second. */
    @Test
    void networksThatAreNotAllowedAreNotUsed() throws IOException, InterruptedException {
        fixture.upload("interfaces = [\"wlan*\"]\nnetworks = [\"10.0.0.0/8\"]");
        fixture.log(1);

        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        fixture.runUntil(() -> System.nanoTime() - endNs > 0);

        assertThat(servers.logs()).isEmpty();
        assertThat(fixture.status()).contains("127.0.0.1 is reached by lo, 127.0.0.1, which is not allowed");
    }

    @Test
    void onceEndsWhenNothingMayBeSent() throws IOException, InterruptedException {
        fixture.upload("interfaces = [\"wlan*\"]");
        fixture.log(1);

        assertThat(fixture.once()).isFalse();

        assertThat(servers.logs()).isEmpty();
        assertThat(fixture.status()).contains("which is not allowed");
    }

    // ---- Logs, facts and notes

    @Test
    void aLogWhoseTimeChangesWhileItWaitsIsSent(@TempDir Path other) throws IOException, InterruptedException {
        // Without a manifest, the first refused file is the log.
        fixture = new UploadFixture(other).web("put", servers, "manifest = false");
        Path log = fixture.log(1);
        servers.status = 503;

        fixture.runUntil(() -> {
            if (servers.status != 0 && fixture.isReported("status 503")) {
                UploadFixture.makeOld(log);
                servers.status = 0;
            }
            return fixture.isUploaded(1);
        });

        fixture.assertArrived(servers, 1);
    }

    /** Its disk may not be mounted: what was known of its logs stays known. */
    @Test
    void aMissingLogDirectoryDoesNotCountAsEmpty() throws IOException, InterruptedException {
        fixture.log(1);
        fixture.onceRefused(servers);
        Path elsewhere = Files.move(fixture.logs(), fixture.logs().resolveSibling("elsewhere"));

        assertThat(fixture.once()).isFalse();

        Files.writeString(fixture.logs(), "a file in its place");
        assertThat(fixture.once()).isFalse();
        Files.delete(fixture.logs());
        Files.move(elsewhere, fixture.logs());
        assertThat(fixture.once()).isTrue();
    }

    @Test
    void aLogWhoseFactsCannotBeStoredDoesNotStopTheOthers() throws IOException, InterruptedException {
        fixture.log(1);
        fixture.log(2);
        // The directory in the place of the file leaves no room for the facts of the second log, which is read first.
        Files.createDirectories(facts(UploadFixture.name(2) + ".json.new"));

        assertThat(fixture.once()).isFalse();

        fixture.assertArrived(servers, 1);
        assertThat(fixture.status()).contains("\"backlog_files\":1,");
    }

    @Test
    void ofALogOnlyTheFileThatFailsWaits() throws IOException, InterruptedException {
        fixture.log(1);
        String next = UploadFixture.name(1).replace(".ulg", "_000002.ulg");
        fixture.log(next, 2, UploadFixture.BYTES);
        Path inTheWay = Files.createDirectories(facts(next + ".json.new"));

        assertThat(fixture.once()).isFalse();

        fixture.assertArrived(servers, 1);
        assertThat(manifest()).contains("\"complete\":false");
        assertThat(fixture.status()).containsPattern(next + "\"[^}]*\"problem\":\"its facts cannot be stored: ");
        Files.delete(inTheWay);
        assertThat(fixture.once()).isTrue();
        assertThat(servers.logs()).containsOnlyKeys(UploadFixture.name(1), next);
        assertThat(manifest()).contains("\"complete\":true");
        assertThat(fixture.status()).doesNotContain("cannot be stored");
    }

    private String manifest() {
        return servers.files.entrySet().stream()
                .filter(file -> file.getKey().contains(".manifest"))
                .map(file -> new String(file.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }

    @Test
    void aLogWhoseFactsCannotBeReadDoesNotStopTheOthers() throws IOException, InterruptedException {
        fixture.log(1);
        fixture.log(2);
        Files.createDirectories(facts(UploadFixture.name(2) + ".json/x"));

        assertThat(fixture.once()).isFalse();

        fixture.assertArrived(servers, 1);
    }

    private Path facts(String file) {
        return fixture.state().resolve("facts").resolve(file);
    }

    @Test
    void aLogWhoseNotesCannotBeReadDoesNotStopTheOthers() throws IOException, InterruptedException {
        fixture.log(1);
        fixture.log(2);
        Files.createDirectories(fixture.state().resolve("transfers/web/" + UploadFixture.name(2) + ".transfer/x"));

        fixture.runUntil(() -> fixture.isUploaded(1));

        fixture.assertArrived(servers, 1);
    }

    @Test
    void aSecondUploaderWithTheSameStateIsRefused() throws IOException, InterruptedException {
        Uploader first = fixture.uploader(Backoff.DEFAULT);
        try (first) {
            assertThatThrownBy(fixture::once).hasMessageContaining("another mavlogd upload is running");
        }

        assertThat(fixture.once()).isTrue();
    }

    // ---- Status and list of uploaded logs

    /** With very many logs, it takes long to find them. */
    @Test
    void theStatusOfTheLastRunIsKeptUntilTheLogsAreKnown() throws IOException, InterruptedException {
        fixture.log(1);
        fixture.onceRefused(servers);
        assertThat(fixture.status()).contains("\"backlog_files\":1,");

        fixture.uploader(UploadFixture.QUICK).close(); // before it looks for logs

        assertThat(fixture.status()).contains("\"backlog_files\":1,");
    }

    @Test
    void theListOfTheLastRunIsKeptUntilTheLogsAreKnown() throws IOException, InterruptedException {
        fixture.log(1);
        fixture.once();
        String before = fixture.uploaded();

        fixture.runUntil(() -> true); // it ends as soon as it has started

        assertThat(fixture.uploaded()).isEqualTo(before);
    }

    @Test
    void aSentFileStaysListedWhileTheNextFileOfItsLogIsNotRead() throws IOException, InterruptedException {
        fixture.log(1);
        fixture.once();
        String next = UploadFixture.name(1).replace("_000001.ulg", "_000001_000002.ulg");
        fixture.log(next, 2, UploadFixture.BYTES);
        Files.createDirectories(facts(next + ".json.new"));

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.uploaded()).contains(UploadFixture.name(1));
        assertThat(fixture.status())
                .containsPattern(UploadFixture.name(1) + "\"[^{]*\"uploaded\":true")
                .contains("\"backlog_files\":1,");
    }

    /** Otherwise it would never be deleted with {@code retention = "only_uploaded"}, and recording would pause. */
    @Test
    void telemetryThatNoTargetTakesIsUploadedWithItsLog() throws IOException, InterruptedException {
        fixture = new UploadFixture(fixture.directory).web("put", servers, "files = [\"ulg\"]");
        fixture.log(1);
        String telemetry = UploadFixture.name(1).replace("_000001.ulg", "_000001_000002.tlog");
        Files.write(
                fixture.logs().resolve(telemetry), new byte[] {0, 6, 91, -2, -38, 37, -32, 0, -2, 0, 0, 1, 1, 0, 0, 0});
        fixture.onceRefused(servers);
        assertThat(fixture.uploaded()).isEmpty();

        assertThat(fixture.once()).isTrue();

        assertThat(servers.logs()).containsOnlyKeys(UploadFixture.name(1));
        assertThat(fixture.uploaded()).contains(UploadFixture.name(1)).contains(telemetry + " 16\n");
        assertThat(fixture.status()).containsPattern(telemetry + "\"[^{]*\"uploaded\":true");
        Files.delete(fixture.logs().resolve(UploadFixture.name(1)));

        assertThat(fixture.once()).isTrue();

        assertThat(fixture.uploaded()).isEqualTo(telemetry + " 16\n");
    }

    @Test
    void telemetryBesideALogThatNoTargetTakesIsNotUploaded() throws IOException, InterruptedException {
        fixture = new UploadFixture(fixture.directory).web("put", servers, "files = [\"ulg\"]");
        Files.move(fixture.log(1), fixture.logs().resolve(UploadFixture.name(1).replace(".ulg", ".bin")));
        String telemetry = UploadFixture.name(1).replace("_000001.ulg", "_000001_000002.tlog");
        Files.write(
                fixture.logs().resolve(telemetry), new byte[] {0, 6, 91, -2, -38, 37, -32, 0, -2, 0, 0, 1, 1, 0, 0, 0});

        assertThat(fixture.once()).isTrue();

        assertThat(servers.logs()).isEmpty();
        assertThat(fixture.uploaded()).isEmpty();
    }

    // ---- Internal errors

    /** Such as one of a library, or no memory; where the worker decides what is next, and not while it sends. */
    @Test
    void anInternalErrorDoesNotEndATarget() throws IOException, InterruptedException {
        fixture.log(1);
        servers.status = 503;
        AtomicBoolean isThrown = new AtomicBoolean();
        Backoff backoff = new Backoff(1, 1, () -> {
            if (!isThrown.getAndSet(true)) {
                throw new NoClassDefFoundError("random");
            }
            servers.status = 0;
            return 1;
        });

        fixture.runUntil(() -> fixture.isUploaded(1), backoff);

        fixture.assertArrived(servers, 1);
    }

    @Test
    void aTargetThatEndsByAnInternalErrorEndsTheUploader() throws IOException {
        fixture.log(1);
        servers.status = 503;
        Backoff backoff = new Backoff(1, 1, () -> {
            throw new NoClassDefFoundError("random");
        });

        assertThatThrownBy(() -> fixture.runUntil(() -> false, backoff)).hasRootCauseMessage("random");

        assertThat(fixture.status()).contains("\"state\":\"failing\",\"problem\":\"internal error\"");
    }
}
