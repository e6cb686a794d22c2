package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mavlogd.store.RetentionPolicy.Growing;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.store.SpaceLimits.Retention;
import org.mavlogd.store.SpaceLimits.Uploads;

/** The decision alone; numbers are small because units do not matter to it. */
class RetentionPolicyTest {
    private static final Growing IDLE = new Growing(0, 0, false, Long.MAX_VALUE);
    private static final Growing RECORDING = new Growing(1, 5, true, Long.MAX_VALUE);
    private static final long PLENTY = Long.MAX_VALUE;
    // Pauses below 10, resumes from 15, wants 100 free.
    private static final SpaceLimits.Levels LEVELS = new SpaceLimits.Levels(10, 15, 100);

    private final List<RetentionPolicy.StoredLog> logs = new ArrayList<>();

    @Test
    void deletesNothingWithinTheLimits() {
        add(1, 10);
        add(2, 10);

        assertThat(decide(new SpaceLimits(100, 25, 3, 10), RECORDING, 100)).isEmpty();
        assertThat(decide(new SpaceLimits(0, 0, 0, 10), RECORDING, PLENTY)).isEmpty();
    }

    @Test
    void deletesTheOldestUntilTheNumberFits() {
        add(3, 10);
        add(1, 10);
        add(2, 10);

        assertThat(decide(limits(0, 0, 3), RECORDING, PLENTY)).containsExactly("1 max_files");
        assertThat(decide(limits(0, 0, 3), IDLE, PLENTY)).isEmpty();
        assertThat(decide(limits(0, 0, 1), RECORDING, PLENTY))
                .containsExactly("1 max_files", "2 max_files", "3 max_files");
    }

    @Test
    void deletesTheOldestUntilTheSizeFits() {
        add(1, 10);
        add(2, 20);
        add(3, 30);

        assertThat(decide(limits(0, 60, 0), IDLE, PLENTY)).isEmpty();
        assertThat(decide(limits(0, 59, 0), IDLE, PLENTY)).containsExactly("1 max_total_mib");
        assertThat(decide(limits(0, 50, 0), RECORDING, PLENTY)).containsExactly("1 max_total_mib", "2 max_total_mib");
    }

    @Test
    void countsFilesThatAreNotListed() {
        add(1, 10);
        add(2, 20);
        RetentionPolicy.Others others = new RetentionPolicy.Others(3, 30);

        assertThat(decide(limits(0, 0, 5), others)).isEmpty();
        assertThat(decide(limits(0, 0, 4), others)).containsExactly("1 max_files");
        assertThat(decide(limits(0, 60, 0), others)).isEmpty();
        assertThat(decide(limits(0, 59, 0), others)).containsExactly("1 max_total_mib");
        // None of the listed logs is the newest.
        assertThat(decide(limits(0, 1, 0), others)).containsExactly("1 max_total_mib", "2 max_total_mib");
    }

    @Test
    void deletesTheOldestUntilEnoughIsFree() {
        add(1, 10);
        add(2, 20);
        add(3, 30);

        assertThat(decide(limits(100, 0, 0), IDLE, 100)).isEmpty();
        assertThat(decide(limits(100, 0, 0), IDLE, 99)).containsExactly("1 keep_free_mib");
        assertThat(decide(limits(100, 0, 0), IDLE, 90)).containsExactly("1 keep_free_mib");
        assertThat(decide(limits(100, 0, 0), IDLE, 89)).containsExactly("1 keep_free_mib", "2 keep_free_mib");
        assertThat(decide(limits(100, 0, 0), IDLE, 14)).containsExactly("1 reserve_mib", "2 keep_free_mib");
        assertThat(decide(limits(100, 0, 0), IDLE, 15)).containsExactly("1 keep_free_mib", "2 keep_free_mib");
    }

    @Test
    void sparesTheNewestUnlessRecordingNeedsItsRoom() {
        add(1, 10);

        assertThat(decide(limits(100, 0, 0), RECORDING, 15)).isEmpty();
        assertThat(decide(limits(100, 0, 0), RECORDING, 14)).containsExactly("1 reserve_mib");
        assertThat(decide(limits(100, 0, 0), IDLE, 0)).isEmpty();
        assertThat(decide(limits(100, 0, 0), new Growing(1, 5, true, 2), 14)).containsExactly("1 reserve_mib");
        assertThat(decide(limits(100, 0, 0), new Growing(1, 5, true, 1), 0)).isEmpty();
        assertThat(decide(limits(0, 0, 0), IDLE, PLENTY)).isEmpty();
    }

    @Test
    void neverDeletesForSpaceWhenToldSo() {
        add(1, 10);
        add(2, 10);

        assertThat(names(new RetentionPolicy(limits(0, 0, 0))
                        .decide(logs, RECORDING, 0, new SpaceLimits.Levels(10, 15, 0))))
                .isEmpty();
    }

    @Test
    void neitherDeletesNorCountsProtectedLogs() {
        long counter = 1;
        for (Protection protection : new Protection[] {Protection.KEPT, Protection.APPENDED, Protection.UNKNOWN}) {
            logs.add(new RetentionPolicy.StoredLog("x" + counter, 1000, counter, protection));
            counter++;
        }
        add(4, 10);
        add(5, 10);

        assertThat(decide(limits(0, 20, 2), IDLE, PLENTY)).isEmpty();
        assertThat(decide(limits(100, 1, 1), RECORDING, 0)).containsExactly("4 max_files", "5 max_files");
    }

    @Test
    void onlyTheNewestLogsWithDataOfACrashAreProtected() {
        int count = RetentionPolicy.MAX_CRASHED + 2;
        for (int i = 1; i <= count; i++) {
            logs.add(new RetentionPolicy.StoredLog(Integer.toString(i), 1, i, Protection.CRASHED));
        }
        add(count + 1, 10);

        assertThat(decide(limits(0, 0, 2), IDLE, PLENTY)).containsExactly("1 max_files");
        assertThat(decide(limits(100, 0, 0), RECORDING, 90)).containsExactly("1 keep_free_mib", "2 keep_free_mib");
    }

    @Test
    void whatIsAppendedToAULogProtectsTheBlocksOfItsFlightToo() {
        for (int i = 1; i <= 2 * RetentionPolicy.MAX_CRASHED + 2; i += 2) {
            logs.add(new RetentionPolicy.StoredLog(i + ".bin", 1, i, i, Protection.NONE));
            logs.add(new RetentionPolicy.StoredLog((i + 1) + ".ulg", 1, i, i + 1, Protection.CRASHED));
        }
        logs.add(new RetentionPolicy.StoredLog("91.bin", 1, 91, 91, Protection.NONE));
        logs.add(new RetentionPolicy.StoredLog("92.ulg", 1, 91, 92, Protection.APPENDED));
        logs.add(new RetentionPolicy.StoredLog("93.ulg", 1, 91, 93, Protection.CRASHED));
        logs.add(new RetentionPolicy.StoredLog("94.bin", 1, 94, 94, Protection.NONE));

        assertThat(decide(limits(0, 1, 0), RECORDING, PLENTY))
                .containsExactly(
                        "1.bin max_total_mib",
                        "2.ulg max_total_mib",
                        "3.bin max_total_mib",
                        "4.ulg max_total_mib",
                        "94.bin max_total_mib");
    }

    @Test
    void logsWithDataOfACrashKeepAShareOfTheRoomForLogsOnly() {
        for (int i = 1; i <= 4; i++) {
            logs.add(new RetentionPolicy.StoredLog(Integer.toString(i), 100, i, Protection.CRASHED));
        }

        // A quarter of all space: 400 in logs, 5 in the file being written, and the free space.
        assertThat(decide(limits(0, 1, 0), RECORDING, 395)).containsExactly("1 max_total_mib", "2 max_total_mib");
        assertThat(decide(limits(0, 1, 0), RECORDING, 394))
                .containsExactly("1 max_total_mib", "2 max_total_mib", "3 max_total_mib");
    }

    @Test
    void freeSpaceThatNobodyCanTellDoesNotOverflow() {
        add(1, 10);
        add(2, 10);

        assertThat(decide(limits(100, 0, 1), IDLE, PLENTY)).containsExactly("1 max_files");
        assertThat(decide(limits(100, 0, 1), IDLE, PLENTY - 5)).containsExactly("1 max_files");
    }

    @Test
    void logsWithTheSameNumberGoByName() {
        logs.add(new RetentionPolicy.StoredLog("b", 10, 7, Protection.NONE));
        logs.add(new RetentionPolicy.StoredLog("a", 10, 7, Protection.NONE));

        assertThat(new RetentionPolicy(limits(0, 0, 1))
                        .decide(logs, IDLE, PLENTY, LEVELS)
                        .get(0)
                        .log()
                        .name())
                .isEqualTo("a");
    }

    private void addFile(String name, long log, long counter) {
        logs.add(new RetentionPolicy.StoredLog(name, 10, log, counter, Protection.NONE));
    }

    @Test
    void bothFilesOfAFlightCountAsOneLogAndGoTogether() {
        addFile("1.bin", 1, 1);
        addFile("1-2.ulg", 1, 2);
        addFile("3.bin", 3, 3);
        addFile("3-4.ulg", 3, 4);
        addFile("5.ulg", 5, 5);
        addFile("6.bin", 6, 6);

        assertThat(decide(limits(0, 0, 4), IDLE, PLENTY)).isEmpty();
        assertThat(decide(limits(0, 0, 3), IDLE, PLENTY)).containsExactly("1.bin max_files", "1-2.ulg max_files");
        assertThat(decide(limits(0, 0, 1), IDLE, PLENTY))
                .containsExactly(
                        "1.bin max_files",
                        "1-2.ulg max_files",
                        "3.bin max_files",
                        "3-4.ulg max_files",
                        "5.ulg max_files");
    }

    @Test
    void telemetryIsNoLogOfItsOwnAndGoesBeforeTheLogThatItIsBeside() {
        addFile("1.ulg", 1, 1);
        addFile("1-2.tlog", 1, 2);
        addFile("3.bin", 3, 3);
        addFile("3-4.tlog", 3, 4);
        addFile("5.tlog", 5, 5);

        assertThat(decide(limits(0, 0, 3), IDLE, PLENTY)).isEmpty();
        assertThat(decide(limits(0, 0, 2), IDLE, PLENTY)).containsExactly("1-2.tlog max_files", "1.ulg max_files");
        assertThat(decide(limits(0, 0, 1), IDLE, PLENTY))
                .containsExactly("1-2.tlog max_files", "1.ulg max_files", "3-4.tlog max_files", "3.bin max_files");
    }

    @Test
    void filesOfAnOlderLogGoFirstHoweverLateTheyWereMade() {
        addFile("1.bin", 1, 1);
        addFile("2.ulg", 2, 2);
        addFile("1-3.ulg", 1, 3);

        assertThat(decide(limits(0, 0, 1), IDLE, PLENTY)).containsExactly("1.bin max_files", "1-3.ulg max_files");
    }

    @Test
    void bothFilesOfTheNewestFlightAreSparedAndPartsOfALongLogAreNot() {
        addFile("1.ulg", 1, 1);
        addFile("1-2.ulg", 1, 2);
        assertThat(decide(limits(100, 0, 0), RECORDING, 50)).containsExactly("1.ulg keep_free_mib");

        logs.clear();
        addFile("1.bin", 1, 1);
        addFile("1-2.ulg", 1, 2);
        assertThat(decide(limits(100, 0, 0), RECORDING, 50)).isEmpty();
    }

    @Test
    void levelsFitTheSizeOfTheDisk() {
        long mebi = 1 << 20;
        SpaceLimits byDefault = new SpaceLimits(1024 * mebi, 0, 0, 32 * mebi);

        assertThat(SpaceLimits.Levels.of(byDefault, 64L * 1024 * mebi))
                .isEqualTo(new SpaceLimits.Levels(32 * mebi, 40 * mebi, 1024 * mebi));
        assertThat(SpaceLimits.Levels.of(byDefault, 24 * mebi))
                .isEqualTo(new SpaceLimits.Levels(24 * mebi / 16, 24 * mebi / 16 * 5 / 4, 3 * mebi));
        assertThat(SpaceLimits.Levels.of(byDefault, Long.MAX_VALUE).wantedFree())
                .isEqualTo(1024 * mebi);
        // With less than the reserve, recording would pause before anything is deleted.
        assertThat(SpaceLimits.Levels.of(new SpaceLimits(mebi, 0, 0, 32 * mebi), 1024 * mebi))
                .isEqualTo(new SpaceLimits.Levels(32 * mebi, 40 * mebi, 40 * mebi));
        assertThat(SpaceLimits.Levels.of(new SpaceLimits(0, 0, 0, 16), 1024 * mebi))
                .isEqualTo(new SpaceLimits.Levels(16, 16 + (256 << 10), 0));
    }

    @Test
    void limitsApplyAsFarAsTheDiskHasRoom() {
        long mebi = 1 << 20;
        SpaceLimits byDefault = new SpaceLimits(1024 * mebi, 7, 3, 32 * mebi);

        assertThat(byDefault.on(64L * 1024 * mebi)).isEqualTo(byDefault);
        assertThat(byDefault.on(Long.MAX_VALUE)).isEqualTo(byDefault);
        assertThat(byDefault.on(64 * mebi)).isEqualTo(new SpaceLimits(8 * mebi, 7, 3, 4 * mebi));
        assertThat(byDefault.on(0).reserveBytes()).isEqualTo(1);
    }

    @Test
    void refusesLimitsThatMakeNoSense() {
        assertThatThrownBy(() -> new SpaceLimits(-1, 0, 0, 1)).hasMessageContaining("keep free -1");
        assertThatThrownBy(() -> new SpaceLimits(0, -1, 0, 1)).hasMessageContaining("total -1");
        assertThatThrownBy(() -> new SpaceLimits(0, 0, -1, 1)).hasMessageContaining("files -1");
        assertThatThrownBy(() -> new SpaceLimits(0, 0, 0, 0)).hasMessageContaining("reserve 0");
    }

    @Test
    void uploadedLogsGoFirstAndTheOthersWhenTheyMust() {
        addUploaded(1, false);
        addUploaded(2, true);
        addUploaded(3, false);
        addUploaded(4, true);
        SpaceLimits uploadedFirst =
                new SpaceLimits(100, 0, 0, 10, new Uploads(Retention.UPLOADED_FIRST, Optional.empty()));

        assertThat(decide(uploadedFirst, RECORDING, 90)).containsExactly("2 keep_free_mib");
        assertThat(decide(uploadedFirst, RECORDING, 80)).containsExactly("2 keep_free_mib", "1 keep_free_mib");
        // The newest stays although it was uploaded.
        assertThat(decide(uploadedFirst, RECORDING, 20))
                .containsExactly("2 keep_free_mib", "1 keep_free_mib", "3 keep_free_mib");
    }

    private void addUploaded(long counter, boolean isUploaded) {
        logs.add(new RetentionPolicy.StoredLog(
                Long.toString(counter), 10, counter, counter, Protection.NONE, isUploaded));
    }

    private void add(long counter, long bytes) {
        logs.add(new RetentionPolicy.StoredLog(Long.toString(counter), bytes, counter, Protection.NONE));
    }

    private static SpaceLimits limits(long keepFree, long maxTotal, int maxFiles) {
        return new SpaceLimits(keepFree, maxTotal, maxFiles, 10);
    }

    private List<String> decide(SpaceLimits limits, Growing growing, long usable) {
        return names(new RetentionPolicy(limits).decide(logs, growing, usable, LEVELS));
    }

    private List<String> decide(SpaceLimits limits, RetentionPolicy.Others others) {
        return names(new RetentionPolicy(limits).decide(logs, others, IDLE, PLENTY, LEVELS));
    }

    private static List<String> names(List<RetentionPolicy.Deletion> deletions) {
        return deletions.stream()
                .map(deletion -> deletion.log().name() + " " + deletion.why().text())
                .toList();
    }
}
