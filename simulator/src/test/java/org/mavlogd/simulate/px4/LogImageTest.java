package org.mavlogd.simulate.px4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogImageTest {
    @Test
    void cutsTheRoverLogWhereTheVehicleBeganData() {
        LogImage log = RoverLog.image();

        assertThat(log.length()).isEqualTo(1_228_848);
        assertThat(log.definitionsLength()).isEqualTo(84_352);
        assertThat(log.postFlightLength()).isEqualTo(1_228_848 - 1_222_192);
        assertThat(log.dataLength()).isEqualTo(1_222_192 - 84_352);
        assertThat(log.ignoredTailBytes()).isZero();
        assertThat(log.startTimeUs()).isEqualTo(60_228_000);
        assertThat(log.dataDurationUs()).isBetween(36_000_000L, 39_000_000L);
    }

    @Test
    void leavesOutAnUnfinishedTail() {
        byte[] whole = TestLog.withSamples(3, 1000).toBytes();

        for (int cut = 1; cut < 100; cut++) {
            LogImage log = LogImage.of(Arrays.copyOf(whole, whole.length - cut));

            assertThat(log.length()).isEqualTo(whole.length - 100);
            assertThat(log.ignoredTailBytes()).isEqualTo(100 - cut);
        }
    }

    @Test
    void stopsAtBytesThatAreNoMessage() {
        LogImage log = TestLog.withSamples(3, 1000).raw(new byte[500]).image();

        assertThat(log.ignoredTailBytes()).isEqualTo(500);
    }

    @Test
    void refusesWhatIsNoLog(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("x.ulg"), new byte[1000]);

        assertThatThrownBy(() -> LogImage.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.ulg")
                .hasMessageContaining("not a ULog file");
        assertThatThrownBy(() -> LogImage.read(Files.write(directory.resolve("empty.ulg"), new byte[0])))
                .isInstanceOf(IOException.class);
    }

    @Test
    void takesALogOfNothingButAHeader() {
        LogImage log = TestLog.startedAt(7).image();

        assertThat(log.length()).isEqualTo(16);
        assertThat(log.definitionsLength()).isEqualTo(16);
        assertThat(log.dataDurationUs()).isZero();
    }

    @Test
    void paceFollowsTheHighestTimestampAndIgnoresDamagedOnes() {
        LogImage log = TestLog.startedAt(0)
                .subscribe(0)
                .sample(0, 5_000_000, 1)
                .sample(0, 4_000_000, 1)
                .sample(0, Long.MAX_VALUE, 1)
                .sample(0, 5_010_000, 1)
                .text(5_020_000, "hello")
                .message('S', "0123456789")
                .sample(0, -1, 1)
                .sample(0, 65_000_000, 1)
                .image();

        long[] dueUs = new long[log.firstPostFlight() - log.firstData()];
        Arrays.setAll(dueUs, i -> log.dueUs(log.firstData() + i));

        assertThat(dueUs).containsExactly(0, 0, 0, 10_000, 20_000, 20_000, 20_000, 10_020_000);
        assertThat(log.lapUs()).isGreaterThan(61_000_000);
    }
}
