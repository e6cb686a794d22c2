package org.mavlogd.ulog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The logs that tests read; ORIGIN.md in their directory lists their origins. */
final class TestLogs {
    /**
     * Directory of the large logs, which are not in the repository: {@code -Dulog.logs=DIRECTORY}, with the names of
     * ORIGIN.md.
     */
    private static final String MORE = System.getProperty("ulog.logs", "");

    private static final List<String> WHOLE = List.of(
            "mcap_ulog2mcap_test",
            "px4rs_6ba1abc7",
            "px4rs_esc_status_log",
            "pyulog_sample_appended_multiple",
            "pyulog_sample_log_small",
            "pyulog_sample_tagged_and_default_params",
            "yule_powers",
            "yule_trig_stats");

    private static final List<String> LARGE = List.of(
            "frrs_battery_brownout",
            "frrs_ekf_failure",
            "frrs_gps_interference",
            "px4rs_quadrotor_local",
            "pyulog_hist_sample_unordered",
            "pyulog_sample");

    private TestLogs() {}

    /** Real, undamaged logs. */
    static List<String> real() {
        return with(WHOLE, LARGE);
    }

    /** Real logs that were already damaged when they were recorded. */
    static List<String> corrupt() {
        return with(List.of("px4rs_corrupt_actuator_armed_wrong_size"), List.of("px4rs_corrupt_unregistered_msg_id"));
    }

    private static List<String> with(List<String> here, List<String> elsewhere) {
        return MORE.isEmpty()
                ? here
                : Stream.concat(here.stream(), elsewhere.stream()).toList();
    }

    static byte[] real(String name) {
        String file = name + ".ulg.gz";
        boolean here = TestLogs.class.getResource(file) != null;
        try (InputStream in = new GZIPInputStream(here ? open(file) : Files.newInputStream(Path.of(MORE, file)))) {
            return in.readAllBytes();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static SortedMap<String, byte[]> corners() {
        SortedMap<String, byte[]> corners = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(open("corners.zip"))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                corners.put(entry.getName().replace(".ulg", ""), zip.readAllBytes());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return corners;
    }

    /** The initial inputs of fuzzing. */
    static Stream<byte[]> seeds() {
        return corners().values().stream().filter(log -> log.length <= 4096);
    }

    static InputStream open(String resource) {
        return Objects.requireNonNull(TestLogs.class.getResourceAsStream(resource), resource);
    }
}
