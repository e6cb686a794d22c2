package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Uploads to Adobe's S3Mock through a proxy that makes faults; the server is started once for each class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class S3Uploads {
    static final int PARTS = 3;
    static final int LARGE = 11 << 20;
    static final int SMALL = 100_000;

    @TempDir
    private static Path server = Path.of(".");

    S3MockServer s3;
    FaultyProxy proxy;
    UploadFixture fixture;
    int number;

    @SuppressWarnings("NullAway.Init")
    S3Uploads() {}

    @BeforeAll
    void start() throws IOException, InterruptedException {
        s3 = new S3MockServer(server.resolve("objects"));
    }

    @AfterAll
    void stop() {
        s3.close();
    }

    @BeforeEach
    void fixture(@TempDir Path directory) throws IOException {
        proxy = new FaultyProxy(s3.port());
        fixture = new UploadFixture(directory).s3("store", proxy.url());
        number++;
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    final void assertArrived(int log) throws IOException, InterruptedException {
        assertThat(s3.logs()).contains(UploadFixture.key(log));
        assertThat(s3.object(UploadFixture.key(log))).isEqualTo(fixture.content(log));
        assertThat(s3.openUploads()).isZero();
        assertThat(fixture.uploaded()).contains(UploadFixture.name(log));
    }
}
