package org.mavlogd.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.edit.DataFlashConversion;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;

/**
 * Measures how fast ArduPilot logs are converted, file to file in one thread, compared with reading the file twice,
 * which every converter must do: {@code ConvertBench ROOT [MB]}. It compares CPU time, which depends less on the load
 * of the machine than elapsed time, and does not contain waiting for the disk.
 */
final class ConvertBench {
    private static final String LOG = "test-data/captures/ardupilot/s1_clean_rover.mav.bin.gz";
    /** Length of the incomplete message at the end of that log. */
    private static final int CUT_BYTES = 17;

    private static final int ROUNDS = 5;
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final double BYTES_PER_MB = 1e6;
    private static final double NS_PER_S = 1e9;

    /** Seconds of the thread's processor time and of the clock. */
    private record Time(double cpu, double clock) {}

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private final Path in;
    private final Path directory;
    private final double megabytes;

    private ConvertBench(Path in, Path directory) throws IOException {
        this.in = in;
        this.directory = directory;
        this.megabytes = Files.size(in) / BYTES_PER_MB;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        int megabytes = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        Path directory = Files.createTempDirectory("convert-bench");
        Path in = directory.resolve("in.bin");
        try {
            repeat(root.resolve(LOG), in, megabytes);
            new ConvertBench(in, directory).run();
        } finally {
            Files.deleteIfExists(in);
            Files.delete(directory);
        }
    }

    private static void repeat(Path log, Path target, int megabytes) throws IOException {
        byte[] bytes;
        try (GZIPInputStream unpacked = new GZIPInputStream(Files.newInputStream(log))) {
            bytes = unpacked.readAllBytes();
        }
        try (OutputStream out = Files.newOutputStream(target)) {
            for (long done = 0; done < megabytes * BYTES_PER_MB; done += bytes.length) {
                out.write(bytes, 0, bytes.length - CUT_BYTES);
            }
        }
    }

    private void run() throws IOException {
        String load = Machine.load();
        Time floor = best(this::readTwice);
        Time raw = best(() -> convert(ULogMapper.Values.RAW));
        Time scaled = best(() -> convert(ULogMapper.Values.SCALED));
        System.out.printf(Locale.ROOT, "%-38s %10s %10s %8s%n", "", "CPU MB/s", "MB/s", "x floor");
        print("floor: read the file twice", floor, floor);
        print("convert (goal 100 MB/s)", raw, floor);
        print("convert --scaled", scaled, floor);
        System.out.printf(
                Locale.ROOT,
                "%.0f MB, best of %d; heap %d MB%n%s%nload %s before, %s after%n",
                megabytes,
                ROUNDS,
                Runtime.getRuntime().maxMemory() >> 20,
                Machine.description(),
                load,
                Machine.load());
    }

    private void print(String what, Time time, Time floor) {
        System.out.printf(
                Locale.ROOT,
                "%-38s %10.0f %10.0f %8.2f%n",
                what,
                megabytes / time.cpu,
                megabytes / time.clock,
                time.cpu / floor.cpu);
    }

    /** The best time of all rounds; the first ones warm up. */
    private static Time best(Work work) throws IOException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Time best = new Time(Double.MAX_VALUE, Double.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            long clock = System.nanoTime();
            long cpu = threads.getCurrentThreadCpuTime();
            work.run();
            double cpuS = (threads.getCurrentThreadCpuTime() - cpu) / NS_PER_S;
            double clockS = (System.nanoTime() - clock) / NS_PER_S;
            best = new Time(Math.min(best.cpu, cpuS), Math.min(best.clock, clockS));
        }
        return best;
    }

    private void readTwice() throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        for (int pass = 0; pass < 2; pass++) {
            try (FileChannel channel = FileChannel.open(in)) {
                while (channel.read(chunk.clear()) >= 0) {
                    // only read
                }
            }
        }
    }

    private void convert(ULogMapper.Values values) throws IOException {
        Path out = directory.resolve("out.ulg");
        try (OutputFile file = OutputFile.at(out, OutputFile.Existing.REPLACE)) {
            DataFlashConversion conversion = DataFlashConversion.convert(in, file, values, Progress.NONE);
            if (conversion.loss() != DataFlashConversion.Loss.NONE) {
                throw new IllegalStateException(conversion.text());
            }
        } finally {
            Files.deleteIfExists(out);
        }
    }
}
