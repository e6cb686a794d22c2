package org.mavlogd.logtools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The logs that tests read: those of ulog-writer, whose ORIGIN.md lists their origins. */
public final class Logs {
    /** Real, undamaged logs. */
    public static final List<String> REAL = List.of(
            "mcap_ulog2mcap_test",
            "px4rs_6ba1abc7",
            "px4rs_esc_status_log",
            "pyulog_sample_appended_multiple",
            "pyulog_sample_log_small",
            "pyulog_sample_tagged_and_default_params",
            "yule_powers",
            "yule_trig_stats");

    public static final String DAMAGED = "px4rs_corrupt_actuator_armed_wrong_size";

    private static final Path FOLDER = folder();

    private Logs() {}

    public static byte[] real(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FOLDER.resolve(name + ".ulg.gz")))) {
            return in.readAllBytes();
        }
    }

    /** Writes a real log into a directory. */
    public static Path real(String name, Path directory) throws IOException {
        return Files.write(directory.resolve(name + ".ulg"), real(name));
    }

    /** Writes a synthetic log into a directory. */
    public static Path corner(String name, Path directory) throws IOException {
        byte[] log = corners().get(name);
        if (log == null) {
            throw new IllegalArgumentException(name);
        }
        return Files.write(directory.resolve(name + ".ulg"), log);
    }

    /** All synthetic logs by name. */
    public static SortedMap<String, byte[]> corners() throws IOException {
        SortedMap<String, byte[]> corners = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(FOLDER.resolve("corners.zip")))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                corners.put(entry.getName().replace(".ulg", ""), zip.readAllBytes());
            }
        }
        return corners;
    }

    /** The counts of an established reader, line by line; the head of the file explains them. */
    public static List<String> expected() throws IOException {
        return Files.readAllLines(FOLDER.resolve("real-logs.txt"));
    }

    private static Path folder() {
        Path inModule = Path.of("../ulog-writer/src/test/resources/org/mavlogd/ulog");
        return Files.isDirectory(inModule) ? inModule : Path.of("ulog-writer/src/test/resources/org/mavlogd/ulog");
    }
}
