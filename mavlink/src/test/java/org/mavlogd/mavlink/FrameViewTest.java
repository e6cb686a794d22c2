package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class FrameViewTest {
    private final byte[] full = {1, 2, (byte) 0x83, 4, 5, 6, 7, (byte) 0x88, 9, 10};

    @Test
    void everyAccessorReadsZerosBehindThePayload() {
        for (int length = 1; length <= full.length; length++) {
            FrameView frame = view(length);
            byte[] extended = Arrays.copyOf(Arrays.copyOf(full, length), 40);
            for (int index = 0; index < 20; index++) {
                assertThat(frame.uint8(index)).isEqualTo((int) number(extended, index, 1));
                assertThat(frame.uint16(index)).isEqualTo((int) number(extended, index, 2));
                assertThat(frame.uint32(index)).isEqualTo(number(extended, index, 4));
                assertThat(frame.int32(index)).isEqualTo((int) number(extended, index, 4));
                assertThat(frame.int64(index)).isEqualTo(number(extended, index, 8));
                assertThat(Float.floatToRawIntBits(frame.float32(index))).isEqualTo((int) number(extended, index, 4));
            }
        }
    }

    @Test
    void copiesArePaddedWithZeros() {
        for (int length = 1; length <= full.length; length++) {
            FrameView frame = view(length);
            byte[] extended = Arrays.copyOf(Arrays.copyOf(full, length), 400);
            for (int index : new int[] {0, 1, length - 1, length, length + 1, 300}) {
                byte[] array = filled(24);
                byte[] buffer = filled(24);
                byte[] expected = filled(24);
                System.arraycopy(extended, index, expected, 2, 20);

                frame.copyPayload(index, array, 2, 20);
                frame.copyPayload(index, new UnsafeBuffer(buffer), 2, 20);

                assertThat(array).isEqualTo(expected);
                assertThat(buffer).isEqualTo(expected);
            }
        }
    }

    @Test
    void readsFarBehindThePayloadAreZeroAndBeforeItAreMistakes() {
        FrameView frame = view(3);

        assertThat(frame.int64(Integer.MAX_VALUE)).isZero();
        assertThat(frame.uint8(Integer.MAX_VALUE)).isZero();
        assertThatThrownBy(() -> frame.uint8(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.copyPayload(-1, new byte[9], 0, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void copiesTheFrameAsItCame() {
        byte[] bytes = FrameBytes.logChunk(5).signed().bytes();
        FrameView frame = new FrameView();
        frame.wrap(FrameBytes.join(new byte[7], bytes), 7, bytes.length, false);
        byte[] copy = new byte[bytes.length + 1];

        frame.copyFrame(copy, 1);

        assertThat(Arrays.copyOfRange(copy, 1, copy.length)).isEqualTo(bytes);
        assertThat(frame.isSigned()).isTrue();
        assertThat(frame.incompatFlags()).isEqualTo(1);
        assertThat(frame.payloadLength()).isEqualTo(255);
    }

    private FrameView view(int length) {
        byte[] bytes = FrameBytes.v2(MessageIds.STATUSTEXT)
                .payload(Arrays.copyOf(full, length))
                .bytes();
        FrameView frame = new FrameView();
        frame.wrap(bytes, 0, bytes.length, false);
        return frame;
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0x55);
        return bytes;
    }

    private static long number(byte[] bytes, int index, int length) {
        long value = 0;
        for (int at = length - 1; at >= 0; at--) {
            value = value << 8 | (bytes[index + at] & 0xFF);
        }
        return value;
    }
}
