package org.mavlogd.signing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.metrics.Metrics;

/**
 * Frames that a real PX4 signed with the key of zeros, which it uses if none is set: 2415 frames, whose times just
 * count from 0.
 */
class SignatureCaptureTest {
    private static final int FRAMES = 2415;
    private static final SigningKey ZERO = SignedFrames.key(0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Signing.FrameGate gate(SigningKey key, String state) {
        Signing signing = new Signing(key, Signing.Policy.SIGNED_ONLY, directory.resolve(state), () -> 0);
        signing.agent().doWork();
        return signing.forLink(0, "test", new Metrics()).gate();
    }

    private static List<Proof> judge(Signing.FrameGate gate) throws IOException {
        byte[] tlog;
        try (InputStream in = new GZIPInputStream(
                SignatureCaptureTest.class.getResourceAsStream("/captures/px4/16_signed_frames.tlog.gz"))) {
            tlog = in.readAllBytes();
        }
        List<Proof> proofs = new ArrayList<>();
        FrameDecoder decoder =
                new FrameDecoder((frame, now) -> proofs.add(gate.judge(frame, now)), FrameCounters.unregistered());
        for (int at = Long.BYTES; at < tlog.length; at += Long.BYTES) {
            int length = 25 + (tlog[at + 1] & 0xFF); // MAVLink 2, signed
            decoder.decodeDatagram(tlog, at, length, 0);
            at += length;
        }
        return proofs;
    }

    @Test
    void everyFrameIsRightOnceAndOldWhenRepeated() throws IOException {
        Signing.FrameGate gate = gate(ZERO, "a");

        assertThat(judge(gate)).isEqualTo(Collections.nCopies(FRAMES, Proof.SIGNED));
        assertThat(judge(gate)).isEqualTo(Collections.nCopies(FRAMES, Proof.OLD));
    }

    @Test
    void noFrameIsRightWithAnotherKey() throws IOException {
        assertThat(judge(gate(SignedFrames.key(1), "b"))).isEqualTo(Collections.nCopies(FRAMES, Proof.REFUSED));
        assertThat(judge(gate(SigningKey.ofPassphrase("mavlogd"), "c")))
                .isEqualTo(Collections.nCopies(FRAMES, Proof.REFUSED));
    }

    @Test
    void aPassphraseIsHashedAsGroundStationsDo() {
        // sha256("password"), as in any list of such hashes
        SigningKey expected = SigningKey.of(
                HexFormat.of().parseHex("5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"));
        byte[] frame = new SignedFrames(expected).at(5);

        assertThat(SignedFrames.judge(gate(SigningKey.ofPassphrase("password"), "d"), frame, 0))
                .containsExactly(Proof.SIGNED);
    }
}
