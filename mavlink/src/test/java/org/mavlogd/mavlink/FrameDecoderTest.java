package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mavlogd.mavlink.FrameBytes.UNKNOWN_ID;
import static org.mavlogd.mavlink.FrameBytes.cut;
import static org.mavlogd.mavlink.FrameBytes.heartbeat;
import static org.mavlogd.mavlink.FrameBytes.join;
import static org.mavlogd.mavlink.FrameBytes.logChunk;
import static org.mavlogd.mavlink.FrameBytes.v1;
import static org.mavlogd.mavlink.FrameBytes.v2;
import static org.mavlogd.mavlink.FrameBytes.zeros;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameDecoderTest {
    private static final byte[] BOOT_TEXT = "NuttShell (NSH)\r\nnsh> ".getBytes(StandardCharsets.US_ASCII);

    private final FrameLog log = new FrameLog();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, 10, 11, 279, 280, 1000})
    void deliversFramesOfBothVersionsInPiecesOfAnySize(int chunk) {
        byte[] bytes = join(
                v1(MessageIds.HEARTBEAT).sequence(1).payload(zeros(9)).bytes(),
                heartbeat(2),
                logChunk(3).bytes(),
                logChunk(4).signed().bytes(),
                heartbeat(5));

        log.stream(bytes, chunk);

        assertThat(log.sequences).containsExactly(1, 2, 3, 4, 5);
        assertThat(log.counters.frames().get()).isEqualTo(5);
        assertThat(log.wholeBytes).isEqualTo(bytes.length);
    }

    @Test
    void showsWhatTheFrameSays() {
        byte[] bytes = v2(MessageIds.LOGGING_ACK)
                .from(7, 191)
                .sequence(200)
                .payload(0x34, 0x12, 1, 1)
                .bytes();
        String[] seen = new String[1];
        FrameDecoder decoder = new FrameDecoder(
                (frame, nowNs) -> seen[0] = frame.isV2() + " " + frame.sequence() + " " + frame.systemId() + " "
                        + frame.componentId() + " " + frame.messageId() + " " + frame.uint16(0) + " at " + nowNs,
                FrameCounters.unregistered());

        decoder.decode(bytes, 0, bytes.length, 42);

        assertThat(seen).containsExactly("true 200 7 191 268 4660 at 42");
    }

    @Test
    void skipsBootTextAndCountsItsBytes() {
        log.stream(join(BOOT_TEXT, heartbeat(1), BOOT_TEXT, heartbeat(2)));

        assertThat(log.sequences).containsExactly(1, 2);
        assertThat(log.counters.skippedBytes().get()).isEqualTo(2L * BOOT_TEXT.length);
        assertThat(log.counters.badChecksums().get()).isZero();
    }

    @Test
    void wrongChecksumCostsThatFrameOnly() {
        byte[] damaged = logChunk(1).bytes();
        damaged[100] ^= 0x40;

        log.stream(join(heartbeat(0), damaged, logChunk(2).bytes(), heartbeat(3)));

        assertThat(log.sequences).containsExactly(0, 2, 3);
        assertThat(log.counters.badChecksums().get()).isEqualTo(1);
        assertThat(log.counters.skippedBytes().get()).isEqualTo(damaged.length);
    }

    @Test
    void frameCutAnywhereInAStreamCostsNoFrameBehindIt() {
        byte[] whole = logChunk(1).bytes();
        for (int length = 1; length < whole.length; length++) {
            FrameLog seen = new FrameLog();

            seen.stream(cut(whole, length));
            for (int sequence = 2; sequence < 32; sequence++) {
                seen.stream(heartbeat(sequence));
            }

            assertThat(seen.sequences).as("cut at %d", length).containsExactlyElementsOf(numbers(2, 32));
        }
    }

    @Test
    void acceptsEveryDialectsMessageOfANumberAndNothingElse() {
        long definitions = MessageTable.standard().definitions().stream()
                .filter(definition -> definition.id() == 180)
                .peek(definition ->
                        log.stream(v1(180).crcExtra(definition.crcExtra()).bytes()))
                .count();

        log.stream(v1(180).crcExtra(1).bytes());

        assertThat(definitions).isEqualTo(4);
        assertThat(log.counters.frames().get()).isEqualTo(4);
        assertThat(log.counters.badChecksums().get()).isEqualTo(1);
    }

    @Test
    void knowsMessagesThatAreNewerThanTheLibrary() {
        log.stream(v2(436).crcExtra(193).payload(1, 0, 0, 0, 0, 0, 0, 0, 2).bytes());

        assertThat(log.messageIds).containsExactly(436);
    }

    @Test
    void refusesArgumentsOutsideTheArray() {
        assertThatThrownBy(() -> log.decoder.decode(new byte[10], 5, 6, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> log.decoder.decodeDatagram(new byte[10], -1, 6, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    // Unknown messages

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64, 4096})
    void frameInsideAnUnknownMessageIsNeverDelivered(int chunk) {
        byte[] unknown = v2(UNKNOWN_ID)
                .payload(join(new byte[] {9}, heartbeat(99), new byte[] {9}))
                .bytes();
        byte[] ending = v2(UNKNOWN_ID).payload(heartbeat(99)).bytes();
        byte[] signed = v2(UNKNOWN_ID).payload(heartbeat(99)).signed().bytes();

        log.stream(join(heartbeat(1), unknown, heartbeat(2), ending, signed, unknown, heartbeat(3)), chunk);

        assertThat(log.sequences).containsExactly(1, 2, 3);
        assertThat(log.counters.unknownMessages().get()).isEqualTo(4);
        assertThat(log.counters.skippedBytes().get()).isZero();
    }

    @Test
    void unknownMessageThatFillsItsDatagramIsLeftOutAtOnce() {
        byte[] unknown = v2(UNKNOWN_ID).payload(heartbeat(99)).bytes();

        log.datagram(unknown);

        assertThat(log.counters.unknownMessages().get()).isEqualTo(1);
        log.datagram(heartbeat(1)).datagram(join(unknown, cut(logChunk(2).bytes(), 50)));
        assertThat(log.sequences).containsExactly(1);
        assertThat(log.counters.unknownMessages().get()).isEqualTo(2);
    }

    @Test
    void unknownMessagesOfMavlink1AreTakenFromOneSenderInARow() {
        byte[] unknown = v1(13).payload(heartbeat(99)).bytes();
        assertThat(MessageTable.standard().isKnown(13)).isFalse();

        log.stream(join(unknown, unknown, heartbeat(1)));

        assertThat(log.sequences).containsExactly(1);
        assertThat(log.counters.unknownMessages().get()).isEqualTo(2);
    }

    @Test
    void noiseThatLooksLikeAnUnknownMessageCostsNoFrame() {
        for (int claimed = 0; claimed < 256; claimed++) {
            for (boolean v2 : new boolean[] {true, false}) {
                FrameLog seen = new FrameLog();
                byte[] noise = v2
                        ? new byte[] {(byte) 0xFD, (byte) claimed, 0, 0, 1, 1, 1, 0x7F, 0x7F, 0x7F}
                        : new byte[] {(byte) 0xFE, (byte) claimed, 1, 1, 1, 13};

                seen.stream(noise);
                for (int sequence = 0; sequence < 40; sequence++) {
                    seen.stream(heartbeat(sequence));
                }

                assertThat(seen.sequences)
                        .as("noise claims %d bytes, MAVLink 2: %s", claimed, v2)
                        .containsExactlyElementsOf(numbers(0, 40));
                assertThat(seen.counters.unknownMessages().get()).isZero();
                assertThat(seen.counters.skippedBytes().get()).isEqualTo(noise.length);
            }
        }
    }

    @Test
    void noiseInADatagramThatLooksLikeAnUnknownMessageCostsNoFrame() {
        for (int claimed = 0; claimed < 256; claimed++) {
            FrameLog seen = new FrameLog();
            byte[] noise = {(byte) 0xFD, (byte) claimed, 0, 0, 1, 1, 1, 0x7F, 0x7F, 0x7F};

            seen.datagram(join(BOOT_TEXT, noise, heartbeat(1), heartbeat(2), heartbeat(3)));

            assertThat(seen.sequences).as("noise claims %d bytes", claimed).containsExactly(1, 2, 3);
        }
    }

    // Incompatibility flags

    @ParameterizedTest
    @ValueSource(ints = {0x02, 0x80, 0x03})
    void frameWithUnknownIncompatibilityFlagsIsLeftOutWhole(int flags) {
        FrameBytes refused = v2(MessageIds.STATUSTEXT).payload(heartbeat(99));
        byte[] bytes =
                ((flags & 1) != 0 ? refused.signed() : refused).flags(flags).bytes();

        log.stream(join(heartbeat(1), bytes, heartbeat(2)), 7);

        assertThat(log.sequences).containsExactly(1, 2);
        assertThat(log.counters.refusedFlags().get()).isEqualTo(1);
        assertThat(log.counters.skippedBytes().get()).isZero();
    }

    @Test
    void unknownFlagsWithAWrongChecksumAreNoise() {
        byte[] bytes = join(
                v2(MessageIds.STATUSTEXT)
                        .flags(2)
                        .payload(zeros(40))
                        .crcExtra(0)
                        .bytes(),
                heartbeat(1));

        log.stream(bytes);

        assertThat(log.sequences).containsExactly(1);
        assertThat(log.counters.refusedFlags().get()).isZero();
        assertThat(log.counters.badChecksums().get()).isEqualTo(1);
    }

    @Test
    void unknownFlagsOfAnUnknownMessageAreNoise() {
        log.stream(join(v2(UNKNOWN_ID).flags(4).payload(zeros(40)).bytes(), heartbeat(1)));

        assertThat(log.sequences).containsExactly(1);
        assertThat(log.counters.skippedBytes().get()).isEqualTo(52);
    }

    @Test
    void resetForgetsAnIncompleteFrame() {
        log.stream(cut(logChunk(1).bytes(), 100));

        log.decoder.reset();
        log.stream(heartbeat(2));

        assertThat(log.sequences).containsExactly(2);
        assertThat(log.counters.cutFrames().get()).isEqualTo(1);
        assertThat(log.counters.skippedBytes().get()).isEqualTo(100);
    }

    private static Iterable<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
