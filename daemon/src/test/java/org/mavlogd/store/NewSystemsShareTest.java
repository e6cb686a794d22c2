package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.mavlogd.store.RetentionPolicy.Deletion;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.store.RetentionPolicy.Why;

/** Which log is deleted first if system 1 flew in earlier runs and system 77 appears in this one. */
class NewSystemsShareTest {
    private static final long FIRST_OF_THIS_RUN = 100;
    private static final long NONE = -1;

    private final List<RetentionPolicy.StoredLog> logs = new ArrayList<>();
    private final List<Disk.Entry> growing = new ArrayList<>();
    private Why why = Why.KEEP_FREE;
    private final NewSystemsShare share = new NewSystemsShare();

    @Test
    void aSystemThatNeverFlewBeforeFillsAQuarterAtMost() {
        add(1, 1, 300);
        add(77, 100, 50);
        add(77, 101, 50);
        assertThat(first()).isEqualTo(1);

        add(77, 102, 1);

        assertThat(first()).isEqualTo(100);
    }

    @Test
    void filesBeingWrittenCount() {
        add(1, 1, 300);
        add(77, 100, 50);
        growing.add(new Disk.Entry(name(77, 101) + ".part", 60));

        assertThat(first()).isEqualTo(100);
    }

    @Test
    void whileNewSystemsHaveOnlyFilesBeingWrittenNoOldLogGoes() {
        add(1, 1, 300);
        growing.add(new Disk.Entry(name(77, 100) + ".part", 100));
        assertThat(first()).isEqualTo(1);

        growing.add(new Disk.Entry(name(78, 101) + ".part", 50));

        assertThat(first()).isEqualTo(NONE);
    }

    @Test
    void aSystemThatFlewBeforeReplacesOldLogsAlsoWhenTheseAreGone() {
        add(1, 1, 300);
        add(2, 2, 10);
        assertThat(first()).isEqualTo(1);
        logs.remove(1);
        add(2, 100, 1000);

        assertThat(first()).isEqualTo(1);
    }

    @Test
    void logsOfThisComputerAndThoseOfTheOnlySystemGoByAge() {
        logs.add(new RetentionPolicy.StoredLog("2026-03-20_12-00-00_local_000100.ulg", 1000, 100, Protection.NONE));
        add(1, 1, 10);
        assertThat(first()).isEqualTo(1);

        logs.clear();
        add(77, 100, 10);
        add(77, 101, 10);
        assertThat(first()).isEqualTo(100);
    }

    @Test
    void protectedLogsStayWhoeverTheyAreOf() {
        add(1, 1, 10);
        logs.add(new RetentionPolicy.StoredLog(name(77, 100), 1000, 100, Protection.KEPT));

        assertThat(first()).isEqualTo(1);
    }

    @Test
    void whereFilesAreShortTheyMakeAQuarterOfThemAtMost() {
        for (int i = 1; i <= 9; i++) {
            add(1, i, 100);
        }
        for (int i = 100; i < 103; i++) {
            add(77, i, 1);
        }
        why = Why.MAX_FILES;
        assertThat(first()).isEqualTo(1);

        add(77, 103, 1);

        assertThat(first()).isEqualTo(100);
        why = Why.MAX_TOTAL;
        assertThat(first()).isEqualTo(1);
    }

    @Test
    void theyNeverHaveMoreThanTenThousandFiles() {
        add(1, 1, 1 << 20);
        for (int i = 0; i < NewSystemsShare.MAX_FILES; i++) {
            add(77, 100 + i, 1);
        }
        assertThat(share.excess(logs, tally())).isEmpty();

        add(78, 99_999, 1);

        assertThat(share.excess(logs, tally()))
                .map(deletion -> deletion.log().counter())
                .contains(100L);
    }

    private NewSystemsShare.Tally tally() {
        logs.stream()
                .filter(log -> log.counter() < FIRST_OF_THIS_RUN)
                .forEach(log -> share.know(StoredName.parse(log.name()).orElseThrow()));
        NewSystemsShare.Tally tally = new NewSystemsShare.Tally();
        logs.forEach(log -> share.count(tally, StoredName.parse(log.name()).orElseThrow(), log.bytes()));
        return tally;
    }

    private void add(int systemId, long counter, long bytes) {
        logs.add(new RetentionPolicy.StoredLog(name(systemId, counter), bytes, counter, Protection.NONE));
    }

    private static String name(int systemId, long counter) {
        return String.format(Locale.ROOT, "2026-03-20_12-00-00_sys%03d_%06d.ulg", systemId, counter);
    }

    /** The log deleted when the oldest deletable one is due. */
    private long first() {
        RetentionPolicy.StoredLog oldest = logs.stream()
                .filter(log -> log.protection() == Protection.NONE)
                .min((a, b) -> Long.compare(a.counter(), b.counter()))
                .orElseThrow();
        return share.first(new Deletion(oldest, why), logs, tally(), growing)
                .map(deletion -> deletion.log().counter())
                .orElse(NONE);
    }
}
