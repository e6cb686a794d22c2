package org.mavlogd.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Decimals of floating-point numbers: each reads as the same number, none is shorter, and none of the same length is
 * nearer.
 */
class ShortestDecimalTest {
    private static final int NUMBERS = 40_000;

    private final byte[] bytes = new byte[ShortestDecimal.MAX_LENGTH + 1];

    private String text(double value) {
        return new String(bytes, 0, ShortestDecimal.write(value, bytes, 0), StandardCharsets.US_ASCII);
    }

    private String text(float value) {
        return new String(bytes, 0, ShortestDecimal.write(value, bytes, 0), StandardCharsets.US_ASCII);
    }

    @Test
    void formIsThatOfJava() {
        for (double value : new double[] {
            0,
            -0.0,
            1,
            -1,
            0.1,
            1.5,
            10,
            100,
            123456.75,
            1e6,
            9999999,
            1e7,
            12345678,
            1e-3,
            9.99e-4,
            1e-4,
            1e-5,
            1e300,
            1e-300,
            1.2345678901234568E17,
            0.001234,
            -0.5,
            Double.MAX_VALUE,
            Double.MIN_NORMAL,
            Math.PI,
            4294967296.0
        }) {
            assertThat(text(value)).isEqualTo(Double.toString(value));
        }
        for (float value : new float[] {
            0, -0f, 1, 0.1f, 16777216f, 1e7f, 9999999f, 1e-3f, 1e-4f, 3.4028235e38f, (float) Math.PI, 2.5f, -100f
        }) {
            assertThat(text(value)).isEqualTo(Float.toString(value));
        }
    }

    @Test
    void writesNoDigitTooMany() {
        assertThat(text(Double.parseDouble("2e23"))).isEqualTo("2.0E23");
        assertThat(text(Double.MIN_VALUE)).isEqualTo("4.9E-324");
        assertThat(text(2 * Double.MIN_VALUE)).isEqualTo("9.9E-324");
        assertThat(text(2.0E-3)).isEqualTo("0.002");
        assertThat(text(Double.parseDouble("1e23"))).isEqualTo("1.0E23");
        assertThat(text(2.2250738585072014E-308)).isEqualTo("2.2250738585072014E-308");
        assertThat(text(Float.MIN_VALUE)).isEqualTo("1.4E-45");
        assertThat(text(3.3554432E7f)).isEqualTo("3.3554432E7");
        assertThat(text(1.0E10f)).isEqualTo("1.0E10");
        assertThat(text(8.41E21f)).isEqualTo("8.41E21");
        assertThat(text(Float.MIN_NORMAL)).isEqualTo("1.1754944E-38");
        assertThat(text(2.0E-3f)).isEqualTo("0.002");
    }

    @Test
    void doublesAreAsShortAndAsNearAsCanBe() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < NUMBERS; i++) {
            double value = Double.longBitsToDouble(
                    switch (i % 4) {
                        case 0 -> random.nextLong();
                        case 1 -> random.nextLong() & 0xFFF0_0000_0000_0000L; // powers of two
                        case 2 -> random.nextLong() >>> 12; // subnormal
                        default -> Double.doubleToLongBits(Math.scalb(random.nextGaussian(), random.nextInt(40) - 20));
                    });
            if (Double.isFinite(value)) {
                String text = text(value);
                assertThat(Double.doubleToLongBits(Double.parseDouble(text)))
                        .as("%s, seed %d", text, seed)
                        .isEqualTo(Double.doubleToLongBits(value));
                assertShortest(
                        new BigDecimal(text), new BigDecimal(value), number -> number.doubleValue() == value, seed);
            }
        }
    }

    @Test
    void floatsAreAsShortAndAsNearAsCanBe() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < NUMBERS; i++) {
            float value = Float.intBitsToFloat(
                    switch (i % 4) {
                        case 0 -> random.nextInt();
                        case 1 -> random.nextInt() & 0xFF80_0000; // powers of two
                        case 2 -> random.nextInt() >>> 9; // subnormal
                        default -> Float.floatToIntBits((float) random.nextGaussian() * 100);
                    });
            if (Float.isFinite(value)) {
                String text = text(value);
                assertThat(Float.floatToIntBits(Float.parseFloat(text)))
                        .as("%s, seed %d", text, seed)
                        .isEqualTo(Float.floatToIntBits(value));
                assertShortest(
                        new BigDecimal(text), new BigDecimal(value), number -> number.floatValue() == value, seed);
            }
        }
    }

    private interface Reader {
        boolean readsAsValue(BigDecimal number);
    }

    /** Java's format has at least two digits, as in 1.0. */
    private static void assertShortest(BigDecimal text, BigDecimal exact, Reader reader, long seed) {
        if (exact.signum() == 0) {
            return;
        }
        int digits = Math.max(2, text.stripTrailingZeros().precision());
        for (RoundingMode mode : new RoundingMode[] {RoundingMode.UP, RoundingMode.DOWN}) {
            BigDecimal shorter = exact.round(new MathContext(digits - 1, mode));
            assertThat(digits > 2 && reader.readsAsValue(shorter))
                    .as("%s is shorter than %s, seed %d", shorter, text, seed)
                    .isFalse();
            BigDecimal other = exact.round(new MathContext(digits, mode));
            boolean isNearer =
                    other.subtract(exact).abs().compareTo(text.subtract(exact).abs()) < 0;
            assertThat(isNearer && reader.readsAsValue(other))
                    .as("%s is nearer than %s, seed %d", other, text, seed)
                    .isFalse();
        }
    }
}
