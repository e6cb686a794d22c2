package org.mavlogd.signing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.signing.ReplayGuard.Verdict;

class ReplayGuardTest {
    private static final long SECOND = SigningClock.UNITS_PER_SECOND;
    private static final long START_MS = Instant.parse("2026-03-20T12:00:00Z").toEpochMilli();

    private long wallMs = START_MS;
    private final SigningClock clock = new SigningClock(() -> wallMs, 0);
    private final ReplayGuard guard = unlimited(clock);

    private static ReplayGuard unlimited(SigningClock clock) {
        ReplayGuard guard = new ReplayGuard(clock, 0);
        guard.limit(Long.MAX_VALUE);
        return guard;
    }

    @Test
    void aStreamThatIsSilentForMoreThanAMinuteMakesRoomForANewOne() {
        for (int source = 0; source < ReplayGuard.MAX_STREAMS; source++) {
            assertThat(judge(source, clock.now())).isEqualTo(Verdict.NEW);
        }
        wallMs += 59_000;
        assertThat(judge(1000, clock.now())).isEqualTo(Verdict.NO_ROOM);
        wallMs += 2_000;
        for (int source = 1000; source < 1000 + 3 * ReplayGuard.MAX_STREAMS; source++) {
            assertThat(judge(source, clock.now() - SECOND)).isEqualTo(Verdict.NEW);
            wallMs += source % 200 == 0 ? 61_000 : 0;
        }
    }

    @Test
    void framesOfAForgottenStreamAreStillNotAcceptedAgainWhateverTheClockDoes() {
        long first = clock.now();
        for (int source = 0; source < ReplayGuard.MAX_STREAMS; source++) {
            judge(source, first + source % 3);
        }
        wallMs += 3_600_000;
        for (int source = 1000; source < 1000 + ReplayGuard.MAX_STREAMS; source++) {
            assertThat(judge(source, first + 30 * SECOND)).isEqualTo(Verdict.OLD);
            assertThat(judge(source, clock.now())).isEqualTo(Verdict.NEW);
        }

        wallMs = START_MS; // the clock was wrong
        for (int source = 0; source < ReplayGuard.MAX_STREAMS; source++) {
            assertThat(judge(source, first + source % 3)).isEqualTo(Verdict.OLD);
        }
    }

    /** The second link finds the slot that the first one has claimed but not yet given a time. */
    @Test
    void noLinkTakesAnOldFirstFrameWhileAnotherOneClaimsTheStream() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        BlockingQueue<Verdict> replayed = new ArrayBlockingQueue<>(1 << 16);
        int rounds = 5_000;
        long now = clock.now();
        ReplayGuard[] guards = new ReplayGuard[rounds];
        for (int i = 0; i < rounds; i++) {
            guards[i] = i % 250 == 0 ? unlimited(new SigningClock(() -> START_MS, 0)) : guards[i - 1];
        }
        Thread other = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                await(start);
                replayed.add(guards[i].judge(i % 250, 0, false, now - 3600 * SECOND, 1, 0));
            }
        });
        other.start();
        for (int i = 0; i < rounds; i++) {
            await(start);
            guards[i].judge(i % 250, 0, false, now, 0, 0);
        }
        other.join(TimeUnit.SECONDS.toMillis(60));

        assertThat(replayed).hasSize(rounds).doesNotContain(Verdict.NEW);
    }

    @Test
    void aDamagedStateOnAComputerWithoutAClockCountsFromTheFilesDate(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("state");
        Files.writeString(file, "mavlogd sig");
        Files.setLastModifiedTime(file, FileTime.fromMillis(START_MS));

        Signing signing = new Signing(SignedFrames.key(7), Signing.Policy.SIGNED_ONLY, file, () -> 0);
        signing.agent().onClose();

        assertThat(new SigningState(file).load().orElseThrow())
                .isGreaterThanOrEqualTo(new SigningClock(() -> START_MS, 0).now());
    }

    /** Log data waits in the kernel, other frames are read at once: either may come later than it was sent. */
    @Test
    void logDataAndOtherFramesMayOvertakeEachOtherButNeitherIsAcceptedTwice() {
        long now = clock.now();
        assertThat(guard.judge(1, 0, false, now + 5, 0, 0)).isEqualTo(Verdict.NEW);
        for (long stamp = now; stamp < now + 5; stamp++) {
            assertThat(guard.judge(1, 0, true, stamp, 0, 0)).isEqualTo(Verdict.NEW);
            assertThat(guard.judge(1, 0, true, stamp, 0, 0)).isEqualTo(Verdict.OLD);
            assertThat(guard.judge(1, 0, false, stamp, 0, 0)).isEqualTo(Verdict.OLD);
        }
        assertThat(guard.judge(1, 0, true, now + 9, 0, 0)).isEqualTo(Verdict.NEW);
        assertThat(guard.judge(1, 0, false, now + 6, 0, 0)).isEqualTo(Verdict.NEW);
        assertThat(guard.judge(1, 0, false, now + 5, 0, 0)).isEqualTo(Verdict.OLD);
    }

    @Test
    void logDataThatBeginsAfterOurClockJumpedIsAcceptedLikeTheOtherFrames() {
        long itsTime = clock.now();
        assertThat(guard.judge(1, 0, false, itsTime, 0, 0)).isEqualTo(Verdict.NEW);
        wallMs += 3_600_000;

        assertThat(guard.judge(1, 0, false, itsTime + 2, 0, 0)).isEqualTo(Verdict.NEW);
        assertThat(guard.judge(1, 0, true, itsTime + 1, 0, 0)).isEqualTo(Verdict.NEW);
        assertThat(guard.judge(1, 0, true, itsTime + 1, 0, 0)).isEqualTo(Verdict.OLD);
    }

    @Test
    void logDataAndOtherFramesOfAStreamBelongToOneLink() {
        long now = clock.now();
        assertThat(guard.judge(1, 0, false, now, 0, 0)).isEqualTo(Verdict.NEW);

        assertThat(guard.judge(1, 0, true, now + 1, 1, 0)).isEqualTo(Verdict.COPY);
        assertThat(guard.judge(1, 0, true, now + 1, 0, 0)).isEqualTo(Verdict.NEW);
    }

    /** A sender of log data only, too, keeps its place for a minute, and its frames stay old afterwards. */
    @Test
    void aStreamOfLogDataIsForgottenLikeAnyOther() {
        long first = clock.now();
        for (int source = 0; source < ReplayGuard.MAX_STREAMS; source++) {
            assertThat(guard.judge(source, 0, true, first, 0, 0)).isEqualTo(Verdict.NEW);
        }
        assertThat(judge(1000, clock.now())).isEqualTo(Verdict.NO_ROOM);
        wallMs += 61_000;
        assertThat(judge(1000, clock.now())).isEqualTo(Verdict.NEW);
        wallMs = START_MS;
        assertThat(guard.judge(0, 0, true, first, 0, 0)).isEqualTo(Verdict.OLD);
        assertThat(guard.judge(ReplayGuard.MAX_STREAMS - 1, 0, true, first, 0, 0))
                .isEqualTo(Verdict.OLD);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Verdict judge(int source, long stamp) {
        return guard.judge(source, 0, false, stamp, 0, 0);
    }
}
