package org.mavlogd.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/** Too few resources for the recorder: each sent chunk is stored or counted as lost, exactly. */
final class ScarcityFaults {
    private static final Path LOGS = Path.of("logs");
    private static final int RATE = 1_000_000;

    private ScarcityFaults() {}

    /** SIGSTOP for some seconds, longer than the kernel's receive buffer lasts. */
    static final class Stopped implements Fault {
        @Override
        public String name() {
            return "sigstop";
        }

        @Override
        public String obstacle() {
            return RecorderProcess.obstacle();
        }

        @Override
        public String run(Form form, Progress progress) throws Exception {
            int stops = form.pick(1, 30);
            Random random = new Random(4);
            try (Flight flight = new Flight(LOGS, RATE)) {
                for (int i = 0; i < stops; i++) {
                    progress.at(i, stops);
                    flight.recorder().signal("STOP");
                    flight.continueFor(Duration.ofMillis(i == 0 ? 5500 : 500 + random.nextInt(8000)));
                    flight.recorder().signal("CONT");
                    flight.continueFor(Duration.ofMillis(500 + random.nextInt(1500)));
                }
                return stops + " stops of up to 8.5 s at 1 MB/s: " + flight.land();
            }
        }
    }

    /** A quarter of one core. */
    static final class QuarterCore implements Fault {
        @Override
        public String name() {
            return "quarter-core";
        }

        @Override
        public String obstacle() {
            String obstacle = Cgroup.obstacle("cpu");
            return obstacle.isEmpty() ? RecorderProcess.obstacle() : obstacle;
        }

        @Override
        public String run(Form form, Progress progress) throws Exception {
            int seconds = form.pick(6, 120);
            try (Cgroup cgroup = Cgroup.withCpuQuarter();
                    Flight flight = new Flight(LOGS, RATE, cgroup.entry())) {
                flight.continueFor(Duration.ofSeconds(seconds));
                return seconds + " s at 1 MB/s: " + flight.land() + "; held back " + cgroup.throttledMs() + " ms";
            }
        }
    }

    /** 128 MB of memory, including the page cache of its files. */
    static final class SmallMemory implements Fault {
        private static final int MEGABYTES = 128;

        @Override
        public String name() {
            return "small-memory";
        }

        @Override
        public String obstacle() {
            String obstacle = Cgroup.obstacle("memory");
            return obstacle.isEmpty() ? RecorderProcess.obstacle() : obstacle;
        }

        @Override
        public String run(Form form, Progress progress) throws Exception {
            int seconds = form.pick(6, 120);
            try (Cgroup cgroup = Cgroup.withMemory(MEGABYTES);
                    Flight flight = new Flight(LOGS, RATE, cgroup.entry())) {
                flight.continueFor(Duration.ofSeconds(seconds));
                return seconds + " s at 1 MB/s: " + flight.land() + "; most used " + cgroup.mostUsedBytes() / 1_000_000
                        + " MB of " + MEGABYTES + " MiB, page cache included";
            }
        }
    }
}
