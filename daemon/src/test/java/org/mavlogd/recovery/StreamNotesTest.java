package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SlowDisk;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.store.StreamMark;

/** Notes of many files on a slow disk. */
class StreamNotesTest {
    private static final int FILES = 40;
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final long LONGEST_ROUND_NS = TimeUnit.MILLISECONDS.toNanos(20) + SLOW_NS;

    private final FakeDisk disk = new FakeDisk();
    private long nowNs = TimeUnit.SECONDS.toNanos(1000);
    private final Keeper keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
    private final LogStore store =
            new LogStore(disk, () -> 0, new StoreSettings(100, StoreSettings.Durability.ofMs(500)), keeper);
    // On which each new note takes time.
    private final Disk slow = SlowDisk.of(disk, operation -> nowNs += operation.equals("replace") ? SLOW_NS : 0);
    private final StreamNotes notes = new StreamNotes(slow, new HostClock(() -> nowNs, () -> 0, "boot", 77));
    private final List<LogFile> files = new ArrayList<>();

    private void beginFiles() throws IOException {
        for (int i = 1; i <= FILES; i++) {
            LogFile file = store.create(i);
            file.append(new UnsafeBuffer(new byte[50]), 0, 50, nowNs);
            file.write();
            file.mark(new StreamMark.Stream("uart", i, 1, 700, nowNs, 10_050_000, 150, 1e6));
            notes.watch(file);
            files.add(file);
        }
    }

    @Test
    void manyFirstNotesAreWrittenInSeveralRounds() throws IOException {
        beginFiles();
        int rounds = 0;
        boolean isMore = true;
        while (isMore) {
            long beginNs = nowNs;
            isMore = notes.work(nowNs);
            rounds++;
            assertThat(nowNs - beginNs).as("round %d", rounds).isLessThanOrEqualTo(LONGEST_ROUND_NS);
        }

        assertThat(rounds).isGreaterThan(FILES / 4);
        assertThat(files)
                .allSatisfy(
                        file -> assertThat(StreamNotes.read(disk, file.stem())).isPresent());
        assertThat(notes.work(nowNs)).as("nothing is due").isFalse();
    }

    @Test
    void filesThatEndMeanwhileDoNotCostOthersTheirTurn() throws IOException {
        beginFiles();
        notes.work(nowNs);
        for (int i = 0; i < FILES; i += 2) {
            notes.finish(files.get(i));
        }
        for (int round = 0; round < FILES; round++) {
            notes.work(nowNs);
        }

        for (int i = 1; i < FILES; i += 2) {
            assertThat(StreamNotes.read(disk, files.get(i).stem())).isPresent();
        }
    }
}
