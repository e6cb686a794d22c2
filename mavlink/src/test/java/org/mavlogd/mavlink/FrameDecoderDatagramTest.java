package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mavlogd.mavlink.FrameBytes.cut;
import static org.mavlogd.mavlink.FrameBytes.heartbeat;
import static org.mavlogd.mavlink.FrameBytes.join;
import static org.mavlogd.mavlink.FrameBytes.logChunk;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Complete and truncated datagrams, and signatures. */
final class FrameDecoderDatagramTest {
    private static final int CHECKED_LENGTH = 267;
    private static final int SIGNED_LENGTH = 280;

    private final FrameLog log = new FrameLog();

    @Test
    void datagramMayHoldSeveralFrames() {
        log.datagram(join(heartbeat(1), logChunk(2).signed().bytes(), heartbeat(3)))
                .datagram(heartbeat(4));

        assertThat(log.sequences).containsExactly(1, 2, 3, 4);
        assertThat(log.counters.skippedBytes().get()).isZero();
    }

    @Test
    void emptyDatagramIsNothing() {
        log.datagram(new byte[0]).datagram(heartbeat(1));

        assertThat(log.sequences).containsExactly(1);
    }

    @Test
    void signatureIsShown() {
        byte[] bytes = logChunk(1)
                .signed(200, 0xFEDC_BA98_7654L, new byte[] {1, 2, 3, 4, 5, (byte) 0xFD})
                .bytes();
        byte[] hash = new byte[6];
        long[] seen = new long[2];
        FrameDecoder decoder = new FrameDecoder(
                (frame, nowNs) -> {
                    seen[0] = frame.signatureLinkId();
                    seen[1] = frame.signatureTimestamp();
                    frame.copySignatureHash(hash, 0);
                },
                FrameCounters.unregistered());

        decoder.decodeDatagram(bytes, 0, bytes.length, 0);

        assertThat(seen).containsExactly(200, 0xFEDC_BA98_7654L);
        assertThat(hash).containsExactly(1, 2, 3, 4, 5, 0xFD);
    }

    @Test
    void signatureThatIsNotThereIsNotShown() {
        int[] asked = new int[1];
        FrameDecoder decoder = new FrameDecoder(
                (frame, nowNs) -> {
                    assertThatThrownBy(frame::signatureLinkId).isInstanceOf(IllegalStateException.class);
                    asked[0]++;
                },
                FrameCounters.unregistered());
        byte[] unsigned = heartbeat(1);
        byte[] cut = cut(logChunk(2).signed().bytes(), CHECKED_LENGTH);

        decoder.decodeDatagram(unsigned, 0, unsigned.length, 0);
        decoder.decodeDatagram(cut, 0, cut.length, 0);

        assertThat(asked).containsExactly(2);
    }

    @Test
    void frameWhoseSignatureIsCutIsDeliveredAtOnce() {
        byte[] whole = logChunk(1).signed().bytes();
        for (int length = CHECKED_LENGTH; length < SIGNED_LENGTH; length++) {
            FrameLog seen = new FrameLog();

            seen.datagram(cut(whole, length));

            assertThat(seen.cutSignatures).as("cut at %d", length).containsExactly(true);
            assertThat(seen.counters.cutSignatures().get()).isEqualTo(1);
            seen.datagram(cut(whole, length)).datagram(whole).datagram(heartbeat(2));
            assertThat(seen.cutSignatures).containsExactly(true, true, false, false);
            assertThat(seen.counters.cutFrames().get()).isZero();
            assertThat(seen.counters.badChecksums().get()).isZero();
        }
    }

    @Test
    void streamSurvivesSignaturesCutAnywhere() {
        byte[] text = {(byte) 0xFE, 'x'};
        for (int length = CHECKED_LENGTH; length < SIGNED_LENGTH; length++) {
            for (int chunk : new int[] {1, 50, 10_000}) {
                FrameLog seen = new FrameLog();
                byte[] one = cut(logChunk(1).signed().bytes(), length);
                byte[] two = cut(logChunk(2).signed().bytes(), length);

                seen.stream(
                        join(
                                one,
                                two,
                                heartbeat(3),
                                one,
                                text,
                                logChunk(4).signed().bytes(),
                                heartbeat(5)),
                        chunk);

                assertThat(seen.sequences)
                        .as("cut at %d, pieces of %d", length, chunk)
                        .containsExactly(1, 2, 3, 1, 4, 5);
                assertThat(seen.counters.cutSignatures().get()).isBetween(2L, 3L);
            }
        }
    }

    @Test
    void shortFrameBehindACutSignatureIsNotTakenForTheSignature() {
        byte[] thirteen =
                FrameBytes.v2(MessageIds.HEARTBEAT).sequence(2).payload(0).bytes();
        byte[] signed = cut(logChunk(1).signed().bytes(), CHECKED_LENGTH);
        assertThat(thirteen).hasSize(13);

        log.datagram(join(signed, thirteen));

        assertThat(log.sequences).containsExactly(1, 2);
    }

    @Test
    void frameSplitAnywhereOverTwoDatagramsIsPutTogether() {
        byte[] whole = logChunk(1).bytes();
        for (int length = 1; length < whole.length; length++) {
            FrameLog seen = new FrameLog();

            seen.datagram(join(heartbeat(0), cut(whole, length)))
                    .datagram(join(Arrays.copyOfRange(whole, length, whole.length), heartbeat(2)));

            assertThat(seen.sequences).as("split at %d", length).containsExactly(0, 1, 2);
            assertThat(seen.counters.cutFrames().get()).isZero();
            assertThat(seen.counters.skippedBytes().get()).isZero();
        }
    }

    @Test
    void frameMaySpanManyDatagrams() {
        byte[] bytes = join(logChunk(1).bytes(), heartbeat(2), logChunk(3).bytes());

        for (int at = 0; at < bytes.length; at += 10) {
            log.datagram(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 10)));
        }

        assertThat(log.sequences).containsExactly(1, 2, 3);
    }

    @Test
    void incompletePredecessorNeitherDelaysNorCostsAWholeDatagram() {
        byte[] whole = logChunk(1).bytes();
        for (int length = 1; length < whole.length; length++) {
            FrameLog seen = new FrameLog();

            seen.datagram(cut(whole, length)).datagram(heartbeat(2));

            assertThat(seen.sequences).as("cut at %d", length).containsExactly(2);
            assertThat(seen.counters.cutFrames().get()).isEqualTo(1);
            assertThat(seen.counters.skippedBytes().get()).isEqualTo(length);
        }
    }

    @Test
    void frameCarriedByACutOneIsNotDelivered() {
        byte[] carrier = FrameBytes.v2(MessageIds.LOGGING_DATA)
                .payload(join(new byte[] {1}, heartbeat(99), new byte[200]))
                .bytes();

        log.datagram(cut(carrier, 150)).datagram(heartbeat(1));

        assertThat(log.sequences).containsExactly(1);
    }

    @Test
    void framesOfLaterDatagramsAreNotLostWithAnIncompleteOne() {
        byte[] rest = {1, 2, 3};

        log.datagram(cut(logChunk(1).bytes(), 30))
                .datagram(join(rest, heartbeat(2)))
                .datagram(heartbeat(3));

        assertThat(log.sequences).containsExactly(2, 3);
    }

    @Test
    void noiseThatClaimsMoreThanItsDatagramDoesNotHideFramesBehindIt() {
        byte[] noise = {'x', (byte) 0xFD, (byte) 255, 0, 0, 1, 1, 1, 0, 0, 0};

        log.datagram(join(noise, heartbeat(1), heartbeat(2)));

        assertThat(log.sequences).containsExactly(1, 2);
        assertThat(log.counters.skippedBytes().get()).isEqualTo(noise.length);
    }
}
