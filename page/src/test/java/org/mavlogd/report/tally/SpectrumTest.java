package org.mavlogd.report.tally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares the transform with its definition, and spectra with series whose spectra are known. */
class SpectrumTest {
    private static final long PERIOD_US = 4000;
    private static final double RATE_HZ = 250;

    @Test
    void transformIsTheSumThatDefinesIt() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int size = 2; size <= 256; size *= 2) {
            double[] real = random.doubles(size, -1, 1).toArray();
            double[] imaginary = random.doubles(size, -1, 1).toArray();
            double[] re = real.clone();
            double[] im = imaginary.clone();

            new Fft(size).transform(re, im);

            for (int k = 0; k < size; k++) {
                double sumRe = 0;
                double sumIm = 0;
                for (int n = 0; n < size; n++) {
                    double angle = -2 * Math.PI * k * n / size;
                    sumRe += real[n] * Math.cos(angle) - imaginary[n] * Math.sin(angle);
                    sumIm += real[n] * Math.sin(angle) + imaginary[n] * Math.cos(angle);
                }
                assertThat(re[k]).as("seed %d, size %d, bin %d", seed, size, k).isCloseTo(sumRe, within(1e-9));
                assertThat(im[k]).as("seed %d, size %d, bin %d", seed, size, k).isCloseTo(sumIm, within(1e-9));
            }
        }
    }

    @Test
    void sizesThatAreNoPowerOfTwoAreRefused() {
        assertThatThrownBy(() -> new Fft(12))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("12");
        assertThatThrownBy(() -> new Fft(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sineHasItsPowerAtItsFrequency() {
        double hertz = 40 * RATE_HZ / Spectrum.WINDOW;
        Spectrum spectrum = new Spectrum();
        for (int i = 0; i < 4 * Spectrum.WINDOW; i++) {
            spectrum.accept(i * PERIOD_US, 7 + 3 * Math.sin(2 * Math.PI * hertz * i / RATE_HZ));
        }

        assertThat(spectrum.rateHz()).isCloseTo(RATE_HZ, within(1e-9));
        assertThat(spectrum.hertz(40)).isCloseTo(hertz, within(1e-9));
        assertThat(strongest(spectrum)).isEqualTo(40);
        // Half the square of the amplitude, without the mean of 7.
        assertThat(power(spectrum)).isCloseTo(4.5, within(1e-3));
        assertThat(spectrum.density(100)).isLessThan(1e-12);
    }

    @Test
    void twoSinesKeepTheirRatio() {
        Spectrum spectrum = new Spectrum();
        for (int i = 0; i < 8 * Spectrum.WINDOW; i++) {
            double angle = 2 * Math.PI * i / Spectrum.WINDOW;
            spectrum.accept(i * PERIOD_US, 2 * Math.sin(30 * angle) + 0.5 * Math.cos(120 * angle));
        }

        assertThat(spectrum.density(30) / spectrum.density(120)).isCloseTo(16, within(1e-6));
        assertThat(spectrum.windows()).isEqualTo(15);
    }

    @Test
    void powerOfNoiseIsItsVarianceAtEveryFrequency() {
        long seed = 20_261_123;
        Random random = new Random(seed);
        Spectrum spectrum = new Spectrum();
        for (int i = 0; i < 400 * Spectrum.WINDOW; i++) {
            spectrum.accept(i * PERIOD_US, 2 * random.nextGaussian());
        }

        assertThat(power(spectrum)).isCloseTo(4, within(0.1));
        double flat = 4 / (RATE_HZ / 2);
        assertThat(spectrum.density(20)).isCloseTo(flat, within(0.2 * flat));
        assertThat(spectrum.density(230)).isCloseTo(flat, within(0.2 * flat));
    }

    @Test
    void windowsWithMissingSamplesAreLeftOut() {
        Spectrum spectrum = new Spectrum();
        long timeUs = 0;
        for (int i = 0; i < 10 * Spectrum.WINDOW; i++) {
            timeUs += i == 5 * Spectrum.WINDOW ? 100 * PERIOD_US : PERIOD_US;
            spectrum.accept(timeUs, Math.sin(i * 0.7));
        }

        assertThat(spectrum.leftOut()).isEqualTo(1);
        assertThat(spectrum.windows()).isEqualTo(18);
        assertThat(spectrum.rateHz()).isCloseTo(RATE_HZ, within(1e-6));
    }

    @Test
    void valuesThatAreNoNumberBeginAnew() {
        Spectrum spectrum = new Spectrum();
        for (int i = 0; i < 3 * Spectrum.WINDOW; i++) {
            spectrum.accept(i * PERIOD_US, i % 500 == 499 ? Double.NaN : 1);
        }

        assertThat(spectrum.windows()).isZero();
    }

    private static int strongest(Spectrum spectrum) {
        return IntStream.range(0, Spectrum.BINS)
                .reduce((a, b) -> spectrum.density(a) >= spectrum.density(b) ? a : b)
                .orElseThrow();
    }

    private static double power(Spectrum spectrum) {
        return IntStream.range(0, Spectrum.BINS).mapToDouble(spectrum::density).sum() * spectrum.hertz(1);
    }
}
