package org.mavlogd.local.system;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.SmallFile;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_cpu}: load of all cores and of each one, and frequencies. A core that is off has NaN. The first
 * sample has no loads, because a load is a difference.
 *
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">proc, "Miscellaneous kernel statistics in /proc/stat"</a>
 */
final class CpuSource extends SystemSource {
    static final int MAX_CORES = 64;

    private static final double KHZ = 1e3;
    private static final int SUMMED_COLUMNS = 8; // user to steal; guests are part of user
    private static final int IDLE = 3;
    private static final int IOWAIT = 4;

    private final TextBuffer text = new TextBuffer(16 * 1024);
    private final SmallFile stat;
    private final SmallFile loadAverage;
    private final SensorFile[] frequencyFiles;
    private final boolean[] hasFrequency;
    private final LocalSample sample;
    private final int cores;

    // One element more than there are cores: the last is for all cores together.
    private final long[] busy;
    private final long[] total;
    private final double[] load;
    private final double[] frequency;
    private double waiting;
    private long waitingBefore;
    private double average;
    private long takenNs;

    CpuSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        Path cpus = root.resolve("sys/devices/system/cpu");
        this.stat = new SmallFile(root.resolve("proc/stat"));
        this.loadAverage = new SmallFile(root.resolve("proc/loadavg"));
        this.cores = cores(cpus);
        this.hasFrequency = new boolean[cores];
        this.frequencyFiles = new SensorFile[cores];
        for (int i = 0; i < cores; i++) {
            frequencyFiles[i] = new SensorFile(cpus.resolve("cpu" + i + "/cpufreq/scaling_cur_freq"), KHZ);
        }
        this.busy = new long[cores + 1];
        this.total = new long[cores + 1];
        this.load = new double[cores + 1];
        this.frequency = new double[cores];
        this.sample = TopicBuilder.of("companion_cpu")
                .field(FieldType.FLOAT, "load", "1")
                .field(FieldType.FLOAT, "iowait", "1")
                .field(FieldType.FLOAT, "load_average", "1")
                .array(FieldType.FLOAT, cores, "core_load", "1")
                .array(FieldType.FLOAT, cores, "core_frequency", "Hz")
                .declare(outlet);
    }

    private static int cores(Path cpus) {
        int highest = 0;
        for (Path cpu : SysDirectory.children(cpus, "cpu")) {
            String number = cpu.getFileName().toString().substring("cpu".length());
            if (!number.isEmpty() && number.length() < 4 && number.chars().allMatch(c -> c >= '0' && c <= '9')) {
                highest = Math.max(highest, Integer.parseInt(number));
            }
        }
        return Math.min(highest + 1, MAX_CORES);
    }

    @Override
    public void read(long nowNs) throws IOException {
        takenNs = nowNs;
        readLoads();
        loadAverage.read(text);
        average = text.decimal();
        if (rescan.isDue(nowNs)) {
            // Most virtual machines and some boards have no frequencies: NaN, and not reported as a problem.
            for (int i = 0; i < cores; i++) {
                hasFrequency[i] = frequencyFiles[i].exists();
                frequencyFiles[i].retry();
            }
        }
        for (int i = 0; i < cores; i++) {
            frequency[i] = hasFrequency[i] ? frequencyFiles[i].read(text) : Double.NaN;
        }
    }

    private void readLoads() throws IOException {
        stat.read(text);
        Arrays.fill(load, Double.NaN);
        while (!text.isAtEnd() && !text.takeWord("intr")) {
            if (text.takeWord("cpu")) {
                readLoad(cores);
            } else if (text.take("cpu")) {
                long core = text.number();
                if (core >= 0 && core < cores) {
                    readLoad((int) core);
                }
            }
            text.nextLine();
        }
    }

    private void readLoad(int index) {
        long sum = 0;
        long idle = 0;
        long wait = 0;
        for (int column = 0; column < SUMMED_COLUMNS; column++) {
            long ticks = Math.max(0, text.number()); // old kernels have fewer columns
            sum += ticks;
            idle += column == IDLE || column == IOWAIT ? ticks : 0;
            wait += column == IOWAIT ? ticks : 0;
        }
        double passed = sum - total[index];
        boolean first = total[index] == 0;
        load[index] = first || passed <= 0 ? Double.NaN : share(sum - idle - busy[index], passed);
        if (index == cores) {
            waiting = first || passed <= 0 ? Double.NaN : share(wait - waitingBefore, passed);
            waitingBefore = wait;
        }
        busy[index] = sum - idle;
        total[index] = sum;
    }

    /** Limited, because idle time may decrease by a tick between two readings. */
    private static double share(long part, double whole) {
        return Math.max(0, Math.min(1, part / whole));
    }

    @Override
    public void publish() {
        sample.begin(0, takenNs)
                .float32((float) load[cores])
                .float32((float) waiting)
                .float32((float) average);
        for (int i = 0; i < cores; i++) {
            sample.float32((float) load[i]);
        }
        for (int i = 0; i < cores; i++) {
            sample.float32((float) frequency[i]);
        }
        outlet.publish(sample);
    }

    @Override
    public void close() {
        stat.close();
        loadAverage.close();
        for (SensorFile file : frequencyFiles) {
            file.close();
        }
    }
}
