package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextBufferTest {
    private final TextBuffer text = new TextBuffer(64);

    @Test
    void readsWordsAndNumbersOfALine() {
        text.set("  eth0:12 -7\t54. x9 0x1f\nnext");

        assertThat(text.takeWord("eth")).isFalse();
        assertThat(text.takeWord("eth0")).isTrue();
        assertThat(text.number()).isEqualTo(12);
        assertThat(text.number()).isEqualTo(-7);
        assertThat(text.number()).isEqualTo(54);
        assertThat(text.number()).isEqualTo(TextBuffer.NONE);
        assertThat(text.hexNumber()).isEqualTo(31);
        assertThat(text.number()).as("not beyond the line").isEqualTo(TextBuffer.NONE);
        text.nextLine();
        assertThat(text.word()).isEqualTo("next");
        assertThat(text.isAtEnd()).isTrue();
        assertThat(text.word()).isEmpty();
    }

    @Test
    void refusesNumbersThatDoNotFit() {
        assertThat(text.set("999999999999999999").number()).isEqualTo(999_999_999_999_999_999L);
        assertThat(text.set("1000000000000000000").number()).isEqualTo(TextBuffer.NONE);
    }

    @Test
    void keepsTheBeginningOfWhatIsTooLong() {
        text.set("a".repeat(100));

        assertThat(text.word()).hasSize(64);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0.0",
                "1",
                "+2.5",
                ".5",
                "7.",
                "1e3",
                "1.5E-3",
                "-12.375",
                "0.000000598",
                "9.80665",
                "123456789012345678901234",
                "4e-44",
                "1e22",
                "1e23"
            })
    void readsDecimalsAsJavaDoes(String number) {
        assertThat(text.set(number).decimal()).isEqualTo(Double.parseDouble(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", ".", "e5", "1e", "1e+", "1x", "1.2.3", "--1", "nan", "0x10", "1e9999"})
    void whatIsNoDecimalIsNan(String word) {
        assertThat(text.set(word).decimal()).isNaN();
    }

    @Test
    void readsRandomDecimalsExactly() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            String number = Double.toString((random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(30) - 15));
            byte[] bytes = number.getBytes(StandardCharsets.US_ASCII);
            double expected = Double.parseDouble(number);

            double read = new Decimals().parse(ByteBuffer.wrap(bytes), 0, bytes.length);

            assertThat(Math.abs(read - expected)).as(number).isZero();
        }
    }
}
