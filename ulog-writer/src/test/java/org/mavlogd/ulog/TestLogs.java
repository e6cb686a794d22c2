package org.mavlogd.ulog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The logs that tests read; ORIGIN.md beside them says where they come from. */
final class TestLogs {
    /** Real logs, none damaged. */
    static final String[] REAL = {
        "mcap_ulog2mcap_test",
        "px4rs_6ba1abc7",
        "px4rs_esc_status_log",
        "pyulog_sample_appended_multiple",
        "pyulog_sample_log_small",
        "pyulog_sample_tagged_and_default_params",
        "yule_powers",
        "yule_trig_stats"
    };

    private TestLogs() {}

    static byte[] real(String name) {
        try (InputStream in = new GZIPInputStream(open(name + ".ulg.gz"))) {
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

    static InputStream open(String resource) {
        return Objects.requireNonNull(TestLogs.class.getResourceAsStream(resource), resource);
    }
}
