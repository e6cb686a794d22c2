package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A keeper with much work on a slow disk: its rounds are short, and its progress is reported. */
class KeeperRoundsTest {
    private static final int FILES = 20;
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(150);

    private final List<String> finished = new ArrayList<>();
    private long nowNs;
    private boolean isForceSlow;
    private final FakeDisk disk = new FakeDisk();
    private final Disk slow = SlowDisk.of(disk, this::before);
    private final Keeper keeper = new Keeper(slow, () -> nowNs, (name, bytes) -> finished.add(name));
    private final LogStore store =
            new LogStore(slow, () -> 0, new StoreSettings(100, StoreSettings.Durability.ofMs(500)), keeper);

    private void before(String operation) {
        boolean isSlow = operation.equals("rename")
                || operation.equals("forceNames")
                || (isForceSlow && operation.equals("force"));
        nowNs += isSlow ? SLOW_NS : 0;
    }

    private void finishManyFiles() throws IOException {
        for (int i = 0; i < FILES; i++) {
            LogFile file = store.create(1);
            file.append(new UnsafeBuffer(new byte[50]), 0, 50, nowNs);
            store.finish(file);
        }
    }

    @Test
    void endsARoundInTimeAndDoesTheRestInTheNextOnes() throws IOException {
        finishManyFiles();

        for (int round = 0; round < 2 * FILES && finished.size() < FILES; round++) {
            long beganNs = nowNs;
            long before = keeper.progress();
            keeper.doWork();
            assertThat(nowNs - beganNs).isLessThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(400));
            assertThat(keeper.progress()).isGreaterThan(before);
        }

        assertThat(finished).hasSize(FILES);
    }

    @Test
    void manyFilesThatEndHoldUpAFileByOneOnly() throws IOException {
        LogFile file = store.create(1);
        keeper.doWork();
        file.append(new UnsafeBuffer(new byte[50]), 0, 50, nowNs);
        long flushAgeNs = store.settings().durability().flushAgeNs();
        nowNs += flushAgeNs;
        file.flushIfDue(nowNs);
        finishManyFiles();

        keeper.doWork();

        assertThat(file.longestUnforcedNs(nowNs)).isEqualTo(flushAgeNs + SLOW_NS);
    }

    @Test
    void theLastBytesOfAFileAreForcedBeforeItsTurnToBeFinished() throws IOException {
        LogFile file = store.create(1);
        keeper.doWork();
        finishManyFiles();
        file.append(new UnsafeBuffer(new byte[50]), 0, 50, nowNs);
        store.finish(file);

        keeper.doWork();

        assertThat(finished).doesNotContain(file.name());
        assertThat(disk.forcedLength(file.unfinishedName())).isEqualTo(50);
    }

    @Test
    void doesEverythingAtTheEnd() throws IOException {
        finishManyFiles();

        keeper.onClose();

        assertThat(finished).hasSize(FILES);
    }

    @Test
    void whatIsMostAtRiskIsForcedFirstAndNothingWaitsForEver() throws IOException {
        List<LogFile> files = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            files.add(store.create(1));
            keeper.doWork();
        }
        LogFile large = files.get(FILES / 2);
        for (int round = 0; round < 2 * FILES; round++) {
            for (LogFile file : files) {
                int length = file == large ? 10_000 : 50;
                file.append(new UnsafeBuffer(new byte[length]), 0, length, nowNs);
            }
            nowNs += TimeUnit.MILLISECONDS.toNanos(500);
            files.forEach(file -> file.flushIfDue(nowNs));
            isForceSlow = true;
            keeper.doWork(); // has time for two of them
            isForceSlow = false;
            assertThat(large.unforcedNs(nowNs)).as("round %d", round).isLessThan(TimeUnit.SECONDS.toNanos(2));
        }

        assertThat(files)
                .allSatisfy(file -> assertThat(file.unforcedNs(nowNs)).isLessThan(FILES * TimeUnit.SECONDS.toNanos(2)));
    }
}
