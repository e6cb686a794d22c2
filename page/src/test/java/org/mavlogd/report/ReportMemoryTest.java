package org.mavlogd.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.tools.Main;
import org.mavlogd.ulog.LogLevel;

/** A report needs a heap of at most 64 MB for any log. */
class ReportMemoryTest {
    private static final int HEAP_MB = 64;

    @TempDir
    Path directory;

    /** A topic that is subscribed 100,000 times in all of its instances, and 50,000 fields that no report plots. */
    @Test
    void manyTopicsAndFields() throws Exception {
        TestLog log = new TestLog().format("battery_status", "float voltage_v;char[32] name;");
        for (int i = 0; i < 25; i++) {
            StringBuilder fields = new StringBuilder();
            for (int field = 0; field < 2000; field++) {
                fields.append("float f").append(field).append(';');
            }
            log.format("wide" + i, fields.toString());
        }
        for (int i = 0; i < 25; i++) {
            log.sample("wide" + i, i);
        }
        log.sample("battery_status", 30, 12);
        Path file = Files.write(directory.resolve("many.ulg"), withSubscriptions(log.bytes(), 100_000));

        String json = reported(file);

        assertThat(json).contains("\"id\":\"battery_voltage\"");
        // The report contains the first sixteen instances.
        assertThat(json.split("\"field\":\"battery_status[.0-9]*voltage_v\"", -1))
                .hasSize(17);
    }

    @Test
    void manySamplesOfEveryField() throws Exception {
        TestLog log = new TestLog()
                .format("sensor_combined", "float[3] gyro_rad;float[3] accelerometer_m_s2;")
                .format("vehicle_attitude", "float[4] q;");
        for (int i = 0; i < 400_000; i++) {
            log.sample("sensor_combined", i * 0.004, Math.sin(i), Math.cos(i), 0, 0, 0, -9.8);
            log.sample("vehicle_attitude", i * 0.004, 1, Math.sin(i * 0.01), 0, 0);
        }
        for (int i = 0; i < 5000; i++) {
            log.text(LogLevel.ERROR, i, "message " + i + " " + "x".repeat(5000));
        }

        assertThat(reported(log.write(directory)))
                .contains("\"samples\":400000")
                .contains("\"message_count\":5000");
    }

    /** Adds subscriptions of instances 0 to 255, repeatedly with other ids, and a sample of each. */
    private static byte[] withSubscriptions(byte[] log, int count) {
        byte[] name = "battery_status".getBytes(StandardCharsets.US_ASCII);
        int sample = 8 + 4 + 32;
        ByteBuffer bytes = ByteBuffer.allocate(log.length + count * (3 + 3 + name.length + 3 + 2 + sample))
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(log);
        for (int i = 0; i < count; i++) {
            int id = 100 + i % 65_000;
            bytes.putShort((short) (3 + name.length)).put((byte) 'A');
            bytes.put((byte) i).putShort((short) id).put(name);
            bytes.putShort((short) (2 + sample)).put((byte) 'D').putShort((short) id);
            bytes.putLong(40_000_000L + i).putFloat(i % 13).put(new byte[32]);
        }
        return bytes.array();
    }

    /** The report from a process with this heap. */
    private String reported(Path log) throws Exception {
        Path out = directory.resolve("report.json");
        Path err = directory.resolve("err.txt");
        Process process = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx" + HEAP_MB + "m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "report",
                        "--json",
                        log.toString(),
                        "-o",
                        out.toString()))
                .redirectErrorStream(true)
                .redirectOutput(err.toFile())
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(text(err)).isIn(0, 3);
        return Files.readString(out);
    }

    private static String text(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer start = ByteBuffer.allocate(4000);
            channel.read(start);
            return new String(start.array(), 0, start.position(), StandardCharsets.UTF_8);
        }
    }
}
