package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Crc16Test {
    /** The check value of CRC-16/MCRF4XX in the CRC catalogue. */
    @Test
    void hasTheCatalogueCheckValue() {
        byte[] bytes = "123456789".getBytes(StandardCharsets.US_ASCII);

        assertThat(Crc16.update(Crc16.START, bytes, 0, bytes.length)).isEqualTo(0x6F91);
    }

    @Test
    void slicesGiveWhatSingleBytesGive() {
        byte[] bytes = new byte[300];
        new Random(1).nextBytes(bytes);
        for (int offset = 0; offset < 9; offset++) {
            int expected = Crc16.START;
            for (int length = 0; offset + length < bytes.length; length++) {
                assertThat(Crc16.update(Crc16.START, bytes, offset, length)).isEqualTo(expected);
                expected = Crc16.update(expected, bytes[offset + length]);
            }
        }
    }
}
