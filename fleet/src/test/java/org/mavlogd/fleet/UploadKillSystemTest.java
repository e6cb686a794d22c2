package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The uploader is killed at random moments. No log is forgotten, sent under two names, or reported as uploaded before
 * it is.
 *
 * <p>{@code -Dmavlogd.upload.kills=100} is the long form: {@code scripts/soak upload}.
 */
class UploadKillSystemTest {
    private static final int KILLS = Integer.getInteger("mavlogd.upload.kills", 6);
    private static final long SEED = Long.getLong("mavlogd.seed", System.nanoTime());
    private static final int MOST_MS = 5000;
    private static final int BYTES = 17 << 20;

    @TempDir
    private Path directory = Path.of(".");

    private final List<Integer> logs = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    UploadKillSystemTest() {}

    @Test
    void everyLogArrivesOnceHoweverOftenTheUploaderIsKilled() throws IOException, InterruptedException {
        System.out.println("seed " + SEED + ", " + KILLS + " kills");
        Random random = new Random(SEED);
        try (S3MockServer s3 = new S3MockServer(directory.resolve("objects"));
                FaultyProxy proxy = new FaultyProxy(s3.port())) {
            UploadFixture fixture =
                    new UploadFixture(directory).s3("store", proxy.url()).upload("max_kb_s = 8000");
            fixture.config();
            for (int kill = 0; kill < KILLS; kill++) {
                addLogIfAllAreThere(fixture, random);
                Process uploader = start(fixture);
                boolean hasEnded = uploader.waitFor(random.nextInt(MOST_MS), TimeUnit.MILLISECONDS);
                assertThat(hasEnded).isFalse();
                uploader.destroyForcibly().waitFor();
                assertListedLogsAreThere(fixture, s3);
            }

            fixture.untilSent();

            assertThat(s3.logs())
                    .containsExactlyInAnyOrderElementsOf(
                            logs.stream().map(UploadFixture::key).toList());
            for (int log : logs) {
                assertThat(s3.object(UploadFixture.key(log))).isEqualTo(fixture.content(log));
            }
            assertThat(s3.openUploads()).isZero();
        }
    }

    private void addLogIfAllAreThere(UploadFixture fixture, Random random) throws IOException {
        Path list = fixture.state().resolve(Report.UPLOADED);
        long done = Files.exists(list) ? Files.readAllLines(list).size() : 0;
        if (done == logs.size()) {
            int next = logs.size() + 1;
            fixture.log(next, random.nextBoolean() ? BYTES : BYTES / 100);
            logs.add(next);
        }
    }

    /** Checks that logs which the recorder may delete have arrived. */
    private void assertListedLogsAreThere(UploadFixture fixture, S3MockServer s3)
            throws IOException, InterruptedException {
        if (!Files.exists(fixture.state().resolve(Report.UPLOADED))) {
            return;
        }
        String list = fixture.uploaded();
        for (int log : logs) {
            if (list.contains(UploadFixture.name(log))) {
                assertThat(s3.object(UploadFixture.key(log))).isEqualTo(fixture.content(log));
            }
        }
    }

    private Process start(UploadFixture fixture) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx40m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.mavlogd.tools.Main",
                        "upload",
                        "--config",
                        fixture.directory.resolve("mavlogd.toml").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }
}
