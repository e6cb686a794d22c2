package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.store.TestProgram;

/** A directory with very many files is put in order with the recorder's heap, while the heap is in use. */
class ManyFilesSystemTest {
    private static final List<String> HEAP =
            List.of("-Xmx40m", "-Xmn4m", "-XX:+UseSerialGC", "-Xss512k", "-XX:+ExitOnOutOfMemoryError");
    // 300,000 if run by hand.
    private static final int FINISHED = Integer.getInteger("mavlogd.test.files", 40_000);
    private static final int UNFINISHED = 3_000;
    private static final int MAX_FILES = 30_000;

    @TempDir
    Path temp;

    /** Maintains a directory as the recorder does when it starts, and prints the duration of its rounds. */
    static final class Starts {
        private Starts() {}

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            // As much as the recorder uses with a large part of its budget.
            byte[][] own = new byte[24][1 << 20];
            HostClock clock = new HostClock(System::nanoTime, System::currentTimeMillis, "boot", 77);
            FileDisk disk = new FileDisk(directory);
            StoreCounters counters = StoreCounters.register(new Metrics());
            Restart restart = new Restart(clock, new ResumableLogs(), MemoryBudget.ofHeap(), CrashReport.Source.NONE);
            Keeper keeper = new Keeper(
                    disk,
                    clock.monotonic(),
                    (name, bytes) -> {},
                    new SpaceLimits(0, 0, MAX_FILES, 1 << 18),
                    counters,
                    LogRecovery.of(disk, restart, RecoveryCounters.register(new Metrics())));
            while (!restart.board().isListed()) {
                keeper.doWork();
            }
            StoreSettings settings = new StoreSettings(4096, StoreSettings.Durability.ofMs(500));
            LogStore store = new LogStore(disk, System::currentTimeMillis, settings, keeper);
            store.finish(store.create(1, LogKind.ULG));
            long longestNs = 0;
            int work = 1;
            while (work > 0) {
                long beginNs = System.nanoTime();
                work = keeper.doWork();
                longestNs = Math.max(longestNs, System.nanoTime() - beginNs);
            }
            System.out.println("deleted " + counters.deletedFiles() + " beside " + own.length + " MiB");
            System.err.println("longest round " + longestNs / 1_000_000 + " ms");
        }
    }

    @Test
    void manyFilesNeitherFillTheHeapNorStopTheirDeletion() throws Exception {
        for (int i = 1; i <= FINISHED + UNFINISHED; i++) {
            String suffix = i <= FINISHED ? "" : ".part";
            Files.createFile(
                    temp.resolve(String.format(Locale.ROOT, "2026-11-21_14-03-59_sys001_%06d.ulg%s", i, suffix)));
        }

        String output = TestProgram.run(Starts.class, HEAP, temp);

        assertThat(output).contains("deleted " + (FINISHED + 1 - MAX_FILES) + " beside 24 MiB");
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files.filter(file -> !file.endsWith(".writing"))).hasSize(MAX_FILES);
        }
    }
}
