package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.store.TestProgram;

/** Unfinished logs made to fill the heap are finished with the recorder's heap. */
class UnfinishedMemorySystemTest {
    private static final List<String> HEAP =
            List.of("-Xmx40m", "-Xmn4m", "-XX:+UseSerialGC", "-Xss512k", "-XX:+ExitOnOutOfMemoryError");
    private static final int FILES = 6;

    @TempDir
    Path temp;

    /**
     * Finishes the unfinished logs of a directory as the recorder does when it starts, and prints how many are set
     * aside.
     */
    static final class Recovers {
        private Recovers() {}

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            // As much as the recorder itself uses.
            byte[][] own = new byte[12][1 << 20];
            MemoryBudget memory = MemoryBudget.ofHeap();
            RecoveryCounters counters = RecoveryCounters.register(new Metrics());
            FileDisk disk = new FileDisk(directory);
            HostClock clock = new HostClock(System::nanoTime, System::currentTimeMillis, "boot", 77);
            Keeper keeper = new Keeper(
                    disk,
                    clock.monotonic(),
                    (name, bytes) -> {},
                    SpaceLimits.NONE,
                    StoreCounters.register(new Metrics()),
                    LogRecovery.of(
                            disk, new Restart(clock, new ResumableLogs(), memory, CrashReport.Source.NONE), counters));
            while (keeper.doWork() > 0) {
                // until all files are examined
            }
            keeper.onClose();
            System.out.println("unread " + counters.unreadLogs() + " beside " + own.length + " MiB");
        }
    }

    @ParameterizedTest
    @EnumSource(HostileLog.class)
    void logsAreFinishedWithASmallHeap(HostileLog hostile) throws Exception {
        long bytes = 0;
        for (int i = 0; i < FILES; i++) {
            bytes += hostile.write(temp, i + 1, i + 1, "boot");
        }

        String unread = TestProgram.run(Recovers.class, HEAP, temp);

        assertThat(unread).contains("unread 0 beside 12 MiB");
        long left = 0;
        try (Stream<Path> files = Files.list(temp)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".ulg")).toList()) {
                left += Files.size(file);
            }
        }
        assertThat(left).isEqualTo(bytes);
    }
}
