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

/** The logs of the browser tests: two of real vehicles, one whose picture is known, and one with markup in its texts. */
final class BrowserLogs {
    static final String PX4 = "rover_px4.ulg";
    static final String ARDUPILOT = "rover_ardupilot.bin";
    static final String WAVE = "wave.ulg";
    static final String HOSTILE = "<img src=x onerror=window.hacked=1>.ulg";
    static final String MARKUP = "<script>window.hacked=2</script><b onmouseover=window.hacked=3>bold</b>";

    /** Of the wave: a sample each 10 ms for 20 s, but none from 14 s to 16 s; 1 s of 1 and 1 s of -1. */
    static final long START_US = 5_000_000;
    static final long STEP_US = 10_000;
    static final int SAMPLES = 2000;
    static final double GAP_FROM_S = 14;
    static final double GAP_TO_S = 16;

    private BrowserLogs() {}

    static void writeTo(Path directory) throws IOException {
        unpack(Path.of("../simulator/src/demo/11_rover_ackermann.ulg.gz"), directory.resolve(PX4));
        unpack(Path.of("../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz"), directory.resolve(ARDUPILOT));
        wave(directory.resolve(WAVE));
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

    private static void wave(Path file) throws IOException {
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
                            .float32(square, (float) waveAt(s))
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
}
