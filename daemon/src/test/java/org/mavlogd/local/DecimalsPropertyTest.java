package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results equal the JDK's own parsing, bit by bit. */
class DecimalsPropertyTest {
    private static final int ROUNDS = 100_000;

    private final Decimals decimals = new Decimals();

    private void check(String text) {
        byte[] bytes = ("x" + text + "9").getBytes(StandardCharsets.US_ASCII); // surrounding bytes must not count
        double expected = Double.parseDouble(text);

        double found = decimals.parse(ByteBuffer.wrap(bytes), 1, bytes.length - 1);

        if (text.length() > Decimals.MAX_LENGTH || Double.isInfinite(expected)) {
            assertThat(found).as(text).isNaN();
        } else {
            assertThat(Double.doubleToRawLongBits(found)).as(text).isEqualTo(Double.doubleToRawLongBits(expected));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "0.0",
                "-0.000",
                "0e5",
                "1",
                "-1",
                "12.4",
                "0.1",
                "0.5",
                "3.0",
                "9007199254740993",
                "9007199254740992",
                "9007199254740991",
                "18446744073709551615",
                "18446744073709551616",
                "1e22",
                "1e23",
                "1e-22",
                "1e-23",
                "1e80",
                "1e81",
                "1e-80",
                "1e-81",
                "1.7976931348623157e308",
                "1e309",
                "-1e999",
                "4.9e-324",
                "2e-324",
                "1e-999",
                "2.2250738585072014e-308",
                "2.2250738585072011e-308",
                "0.000000000000000000000000000001",
                "1000000000000000000000000000000",
                "123456789012345678901234567890.123456789",
                "1E+5",
                "1e+05",
                "-2.5E-3",
                "9999999999999999999",
                "99999999999999999999999",
                "0.30000000000000004",
                "5e-1",
                "7205759403792793e1",
                "1.00000000000000011102230246251565404236316680908203125",
                "1.00000000000000011102230246251565404236316680908203124",
                "1.00000000000000011102230246251565404236316680908203126"
            })
    void readsLikeTheJdk(String text) {
        check(text);
    }

    /** Jackson's algorithm also accepts the suffixes of Java's source code. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+",
                "-",
                ".",
                "e1",
                "1e",
                "1e+",
                "1e1234",
                "1f",
                "1d",
                "1D",
                "0x1p3",
                "NaN",
                "Infinity",
                "-Infinity",
                " 1",
                "1 ",
                "1_0",
                "1.2.3",
                "--1",
                "1e1e1",
                "1e1.0",
                "\u0661"
            })
    void takesNothingElse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

        assertThat(decimals.parse(ByteBuffer.wrap(bytes), 0, bytes.length)).isNaN();
    }

    @Test
    void readsWhatDoublesAreWrittenAs() {
        Random random = new Random(1);
        for (int i = 0; i < ROUNDS; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                check(Double.toString(value));
            }
            check(Double.toString((random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(20) - 6)));
        }
    }

    @Test
    void readsAnyDigits() {
        Random random = new Random(2);
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
            String digits = new BigInteger(1 + random.nextInt(80), random).toString();
            int point = random.nextInt(digits.length() + 1);
            text.append(point == 0 ? "0" : digits.substring(0, point));
            if (point < digits.length()) {
                text.append('.').append(digits, point, digits.length());
            }
            if (random.nextBoolean()) {
                text.append("e").append(random.nextInt(200) - 100);
            }
            check(text.toString());
        }
    }

    @Test
    void readsNumbersNearTheMiddleBetweenTwoDoubles() {
        Random random = new Random(3);
        for (int i = 0; i < ROUNDS / 10; i++) {
            double low = Math.scalb(1 + random.nextDouble(), random.nextInt(60) - 30);
            java.math.BigDecimal middle = new java.math.BigDecimal(low)
                    .add(new java.math.BigDecimal(Math.nextUp(low)))
                    .divide(java.math.BigDecimal.valueOf(2));
            String text = middle.toPlainString();
            check(text.substring(0, Math.min(text.length(), 8 + random.nextInt(40)))
                    .replaceFirst("\\.$", ""));
        }
    }
}
