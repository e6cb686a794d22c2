package org.mavlogd.ulog.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** The log that is read: a real one from this project's tests, or {@code -Dulog.benchmark.log=FILE}. */
final class Samples {
    private static final String DEFAULT =
            "ulog-writer/src/test/resources/org/mavlogd/ulog/pyulog_sample_tagged_and_default_params.ulg.gz";

    private Samples() {}

    static byte[] log() throws IOException {
        Path file = Path.of(System.getProperty("ulog.benchmark.log", DEFAULT));
        try (InputStream in = Files.newInputStream(file)) {
            return file.toString().endsWith(".gz") ? new GZIPInputStream(in).readAllBytes() : in.readAllBytes();
        }
    }
}
