package org.mavlogd.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.contain.Thrown;
import org.mavlogd.metrics.Metrics;

class SigningTest {
    private static final long EPOCH_2015_MS = 1_420_070_400_000L;
    private static final long UNITS_PER_MS = SigningClock.UNITS_PER_SECOND / 1000;
    private static final SigningKey KEY = SignedFrames.key(7);

    private final SignedFrames frames = new SignedFrames(KEY);
    private long wallMs = EPOCH_2015_MS + 300_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path state() {
        return directory.resolve("made/when/missing/signing.state");
    }

    private Signing signing(Signing.Policy policy) {
        Signing signing = new Signing(KEY, policy, state(), () -> wallMs);
        signing.agent().doWork();
        return signing;
    }

    private static Signing.FrameGate gate(Signing signing) {
        return signing.forLink(0, "a", new Metrics()).gate();
    }

    private long now() {
        return (wallMs - EPOCH_2015_MS) * UNITS_PER_MS;
    }

    private static Proof judge(Signing.FrameGate gate, byte[] frame) {
        return judge(gate, frame, 0);
    }

    private static Proof judge(Signing.FrameGate gate, byte[] frame, long nowNs) {
        List<Proof> proofs = SignedFrames.judge(gate, frame, nowNs);
        assertThat(proofs).hasSize(1);
        return proofs.get(0);
    }

    @Test
    void timesOfAStreamMustRise() {
        Signing.FrameGate gate = gate(signing(Signing.Policy.SIGNED_ONLY));

        assertThat(judge(gate, frames.at(now()))).isEqualTo(Proof.SIGNED);
        assertThat(judge(gate, frames.at(now()))).isEqualTo(Proof.OLD);
        assertThat(judge(gate, frames.at(now() - 1))).isEqualTo(Proof.OLD);
        assertThat(judge(gate, frames.at(now() + 1))).isEqualTo(Proof.SIGNED);
    }

    @Test
    void eachSenderAndLinkIdIsAStreamOfItsOwn() {
        Signing.FrameGate gate = gate(signing(Signing.Policy.SIGNED_ONLY));

        assertThat(judge(gate, frames.at(1, 0, now()))).isEqualTo(Proof.SIGNED);
        assertThat(judge(gate, frames.at(1, 1, now()))).isEqualTo(Proof.SIGNED);
        assertThat(judge(gate, frames.at(2, 0, now()))).isEqualTo(Proof.SIGNED);
        assertThat(judge(gate, frames.at(2, 0, now()))).isEqualTo(Proof.OLD);
    }

    @Test
    void aNewStreamMustNotBeOlderThanAMinute() {
        Signing.FrameGate gate = gate(signing(Signing.Policy.SIGNED_ONLY));

        assertThat(judge(gate, frames.at(now() - SignedFrames.MINUTE - 1))).isEqualTo(Proof.OLD);
        assertThat(judge(gate, frames.at(now() - SignedFrames.MINUTE))).isEqualTo(Proof.SIGNED);
        // Once the stream is accepted, its time may fall behind.
        wallMs += 3_600_000;
        assertThat(judge(gate, frames.at(now() - 59 * SignedFrames.MINUTE))).isEqualTo(Proof.SIGNED);
    }

    @Test
    void acceptedFramesPushTheClockForward() {
        Signing signing = signing(Signing.Policy.SIGNED_ONLY);
        Signing.FrameGate gate = gate(signing);
        long ahead = now() + SignedFrames.MINUTE / 4;

        assertThat(judge(gate, frames.at(1, 0, ahead))).isEqualTo(Proof.SIGNED);

        assertThat(judge(gate, frames.at(2, 0, ahead - SignedFrames.MINUTE - 1)))
                .isEqualTo(Proof.OLD);
        byte[] sent = SentFrames.heartbeat(signing, 0);
        assertThat(SentFrames.stamp(sent)).isEqualTo(ahead + 1);
    }

    @Test
    void aTimeFarAheadIsTakenOnceItIsOnTheMedium() {
        Signing signing = signing(Signing.Policy.SIGNED_ONLY);
        Signing.FrameGate gate = gate(signing);
        long ahead = now() + 1000 * SignedFrames.MINUTE;

        assertThat(judge(gate, frames.at(ahead))).isEqualTo(Proof.OLD);
        signing.agent().doWork();
        assertThat(judge(gate, frames.at(ahead))).isEqualTo(Proof.SIGNED);
    }

    @Test
    void nothingAcceptedBeforeACrashIsAcceptedAfterIt() {
        Signing.FrameGate before = gate(signing(Signing.Policy.SIGNED_ONLY));
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            byte[] frame = frames.at(1 + i % 3, i % 2, now() + i * 1000L);
            sent.add(frame);
            assertThat(judge(before, frame)).isEqualTo(Proof.SIGNED);
        }

        Signing after = signing(Signing.Policy.SIGNED_ONLY);

        Signing.FrameGate gate = gate(after);
        for (byte[] frame : sent) {
            assertThat(judge(gate, frame)).isEqualTo(Proof.OLD);
        }
        // The vehicle receives our first frame, adopts its time, and is accepted at once.
        byte[] ours = SentFrames.heartbeat(after, 0);
        assertThat(judge(gate, frames.at(SentFrames.stamp(ours) + 1))).isEqualTo(Proof.SIGNED);
    }

    @Test
    void afterAnOrderlyEndTheVehicleIsHeardAtOnce() {
        Signing first = signing(Signing.Policy.SIGNED_ONLY);
        byte[] last = frames.at(now() + 5);
        assertThat(judge(gate(first), last)).isEqualTo(Proof.SIGNED);
        first.agent().onClose();

        Signing.FrameGate gate = gate(signing(Signing.Policy.SIGNED_ONLY));

        assertThat(judge(gate, last)).isEqualTo(Proof.OLD);
        assertThat(judge(gate, frames.at(now() + 6))).isEqualTo(Proof.SIGNED);
    }

    @Test
    void aClockThatWasNotSetDoesNotOpenTheDoorToOldFrames() {
        byte[] yesterday = frames.at(now() - 24 * 60 * SignedFrames.MINUTE);
        signing(Signing.Policy.SIGNED_ONLY).agent().onClose();

        wallMs = 0;
        Signing.FrameGate gate = gate(signing(Signing.Policy.SIGNED_ONLY));

        assertThat(judge(gate, yesterday)).isEqualTo(Proof.OLD);
    }

    @Test
    void ourOwnTimesRiseOverACrashAndAClockThatStepsBack() {
        Signing signing = signing(Signing.Policy.SIGNED_ONLY);
        long last = 0;
        for (int i = 0; i < 100; i++) {
            wallMs -= 10;
            long stamp = SentFrames.stamp(SentFrames.heartbeat(signing, 0));
            assertThat(stamp).isGreaterThan(last);
            last = stamp;
        }
        assertThat(SentFrames.stamp(SentFrames.heartbeat(signing(Signing.Policy.SIGNED_ONLY), 0)))
                .isGreaterThan(last);
    }

    @Test
    void whatWeSendIsRightForWhoHasTheKey() {
        Signing ours = signing(Signing.Policy.SIGNED_ONLY);
        Signing theirs = new Signing(KEY, Signing.Policy.SIGNED_ONLY, directory.resolve("theirs"), () -> wallMs);
        theirs.agent().doWork();
        Signing.FrameGate gate = gate(theirs);

        for (int link = 0; link < 3; link++) {
            for (int i = 0; i < 10; i++) {
                assertThat(judge(gate, SentFrames.heartbeat(ours, link))).isEqualTo(Proof.SIGNED);
            }
        }
    }

    @Test
    void theSameStreamOnTwoLinksCountsOnOneAndMovesWhenThatOneIsSilent() {
        Signing signing = signing(Signing.Policy.SIGNED_ONLY);
        Signing.FrameGate first = signing.forLink(0, "a", new Metrics()).gate();
        Signing.FrameGate second = signing.forLink(1, "b", new Metrics()).gate();
        long second1 = 1_000_000_000L;

        for (int i = 0; i < 100; i++) {
            byte[] frame = frames.at(now() + i);
            assertThat(judge(i == 0 ? first : second, frame, i)).isEqualTo(i == 0 ? Proof.SIGNED : Proof.REFUSED);
            assertThat(judge(first, frame, i)).isEqualTo(i == 0 ? Proof.OLD : Proof.SIGNED);
        }
        assertThat(judge(second, frames.at(now() + 200), 5 * second1)).isEqualTo(Proof.REFUSED);
        assertThat(judge(second, frames.at(now() + 50), 6 * second1)).isEqualTo(Proof.OLD);
        assertThat(judge(second, frames.at(now() + 200), 6 * second1)).isEqualTo(Proof.SIGNED);
        assertThat(judge(first, frames.at(now() + 201), 6 * second1)).isEqualTo(Proof.REFUSED);
    }

    @Test
    void theNumberOfStreamsIsBounded() {
        Signing.FrameGate gate = gate(signing(Signing.Policy.SIGNED_ONLY));
        int accepted = 0;
        for (int i = 0; i < 1000; i++) {
            accepted += judge(gate, frames.at(1 + i % 200, i / 200, now())) == Proof.SIGNED ? 1 : 0;
        }

        assertThat(accepted).isEqualTo(ReplayGuard.MAX_STREAMS);
        // Streams that have a slot keep it.
        assertThat(judge(gate, frames.at(1, 0, now() + 1))).isEqualTo(Proof.SIGNED);
    }

    @Test
    void unsignedFramesAreRefusedOrTakenByPolicy() {
        assertThat(judge(gate(signing(Signing.Policy.SIGNED_ONLY)), SignedFrames.unsigned(1)))
                .isEqualTo(Proof.REFUSED);
        Signing.FrameGate mixed = gate(signing(Signing.Policy.MIXED));
        assertThat(judge(mixed, SignedFrames.unsigned(1))).isEqualTo(Proof.UNSIGNED);
        assertThat(judge(mixed, new SignedFrames(SignedFrames.key(8)).at(now())))
                .isEqualTo(Proof.REFUSED);
        assertThat(judge(mixed, frames.at(now() + 5 * SignedFrames.MINUTE / 4))).isEqualTo(Proof.SIGNED);
        assertThat(judge(mixed, SignedFrames.unsigned(1))).isEqualTo(Proof.SUSPECT);
        assertThat(judge(mixed, SignedFrames.unsigned(2))).isEqualTo(Proof.UNSIGNED);
    }

    @Test
    void aCutSignatureIsWorthNoMoreThanNone() {
        byte[] whole = frames.at(now());
        byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 3);

        assertThat(judge(gate(signing(Signing.Policy.SIGNED_ONLY)), cut)).isEqualTo(Proof.REFUSED);
        assertThat(judge(gate(signing(Signing.Policy.MIXED)), cut)).isEqualTo(Proof.UNSIGNED);
    }

    @Test
    void aDamagedStateMakesEverythingBeforeNowOld() throws IOException {
        Files.createDirectories(state().getParent());
        Files.writeString(state(), "mavlogd signing 1 12x\n");
        Files.setLastModifiedTime(state(), FileTime.fromMillis(0)); // the file system's clock is not the test's

        Signing.FrameGate gate = gate(signing(Signing.Policy.SIGNED_ONLY));

        assertThat(judge(gate, frames.at(now()))).isEqualTo(Proof.OLD);
        assertThat(judge(gate, frames.at(now() + 1))).isEqualTo(Proof.SIGNED);
    }

    @Test
    void aStateThatCannotBeStoredIsToldAndCostsNoFrames() throws IOException {
        Files.writeString(directory.resolve("made"), "in the way");

        Signing signing = signing(Signing.Policy.SIGNED_ONLY);

        assertThat(signing.agent().problem()).contains("cannot be stored", "signing.state");
        assertThat(judge(gate(signing), frames.at(now() + 1000 * SignedFrames.MINUTE)))
                .isEqualTo(Proof.SIGNED);
        Files.delete(directory.resolve("made"));
        signing.agent().doWork();
        assertThat(signing.agent().problem()).isEmpty();
    }

    @Test
    void anErrorInsideTheAgentIsToldAndCostsNoFrames() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            SigningState broken = new SigningState(state()) {
                @Override
                void store(long stamp) {
                    throw Thrown.<RuntimeException>sneak(error.get());
                }
            };
            Signing signing = new Signing(KEY, Signing.Policy.SIGNED_ONLY, broken, 0, () -> wallMs);

            assertThatThrownBy(() -> signing.agent().doWork()).isNotNull();

            assertThat(signing.agent().problem()).contains("cannot be stored");
            assertThat(judge(gate(signing), frames.at(now() + 1000 * SignedFrames.MINUTE)))
                    .isEqualTo(Proof.SIGNED);
        }
    }

    @Test
    void theStateIsStoredSeldom() throws IOException {
        Signing signing = signing(Signing.Policy.SIGNED_ONLY);
        Signing.FrameGate gate = gate(signing);
        int stored = 0;
        for (int second = 0; second < 600; second++) {
            wallMs += 1000;
            assertThat(judge(gate, frames.at(now()))).isEqualTo(Proof.SIGNED);
            stored += signing.agent().doWork();
        }

        assertThat(stored).isBetween(15, 25);
        assertThat(Files.size(state())).isLessThan(64);
    }

    @Test
    void theKeyIsNeverShown() {
        assertThat(KEY.toString()).doesNotContain("7").isEqualTo("signing key");
    }
}
