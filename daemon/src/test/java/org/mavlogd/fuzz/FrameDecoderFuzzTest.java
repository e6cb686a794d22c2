package org.mavlogd.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.signing.Proof;
import org.mavlogd.signing.Signing;
import org.mavlogd.signing.SigningKey;

/**
 * For any input, only received bytes are delivered, cutting a stream makes no difference, and no frame passes as signed
 * with the key.
 */
class FrameDecoderFuzzTest {
    private static final Signing.FrameGate GATE = gate();

    static Stream<byte[]> seeds() {
        return Seeds.streams();
    }

    private static Signing.FrameGate gate() {
        try {
            Path directory = Files.createTempDirectory("fuzz");
            directory.toFile().deleteOnExit();
            Signing signing = new Signing(
                    SigningKey.ofPassphrase("nobody knows"),
                    Signing.Policy.SIGNED_ONLY,
                    directory.resolve("state"),
                    System::currentTimeMillis);
            return signing.forLink(0, "fuzz", new Metrics()).gate();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @MethodSource("seeds")
    @FuzzTest
    void deliversOnlyWhatCame(byte[] bytes) {
        List<String> whole = decode(bytes, bytes.length + 1, false);
        int piece = 1 + (Arrays.hashCode(bytes) & 0x3F);

        assertThat(decode(bytes, piece, false)).as("pieces of %d", piece).isEqualTo(whole);
        decode(bytes, piece, true);
        decode(bytes, bytes.length + 1, true);
    }

    private static List<String> decode(byte[] bytes, int piece, boolean datagrams) {
        List<String> frames = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder(
                (frame, now) -> {
                    byte[] copy = new byte[frame.length()];
                    frame.copyFrame(copy, 0);
                    assertThat(isPartOf(copy, bytes)).isTrue();
                    assertThat(frame.payloadLength()).isLessThanOrEqualTo(frame.length());
                    assertThat(GATE.judge(frame, now)).isEqualTo(Proof.REFUSED);
                    frames.add(Arrays.toString(copy));
                },
                FrameCounters.unregistered());
        for (int at = 0; at < bytes.length; at += piece) {
            int length = Math.min(piece, bytes.length - at);
            if (datagrams) {
                decoder.decodeDatagram(bytes, at, length, at);
            } else {
                decoder.decode(bytes, at, length, at);
            }
        }
        return frames;
    }

    private static boolean isPartOf(byte[] part, byte[] whole) {
        for (int at = 0; at + part.length <= whole.length; at++) {
            if (Arrays.equals(part, 0, part.length, whole, at, at + part.length)) {
                return true;
            }
        }
        return false;
    }
}
