package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** A log directory, a configuration and the uploader's notes under one directory. */
final class UploadFixture {
    static final String UUID = "000600000000373833333430510d002c0045";

    static final Backoff QUICK =
            new Backoff(TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(50), () -> 1);
    /** After a failure there is no second attempt in the same run, however long the run takes. */
    static final Backoff SINGLE_ATTEMPT = new Backoff(TimeUnit.HOURS.toNanos(1), TimeUnit.HOURS.toNanos(1), () -> 1);

    static final String KEY_ID = "mavlogd";
    static final String SECRET_KEY = "secret";
    /** The size of a log, about, where it does not matter. */
    static final int BYTES = 300_000;

    private static final int FIELD_BYTES = 1000;
    private static final int MOST_RUNS = 60;
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(50);

    final Path directory;
    private String upload = "";
    private String targets = "";

    UploadFixture(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(logs());
    }

    Path logs() {
        return directory.resolve("logs");
    }

    Path state() {
        return directory.resolve("state");
    }

    static String name(int number) {
        return String.format(Locale.ROOT, "2026-11-2%d_14-03-59_sys001_%06d.ulg", number % 10, number);
    }

    static String key(int number) {
        return UUID + String.format(Locale.ROOT, "/2026-11-2%d/", number % 10) + name(number);
    }

    /** Writes a log of random content and of the usual size. */
    Path log(int number) throws IOException {
        return log(number, BYTES);
    }

    /** Writes a log of random content and of about this size. */
    Path log(int number, int bytes) throws IOException {
        return log(name(number), number, bytes);
    }

    Path log(String name, long seed, int bytes) throws IOException {
        Path file = logs().resolve(name);
        Random random = new Random(seed);
        byte[] noise = new byte[FIELD_BYTES];
        try (FileSink sink = FileSink.create(file);
                ULogWriter log = new ULogWriter(
                        sink, 1_000_000, new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP))) {
            log.format(TopicFormat.parse("noise:uint64_t timestamp;uint8_t[" + FIELD_BYTES + "] bytes;"));
            log.info("sys_uuid", UUID);
            log.info("sys_name", "PX4");
            TopicWriter topic = log.subscribe("noise", 0);
            for (int i = 0; i < bytes / FIELD_BYTES; i++) {
                random.nextBytes(noise);
                topic.begin(1_000_000 + i * 1000L);
                for (int at = 0; at < FIELD_BYTES; at++) {
                    topic.integer(topic.layout().columns().get(1), at, noise[at] & 0xFF);
                }
                topic.write();
            }
        }
        return file;
    }

    /** The bytes of a log. */
    byte[] content(int number) throws IOException {
        return Files.readAllBytes(logs().resolve(name(number)));
    }

    /** Changes the time of a file to a day long ago. */
    static void makeOld(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(4_711_000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds lines to {@code [upload]}. */
    UploadFixture upload(String lines) {
        upload += lines + '\n';
        return this;
    }

    /** Adds a {@code [[target]]} with these lines. */
    UploadFixture target(String name, String type, String... lines) {
        targets += "[[target]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\n" + String.join("\n", lines) + '\n';
        return this;
    }

    /** Adds a target "web" at one of the test servers: {@code put}, {@code tus} or {@code flight_review}. */
    UploadFixture web(String type, WebServers servers, String... lines) {
        return web("web", type, servers, lines);
    }

    UploadFixture web(String name, String type, WebServers servers, String... lines) {
        return target(name, type, "url = \"" + servers.targetUrl(type) + '"', String.join("\n", lines));
    }

    UploadFixture s3(String name, String url) throws IOException {
        Path keys = secret(
                "credentials",
                "[default]\naws_access_key_id = " + KEY_ID + "\naws_secret_access_key = " + SECRET_KEY + "\n");
        return target(
                name,
                "s3",
                "url = \"" + url + '"',
                "bucket = \"" + S3MockServer.BUCKET + '"',
                "part_mib = 5",
                "secret_file = \"" + keys + '"');
    }

    /** Writes a file that only its owner may read. */
    Path secret(String name, String content) throws IOException {
        Path file = Files.writeString(directory.resolve(name), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    Path config() throws IOException {
        return Files.writeString(
                directory.resolve("mavlogd.toml"),
                "[log]\ndirectory = \"" + logs() + "\"\n[http]\nlisten = \"\"\n[upload]\nstate_directory = \"" + state()
                        + "\"\n" + upload + targets);
    }

    UploadSettings settings() throws IOException {
        try {
            return UploadSettings.load(config());
        } catch (ConfigException e) {
            throw new IOException(String.join("\n", e.problems()), e);
        }
    }

    Uploader uploader(Backoff backoff) throws IOException {
        return new Uploader(settings(), backoff, 100);
    }

    /** Uploads what can be uploaded now, and returns whether everything is uploaded. */
    boolean once() throws IOException, InterruptedException {
        return once(QUICK);
    }

    boolean once(Backoff backoff) throws IOException, InterruptedException {
        try (Uploader uploader = uploader(backoff)) {
            return uploader.run(() -> false, true);
        }
    }

    /** Uploads while the servers refuse everything. */
    void onceRefused(WebServers servers) throws IOException, InterruptedException {
        servers.status = 503;
        assertThat(once()).isFalse();
        servers.status = 0;
    }

    /** Uploads until the connection is cut in the middle of a file; the server refuses further attempts. */
    void onceInterrupted(WebServers servers) throws IOException, InterruptedException {
        servers.cutInside = number -> {
            servers.status = 503;
            return true;
        };
        assertThat(once()).isFalse();
        servers.cutInside = number -> false;
        servers.status = 0;
    }

    /** Runs until a condition holds, at most for 20 seconds. */
    void runUntil(BooleanSupplier isDone) throws IOException, InterruptedException {
        runUntil(isDone, QUICK);
    }

    void runUntil(BooleanSupplier isDone, Backoff backoff) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        try (Uploader uploader = uploader(backoff)) {
            uploader.run(() -> isDone.getAsBoolean() || System.nanoTime() - startNs > MOST_NS, false);
        }
    }

    /** Runs the uploader until everything is uploaded, and returns the number of runs. */
    int untilSent() throws IOException, InterruptedException {
        for (int run = 1; run <= MOST_RUNS; run++) {
            if (once()) {
                return run;
            }
        }
        throw new AssertionError("not sent after " + MOST_RUNS + " runs: " + status());
    }

    String status() throws IOException {
        return Files.readString(state().resolve(Report.STATUS));
    }

    boolean isReported(String text) {
        return contains(Report.STATUS, text);
    }

    String uploaded() throws IOException {
        return Files.readString(state().resolve(Report.UPLOADED));
    }

    boolean isUploaded(int number) {
        return contains(Report.UPLOADED, name(number));
    }

    private boolean contains(String file, String text) {
        try {
            Path path = state().resolve(file);
            return Files.exists(path) && Files.readString(path).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks that these logs, and no others, have arrived unchanged, and that each is listed as uploaded. */
    void assertArrived(WebServers servers, int... numbers) throws IOException {
        assertThat(servers.logs()).hasSize(numbers.length);
        for (int number : numbers) {
            assertThat(servers.logs().get(name(number))).isEqualTo(content(number));
            assertThat(uploaded()).contains(name(number));
        }
    }
}
