package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.control.LogLines;
import org.mavlogd.store.FakeDisk.Operation;

/** Every single operation of store and keeper fails, once and for a long time. */
class KeeperFaultsTest {
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final StoreSettings SETTINGS = new StoreSettings(100, StoreSettings.Durability.ofMs(500));
    private static final int OLD_LOGS = 5;
    private static final int MAX_FILES = 4;
    private static final int FILES = 3;
    private static final int FILE_BYTES = 250;

    /** A short run: three files are created, filled and finished while old logs are deleted. */
    private static final class Life {
        private final FakeDisk disk = new FakeDisk();
        private final List<String> finished = new ArrayList<>();
        private long nowNs;
        private final Keeper keeper = new Keeper(
                disk,
                () -> nowNs,
                (name, bytes) -> finished.add(name),
                new SpaceLimits(0, 0, MAX_FILES, 1),
                StoreCounters.unregistered());
        private final LogStore store = new LogStore(disk, () -> 0, SETTINGS, keeper);

        private Life() {
            for (int i = 1; i <= OLD_LOGS; i++) {
                disk.put(name(i), new byte[i]);
            }
        }

        private void live() {
            for (int i = 0; i < FILES; i++) {
                try {
                    LogFile file = store.create(1);
                    work(100);
                    for (int part = 0; part < 5; part++) {
                        file.append(new UnsafeBuffer(new byte[FILE_BYTES / 5]), 0, FILE_BYTES / 5, nowNs);
                        file.flushIfDue(nowNs);
                        work(300);
                    }
                    store.finish(file);
                } catch (IOException e) {
                    assertThat(e).as("all that the recorder has to expect").isNotNull();
                }
                work(1000);
            }
        }

        private void work(long ms) {
            for (long i = 0; i < ms; i += 100) {
                nowNs += 100 * MILLISECOND_NS;
                keeper.doWork();
            }
        }

        private static String name(int counter) {
            return String.format("0000-00-00_00-00-00_sys001_%06d.ulg", counter);
        }
    }

    @Test
    void withoutFailureAllIsAsItShouldBe() {
        Life life = new Life();
        life.live();
        life.work(20_000);

        assertThat(life.disk.storedNames())
                .containsExactlyInAnyOrder(Life.name(5), Life.name(6), Life.name(7), Life.name(8));
        assertThat(life.finished).containsExactly(Life.name(6), Life.name(7), Life.name(8));
    }

    @Test
    void anyOperationMayFailOnce() {
        int operations = operations();
        assertThat(operations).isBetween(70, 2000);
        for (int failing = 0; failing < operations; failing++) {
            Life life = new Life();
            life.disk.failFrom(EnumSet.allOf(Operation.class), failing, 1, "Input/output error");
            life.live();
            life.work(120_000);

            assertSound(life, "operation " + failing);
            assertThat(life.finished.size()).as("operation %d", failing).isGreaterThanOrEqualTo(FILES - 1);
        }
    }

    @Test
    void everythingMayFailFromAnyOperationOnUntilTheDiskWorksAgain() {
        int operations = operations();
        for (int failing = 0; failing < operations; failing++) {
            Life life = new Life();
            life.disk.failFrom(EnumSet.allOf(Operation.class), failing, Integer.MAX_VALUE, "Input/output error");
            life.live();
            life.work(10_000);

            life.disk.failFrom(EnumSet.noneOf(Operation.class), 0, 0, "");
            life.live();
            life.work(120_000);

            assertSound(life, "from operation " + failing);
            assertThat(life.finished.size()).as("from operation %d", failing).isGreaterThanOrEqualTo(FILES);
        }
    }

    @Test
    void whatFailsUntilTheEndIsTriedOnceMoreThen() {
        Life life = new Life();
        life.disk.fail(Operation.RENAME, count -> true);
        life.live();
        assertThat(life.finished).isEmpty();

        life.disk.fail(Operation.RENAME, count -> false);
        life.keeper.onClose();

        assertThat(life.finished).hasSize(FILES);
    }

    @Test
    void aBrokenDiskIsNotAskedAllTheTime() {
        Life life = new Life();
        life.live();
        life.disk.failFrom(EnumSet.allOf(Operation.class), 0, Integer.MAX_VALUE, "Input/output error");
        int before = life.disk.operations();

        life.work(600_000);

        // Four measurements a second, a list every ten seconds.
        assertThat(life.disk.operations() - before).isLessThan(600 * 5);
    }

    /** The recorder and the keeper look at a file's failure at different times; one of them reports it, whenever it is. */
    @Test
    void aFailedForceIsReportedOnce() throws IOException {
        for (boolean isKnownBefore : List.of(false, true)) {
            for (int failing = 0; failing < 3; failing++) {
                Life life = new Life();
                life.disk.failFrom(EnumSet.of(Operation.FORCE), failing, 1, "Input/output error");
                int reported = 0;
                try (LogLines logged = new LogLines(Keeper.class)) {
                    List<LogFile> files = new ArrayList<>();
                    for (int i = 0; i < FILES; i++) {
                        LogFile file = life.store.create(1);
                        file.append(new UnsafeBuffer(new byte[FILE_BYTES]), 0, FILE_BYTES, life.nowNs);
                        files.add(file);
                    }
                    if (isKnownBefore) {
                        life.nowNs += 500 * MILLISECOND_NS;
                        files.forEach(file -> file.flushIfDue(life.nowNs));
                        life.work(100);
                    }
                    for (LogFile file : files) {
                        reported += life.store.finish(file) ? 1 : 0;
                    }
                    life.work(1000);
                    reported += logged.all().size();
                }
                assertThat(reported)
                        .as("force %d, known before the end: %s", failing, isKnownBefore)
                        .isEqualTo(1);
            }
        }
    }

    private static int operations() {
        Life life = new Life();
        life.live();
        life.work(2_000);
        return life.disk.operations();
    }

    private static void assertSound(Life life, String what) {
        List<String> names = life.disk.storedNames();
        assertThat(names).as(what).allMatch(name -> name.endsWith(".ulg"));
        assertThat(names).as(what).hasSizeLessThanOrEqualTo(MAX_FILES);
        assertThat(names).as(what).contains(life.finished.get(life.finished.size() - 1));
        assertThat(life.keeper.spaceStatus().state()).as(what).isEqualTo(Keeper.SpaceStatus.State.OK);
    }
}
