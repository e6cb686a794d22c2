package org.mavlogd.lake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Real logs of several vehicles, whose origin ulog-writer's and the captures' ORIGIN.md tell, and lakes that are made of them. */
final class FleetLogs {
    static final List<String> PX4 = List.of(
            "px4rs_6ba1abc7", "pyulog_sample_log_small", "px4rs_esc_status_log", "pyulog_sample_appended_multiple");

    private FleetLogs() {}

    static byte[] px4(String name) throws IOException {
        return unzipped(Path.of("../ulog-writer/src/test/resources/org/mavlogd/ulog/" + name + ".ulg.gz"));
    }

    static byte[] arduPilot() throws IOException {
        return unzipped(Path.of("../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz"));
    }

    /** All of them, each vehicle's in its folder. */
    static void write(Path folder) throws IOException {
        for (String name : PX4) {
            put(folder.resolve("copter/" + name + ".ulg"), px4(name));
        }
        put(folder.resolve("rover/00000001.BIN"), arduPilot());
    }

    static void put(Path file, byte[] content) throws IOException {
        Files.createDirectories(LakeFiles.parent(file));
        Files.write(file, content);
    }

    static LakeBuild.Result build(Path source, Path lake) throws IOException {
        try (LakeBuild build = new LakeBuild(lake, "test", Clock.systemUTC())) {
            return build.run(SourceLog.in(source), 2);
        }
    }

    /** The answer of a question, a line for each row. */
    static List<String> ask(Path lake, String sql) throws IOException, SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = LakeViews.open(lake, sql);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    values.add(String.valueOf(rows.getObject(i)));
                }
                lines.add(String.join(" ", values));
            }
        }
        return lines;
    }

    private static byte[] unzipped(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }
}
