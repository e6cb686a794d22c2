package org.mavlogd.lake.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** Real logs of several vehicles, described in ORIGIN.md of ulog-writer and of the captures. */
final class Fleet {
    static final int LOGS = 4;

    private static final List<String> PX4 =
            List.of("px4rs_esc_status_log", "pyulog_sample_log_small", "pyulog_sample_appended_multiple");
    private static final Path ROOT = Path.of(System.getProperty("mavlogd.tree", ".."));

    private Fleet() {}

    static byte[] px4(String name) throws IOException {
        return unzipped(ROOT.resolve("ulog-writer/src/test/resources/org/mavlogd/ulog/" + name + ".ulg.gz"));
    }

    static byte[] arduPilot() throws IOException {
        return unzipped(ROOT.resolve("test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz"));
    }

    /** Writes all of them, each vehicle's into its folder. */
    static void write(Path folder) throws IOException {
        for (String name : PX4) {
            put(folder.resolve("copter/" + name + ".ulg"), px4(name));
        }
        put(folder.resolve("a rover/00000001.BIN"), arduPilot());
    }

    static void put(Path file, byte[] content) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, content);
    }

    private static byte[] unzipped(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }
}
