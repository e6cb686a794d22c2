package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.fleet.FaultyProxy.Fault;
import org.mavlogd.fleet.FaultyProxy.Request;

/** Every log arrives once and unchanged, whatever the bucket, the vehicle or the clock already has. */
class S3UploadSystemTest extends S3Uploads {
    @Test
    void sendsSmallAndLargeLogsOnceEach() throws IOException, InterruptedException {
        int large = 100 + number;
        fixture.log(number, SMALL);
        fixture.log(large, LARGE);

        assertThat(fixture.once()).isTrue();
        assertThat(fixture.once()).isTrue();

        assertArrived(number);
        assertArrived(large);
        assertThat(proxy.requests.stream().filter(Request::isPart)).hasSize(PARTS);
    }

    @Test
    void sendsTheManifestFirst() throws IOException, InterruptedException {
        fixture.log(number, SMALL);

        fixture.once();

        assertThat(proxy.requests.stream()
                        .filter(request -> request.method().equals("PUT"))
                        .map(Request::path))
                .satisfiesExactly(
                        path -> assertThat(path).endsWith(".manifest.json"),
                        path -> assertThat(path).endsWith(".ulg"));
        String key = UploadFixture.key(number).replace(".ulg", ".manifest.json");
        assertThat(new String(s3.object(key), java.nio.charset.StandardCharsets.UTF_8))
                .contains(
                        "\"vehicle_id\":\"" + UploadFixture.UUID,
                        "\"complete\":true",
                        "\"sha256\":",
                        "\"damage\":null");
    }

    /** For encrypted content AWS gives an ETag that looks like an MD5 but is none. */
    @Test
    void namesOfEncryptedContentAreNoChecksums() throws IOException, InterruptedException {
        fixture.log(number, SMALL);
        proxy.faults(request -> request.method().equals("PUT")
                        || request.method().equals("HEAD")
                ? new Fault.Header(Map.of(
                        "ETag", "\"0123456789abcdef0123456789abcdef\"", "x-amz-server-side-encryption", "aws:kms"))
                : FaultyProxy.NONE);

        // After a failure the uploader must wait, so it ends.
        try (Uploader uploader = new Uploader(fixture.settings(), Backoff.DEFAULT, 100)) {
            assertThat(uploader.run(() -> false, true)).isTrue();
        }
    }

    /**
     * A fault of the server's disk, or of the sending computer, can damage the object: the right name proves nothing.
     */
    @ParameterizedTest
    @ValueSource(ints = {SMALL, LARGE})
    void anObjectWithOtherBytesIsNotTheLog(int bytes) throws IOException, InterruptedException {
        Path log = fixture.log(number, bytes);
        String sha256 = org.mavlogd.fleet.targets.Digests.sha256(Files.readAllBytes(log));
        byte[] other = Files.readAllBytes(log);
        other[other.length / 2] ^= 1;
        s3.put(UploadFixture.key(number), other, Map.of("sha256", sha256));

        assertThat(fixture.untilSent()).isEqualTo(1);

        assertArrived(number);
    }

    @Test
    void correctsAClockThatIsAnHourWrong(@TempDir Path other) throws IOException, InterruptedException {
        assumeFalse(S3MockServer.IS_OTHER, "that server has a clock of its own");
        try (SkewedServer skewed = new SkewedServer(s3.port())) {
            fixture = new UploadFixture(other).s3("store", skewed.url());
            fixture.log(number, SMALL);

            fixture.untilSent();

            assertThat(skewed.refused).hasPositiveValue();
        }
        assertArrived(number);
    }

    @Test
    void aLostStateSendsNothingTwice() throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        fixture.once();
        long parts = proxy.requests.stream().filter(Request::isPart).count();
        deleteState();

        assertThat(fixture.once()).isTrue();

        assertThat(proxy.requests.stream().filter(Request::isPart)).hasSize((int) parts);
        assertArrived(number);
    }

    private void deleteState() throws IOException {
        try (var files = Files.walk(fixture.state())) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void neverReplacesTheLogOfAnother(@TempDir Path other) throws IOException, InterruptedException {
        fixture.log(number, SMALL);
        fixture.once();
        byte[] first = fixture.content(number);
        UploadFixture second = new UploadFixture(other).s3("store", proxy.url());
        Path log = second.log(UploadFixture.name(number), 4711, SMALL);

        assertThat(second.once()).isTrue();

        assertThat(s3.object(UploadFixture.key(number))).isEqualTo(first);
        String sha256 = org.mavlogd.fleet.targets.Digests.sha256(Files.readAllBytes(log));
        assertThat(s3.object(UploadFixture.key(number).replace(".ulg", "-" + sha256.substring(0, 8) + ".ulg")))
                .isEqualTo(Files.readAllBytes(log));
    }

    @Test
    void twoVehiclesThatChoseTheSameNameKeepBothLogs(@TempDir Path other) throws IOException, InterruptedException {
        Path ours = fixture.log(number, LARGE);
        UploadFixture second = new UploadFixture(other).s3("store", proxy.url());
        Path theirs = second.log(UploadFixture.name(number), 4711, LARGE);
        // The first uploader has sent one part when its network fails.
        proxy.faults(request -> request.isPart() && !request.query().contains("partNumber=1&")
                ? new Fault.CutInside()
                : FaultyProxy.NONE);
        assertThat(fixture.once()).isFalse();
        proxy.faults(request -> FaultyProxy.NONE);

        assertThat(second.untilSent()).isEqualTo(1);
        assertThat(fixture.untilSent()).isEqualTo(1);

        assertThat(s3.object(UploadFixture.key(number))).isEqualTo(Files.readAllBytes(theirs));
        String sha256 = org.mavlogd.fleet.targets.Digests.sha256(Files.readAllBytes(ours));
        assertThat(s3.object(UploadFixture.key(number).replace(".ulg", "-" + sha256.substring(0, 8) + ".ulg")))
                .isEqualTo(Files.readAllBytes(ours));
        // The first uploader's unfinished upload remains, for the bucket's lifecycle rule.
        assertThat(s3.openUploads()).isEqualTo(1);
        s3.endUploads();
    }

    @Test
    void sendsOverTls(@TempDir Path other) throws IOException, InterruptedException {
        TestCertificate right = new TestCertificate(other.resolve("right"), "ip:127.0.0.1");
        TestCertificate elsewhere = new TestCertificate(other.resolve("elsewhere"), "dns:logs.example.org");
        try (FaultyProxy tls = new FaultyProxy(s3.port(), Optional.of(right.context()))) {
            UploadFixture wrong = new UploadFixture(other.resolve("wrong"))
                    .s3("store", tls.url() + "\"\nca_file = \"" + elsewhere.pem());
            wrong.log(number, LARGE);
            assertThat(wrong.once()).isFalse();
            assertThat(wrong.status()).contains("PKIX");
            assertThat(tls.requests).isEmpty();
            fixture =
                    new UploadFixture(other.resolve("good")).s3("store", tls.url() + "\"\nca_file = \"" + right.pem());
            fixture.log(number, LARGE);

            assertThat(fixture.once()).isTrue();

            assertThat(tls.requests.stream().filter(Request::isPart)).hasSize(PARTS);
        }
        assertArrived(number);
    }

    /** Numbers start again in an empty directory, and names contain no time while the clock is not set. */
    @Test
    void aLaterLogOfTheSameNameReplacesNothing() throws IOException, InterruptedException {
        Path log = fixture.log(number, SMALL);
        fixture.once();
        byte[] first = Files.readAllBytes(log);
        Files.delete(log);
        fixture.log(UploadFixture.name(number), 4711, SMALL + 10_000);

        assertThat(fixture.untilSent()).isEqualTo(1);

        assertThat(s3.object(UploadFixture.key(number))).isEqualTo(first);
        String sha256 = org.mavlogd.fleet.targets.Digests.sha256(Files.readAllBytes(log));
        assertThat(s3.object(UploadFixture.key(number).replace(".ulg", "-" + sha256.substring(0, 8) + ".ulg")))
                .isEqualTo(Files.readAllBytes(log));
    }

    @Test
    void aRemarkThatIsAddedLaterReplacesTheLog() throws IOException, InterruptedException {
        Path log = fixture.log(number, LARGE);
        fixture.once();
        for (String remark : new String[] {"lost a propeller", "found it"}) {
            new org.mavlogd.ulog.ULogAppender()
                    .loggedString(org.mavlogd.ulog.LogLevel.NOTICE, 1, remark)
                    .appendTo(log);

            assertThat(fixture.once()).isTrue();
        }

        assertArrived(number);
        assertThat(s3.logs().stream()
                        .filter(key -> key.contains(UploadFixture.name(number).replace(".ulg", ""))))
                .hasSize(1);
    }

    @Test
    void compressedLogsUnpackToTheSameBytes() throws IOException, InterruptedException {
        fixture = new UploadFixture(fixture.directory.resolve("zst")).s3("store", proxy.url());
        fixture.target(
                "other",
                "s3",
                "url = \"" + proxy.url()
                        + "\"\nbucket = \"" + S3MockServer.BUCKET
                        + "\"\nkey = \"zst/{name}\"\ncompress = true\nsecret_file = \""
                        + fixture.directory.resolve("credentials") + "\"");
        Path log = fixture.log(number, SMALL);

        assertThat(fixture.once()).isTrue();

        byte[] packed = s3.object("zst/" + UploadFixture.name(number) + ".zst");
        byte[] unpacked =
                new com.github.luben.zstd.ZstdInputStream(new java.io.ByteArrayInputStream(packed)).readAllBytes();
        assertThat(unpacked).isEqualTo(Files.readAllBytes(log));
        assertThat(fixture.uploaded()).contains(UploadFixture.name(number));
    }

    @Test
    void unfinishedAndForeignFilesStay() throws IOException, InterruptedException {
        Files.write(fixture.logs().resolve(UploadFixture.name(number) + ".part"), new byte[100]);
        Files.write(fixture.logs().resolve("mine.ulg"), new byte[100]);
        Set<String> before = s3.keys();

        assertThat(fixture.once()).isTrue();

        assertThat(s3.keys()).isEqualTo(before);
    }
}
