package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class FrameEncoderTest {
    private final FrameEncoder encoder = new FrameEncoder(191);
    private final byte[] target = new byte[400];

    @Test
    void makesTheFrameTheSpecificationAsksFor() {
        byte[] payload = {1, 0, 3, 0, 0, 0};

        int length = encoder.encode(7, MessageIds.STATUSTEXT, payload, 6, target, 5);

        assertThat(Arrays.copyOfRange(target, 5, 5 + length))
                .isEqualTo(FrameBytes.v2(MessageIds.STATUSTEXT)
                        .from(7, 191)
                        .payload(1, 0, 3)
                        .bytes());
    }

    @Test
    void keepsOneByteOfAnEmptyMessageAndNoneOfNothing() {
        assertThat(encoder.encode(1, 0, new byte[9], 9, target, 0)).isEqualTo(13);
        assertThat(encoder.encode(1, 0, new byte[9], 0, target, 0)).isEqualTo(12);
    }

    @Test
    void countsItsFramesAndWraps() {
        for (int count = 0; count < 300; count++) {
            encoder.encode(1, MessageIds.HEARTBEAT, new byte[9], 9, target, 0);

            assertThat(target[4] & 0xFF).isEqualTo(count % 256);
        }
    }

    @Test
    void longestPayloadFits() {
        byte[] payload = new byte[256];
        Arrays.fill(payload, (byte) 1);
        byte[] room = new byte[FrameEncoder.MAX_FRAME_LENGTH];

        assertThat(encoder.encode(1, 12901, payload, 255, room, 0)).isEqualTo(267);
        assertThat(new FrameLog().stream(Arrays.copyOf(room, 267)).messageIds).containsExactly(12901);
        assertThatThrownBy(() -> encoder.encode(1, 0, payload, 256, target, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatItCannotSend() {
        assertThatThrownBy(() -> encoder.encode(1, FrameBytes.UNKNOWN_ID, new byte[9], 9, target, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FrameEncoder(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FrameEncoder(256)).isInstanceOf(IllegalArgumentException.class);
    }
}
