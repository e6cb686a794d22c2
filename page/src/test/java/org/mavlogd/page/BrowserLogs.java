package org.mavlogd.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** The logs of the browser tests: two of real vehicles, one whose plot is known, and one with markup in its texts. */
final class BrowserLogs {
    static final String PX4 = "rover_px4.ulg";
    static final String ARDUPILOT = "rover_ardupilot.bin";
    static final String WAVE = "wave.ulg";
    static final String HOSTILE = "<img src=x onerror=window.hacked=1>.ulg";
    static final String MARKUP = "<script>window.hacked=2</script><b onmouseover=window.hacked=3>bold</b>";

    /** The wave: a sample every 10 ms for 20 s, except from 14 s to 16 s; alternately 1 s of 1 and 1 s of -1. */
    static final long START_US = 5_000_000;

    static final long STEP_US = 10_000;
    static final int SAMPLES = 2000;
    static final double GAP_FROM_S = 14;
    static final double GAP_TO_S = 16;

    private BrowserLogs() {}

    static void writeTo(Path directory) throws IOException {
        unpack(Path.of("../simulator/src/demo/11_rover_ackermann.ulg.gz"), directory.resolve(PX4));
        unpack(Path.of("../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz"), directory.resolve(ARDUPILOT));
        wave(directory.resolve(WAVE), 1);
        hostile(directory.resolve(HOSTILE));
    }

    private static void unpack(Path from, Path to) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(from))) {
            Files.copy(in, to);
        }
    }

    static double waveAt(double s) {
        return Math.floorMod((long) Math.floor(s + 1e-9), 2L) == 0 ? 1 : -1;
    }

    /** Writes the wave, upside down if {@code sign} is -1. */
    static void wave(Path file, int sign) throws IOException {
        try (FileSink sink = FileSink.create(file);
                ULogWriter log = new ULogWriter(sink, START_US, WriterSettings.DEFAULT)) {
            log.info("sys_name", "PX4");
            log.format(TopicFormat.parse("wave:uint64_t timestamp;float square;float ramp;float flat;"));
            TopicWriter wave = log.subscribe("wave", 0);
            Column square = wave.column("square");
            Column ramp = wave.column("ramp");
            Column flat = wave.column("flat");
            for (int i = 0; i < SAMPLES; i++) {
                double s = i * STEP_US / 1e6;
                if (s < GAP_FROM_S || s >= GAP_TO_S) {
                    wave.begin(START_US + i * STEP_US)
                            .float32(square, sign * (float) waveAt(s))
                            .float32(ramp, i)
                            .float32(flat, 7)
                            .write();
                }
            }
        }
    }

    private static void hostile(Path file) throws IOException {
        try (FileSink sink = FileSink.create(file);
                ULogWriter log = new ULogWriter(sink, START_US, WriterSettings.DEFAULT)) {
            log.info("sys_name", MARKUP);
            log.info("ver_sw_release_str", MARKUP);
            log.format(TopicFormat.parse("wave:uint64_t timestamp;float square;"));
            TopicWriter wave = log.subscribe("wave", 0);
            Column square = wave.column("square");
            for (int i = 0; i < 100; i++) {
                wave.begin(START_US + i * STEP_US).float32(square, i).write();
            }
            log.loggedString(LogLevel.ERROR, START_US + 500_000, MARKUP);
        }
    }

    static final String DRIVE = "drive.ulg";
    /** The drive, in metres: first north, then east, 5 m each second. */
    static final double NORTH_M = 40;

    static final double EAST_M = 60;
    static final double TURN_S = 8;
    static final double DRIVE_S = 20;

    /** The field {@code fast.value} of the drive: a sample every millisecond, one in a thousand is NaN. */
    static double fastAt(int i) {
        return i % 1000 == 500 ? Double.NaN : 5000 + Math.sin(i / 700.0) * i / 1000;
    }

    /**
     * Writes the log of a rover that turns once and changes its mode there, is armed from 2 s to 18 s, and logs three
     * messages.
     */
    static void drive(Path file) throws IOException {
        try (FileSink sink = FileSink.create(file);
                ULogWriter log = new ULogWriter(sink, START_US, WriterSettings.DEFAULT)) {
            log.info("sys_name", "PX4");
            log.format(TopicFormat.parse("vehicle_local_position:uint64_t timestamp;float x;float y;float heading;"));
            log.format(TopicFormat.parse("vehicle_status:uint64_t timestamp;uint8_t nav_state;uint8_t arming_state;"));
            log.format(TopicFormat.parse("fast:uint64_t timestamp;double value;"));
            TopicWriter position = log.subscribe("vehicle_local_position", 0);
            TopicWriter status = log.subscribe("vehicle_status", 0);
            TopicWriter fast = log.subscribe("fast", 0);
            for (int i = 0; i < 1000 * DRIVE_S; i++) {
                fast.begin(START_US + i * 1000L)
                        .float64(fast.column("value"), fastAt(i))
                        .write();
                if (i % 100 == 0) {
                    position(position, i / 1000.0);
                    status(status, i / 1000.0);
                }
            }
            position(position, DRIVE_S);
            log.loggedString(LogLevel.WARNING, START_US + 5_000_000, "a warning");
            log.loggedString(LogLevel.ERROR, START_US + 12_000_000, "an error");
            log.loggedString(LogLevel.INFO, START_US + 15_000_000, "a remark");
        }
    }

    private static void position(TopicWriter position, double s) throws IOException {
        position.begin(START_US + Math.round(s * 1e6))
                .float32(position.column("x"), (float) Math.min(NORTH_M, 5 * s))
                .float32(position.column("y"), (float) Math.max(0, 5 * (s - TURN_S)))
                .float32(position.column("heading"), (float) (s < TURN_S ? 0 : Math.PI / 2))
                .write();
    }

    private static void status(TopicWriter status, double s) throws IOException {
        status.begin(START_US + Math.round(s * 1e6))
                .integer(status.column("nav_state"), s < TURN_S ? 0 : 3)
                .integer(status.column("arming_state"), s >= 2 && s < 18 ? 2 : 1)
                .write();
    }

    /** Values that are large and differ by little: an altitude in metres and a latitude as autopilots log it. */
    static void far(Path file) throws IOException {
        try (FileSink sink = FileSink.create(file);
                ULogWriter log = new ULogWriter(sink, START_US, WriterSettings.DEFAULT)) {
            log.format(TopicFormat.parse("vehicle_global_position:uint64_t timestamp;float alt;int32_t lat;"));
            TopicWriter position = log.subscribe("vehicle_global_position", 0);
            for (int i = 0; i < 100; i++) {
                position.begin(START_US + i * 100_000L)
                        .float32(position.column("alt"), (float) (1520.3 + Math.sin(i / 9.0) / 50))
                        .integer(position.column("lat"), 473_977_421 + i)
                        .write();
            }
        }
    }

    /** Two sensors that vibrate too much. */
    static void vibrating(Path file) throws IOException {
        try (FileSink sink = FileSink.create(file);
                ULogWriter log = new ULogWriter(sink, START_US, WriterSettings.DEFAULT)) {
            log.format(TopicFormat.parse("vehicle_imu_status:uint64_t timestamp;float accel_vibration_metric;"));
            for (int instance = 0; instance < 2; instance++) {
                TopicWriter status = log.subscribe("vehicle_imu_status", instance);
                for (int i = 0; i < 100; i++) {
                    status.begin(START_US + i * 100_000L)
                            .float32(status.column("accel_vibration_metric"), 12 + instance)
                            .write();
                }
            }
        }
    }
}
