package org.mavlogd.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
    static final String KEY_ID = "mavlogd";
    static final String SECRET_KEY = "secret";

    private static final int FIELD_BYTES = 1000;
    private static final int MOST_RUNS = 60;

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

    /** Adds lines to {@code [upload]}. */
    UploadFixture upload(String lines) {
        upload += lines + '\n';
        return this;
    }

    /** Adds a {@code [[target]]} with these lines. */
    UploadFixture target(String name, String type, String lines) {
        targets += "[[target]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\n" + lines + '\n';
        return this;
    }

    UploadFixture s3(String name, String url) throws IOException {
        Path keys = directory.resolve("credentials");
        Files.writeString(
                keys, "[default]\naws_access_key_id = " + KEY_ID + "\naws_secret_access_key = " + SECRET_KEY + "\n");
        Files.setPosixFilePermissions(keys, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        return target(
                name,
                "s3",
                "url = \"" + url + "\"\nbucket = \"" + S3MockServer.BUCKET + "\"\npart_mib = 5\nsecret_file = \"" + keys
                        + '"');
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

    /** Uploads what can be uploaded now, and returns whether everything is uploaded. */
    boolean once() throws IOException, InterruptedException {
        try (Uploader uploader = new Uploader(settings(), QUICK, 100)) {
            return uploader.run(() -> false, true);
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

    boolean isUploaded(int number) {
        try {
            return Files.exists(state().resolve(Report.UPLOADED)) && uploaded().contains(name(number));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String uploaded() throws IOException {
        return Files.readString(state().resolve(Report.UPLOADED));
    }
}
