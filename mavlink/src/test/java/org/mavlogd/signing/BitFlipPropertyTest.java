package org.mavlogd.signing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.metrics.Metrics;

/** No frame with a flipped bit is accepted, in payload, header, checksum, time or hash. */
class BitFlipPropertyTest {
    private static final long SEED = Long.getLong("mavlogd.seed", 20_261_121);
    private static final int FLIPS = 100_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void noDamagedSignedFrameIsAccepted() {
        SigningKey key = SignedFrames.key(3);
        Signing signing = new Signing(key, Signing.Policy.SIGNED_ONLY, directory.resolve("state"), () -> 0);
        signing.agent().doWork();
        Signing.FrameGate gate = signing.forLink(0, "test", new Metrics()).gate();
        SignedFrames frames = new SignedFrames(key);
        Random random = new Random(SEED);
        int judged = 0;

        for (int i = 0; i < FLIPS; i++) {
            byte[] frame = frames.at(1 + i);
            int bit = random.nextInt(frame.length * Byte.SIZE);
            frame[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            if (i % 2 == 0 && !Checksums.isIn(frame, bit / Byte.SIZE)) {
                // An attacker who changes a frame can also correct its checksum.
                Checksums.repair(frame);
            }
            List<Proof> proofs = SignedFrames.judge(gate, frame, 0);
            judged += proofs.size();
            assertThat(proofs).as("seed %d, flip %d, bit %d", SEED, i, bit).allMatch(proof -> proof == Proof.REFUSED);
        }

        // Some frames must reach the gate.
        assertThat(judged).isGreaterThan(FLIPS / 3);
        assertThat(SignedFrames.judge(gate, frames.at(FLIPS + 1), 0)).containsExactly(Proof.SIGNED);
        System.out.printf("bit flips of signed frames: %d, reached the gate: %d, accepted: 0%n", FLIPS, judged);
    }
}
