package org.mavlogd.report.tally;

import org.mavlogd.report.fields.ValueSink;

/**
 * The power spectral density of a series, averaged over windows (Welch): {@value #WINDOW} values each, overlapping by
 * half, without their mean, weighted by Hann. Windows with missing samples are ignored. Hot path, except for every
 * {@value #HOP}th value.
 *
 * @see <a href="https://doi.org/10.1109/TAU.1967.1161901">P. Welch, The use of fast Fourier transform for the estimation of power
 *     spectra</a>
 */
public final class Spectrum implements ValueSink {
    public static final int WINDOW = 512;
    public static final int BINS = WINDOW / 2 + 1;

    private static final int HOP = WINDOW / 2;
    // An interval of this many times the window's mean shows that samples are missing.
    private static final double MISSING = 2.5;
    private static final double[] HANN = new double[WINDOW];
    private static final double HANN_POWER;

    static {
        double power = 0;
        for (int i = 0; i < WINDOW; i++) {
            HANN[i] = 0.5 - 0.5 * Math.cos(2 * Math.PI * i / WINDOW);
            power += HANN[i] * HANN[i];
        }
        HANN_POWER = power;
    }

    private final double[] values = new double[WINDOW];
    private final long[] timesUs = new long[WINDOW];
    private final double[] power = new double[BINS];
    private final double[] real = new double[WINDOW];
    private final double[] imaginary = new double[WINDOW];
    private final Fft fft = new Fft(WINDOW);
    private int size;
    private long windows;
    private long leftOut;
    private double spanUs;

    @Override
    public void accept(long timestampUs, double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            size = 0;
            return;
        }
        values[size] = value;
        timesUs[size++] = timestampUs;
        if (size == WINDOW) {
            onWindow();
            System.arraycopy(values, HOP, values, 0, WINDOW - HOP);
            System.arraycopy(timesUs, HOP, timesUs, 0, WINDOW - HOP);
            size = WINDOW - HOP;
        }
    }

    private void onWindow() {
        if (!isRegular()) {
            leftOut++;
            return;
        }
        double mean = 0;
        for (double value : values) {
            mean += value;
        }
        mean /= WINDOW;
        for (int i = 0; i < WINDOW; i++) {
            real[i] = (values[i] - mean) * HANN[i];
            imaginary[i] = 0;
        }
        fft.transform(real, imaginary);
        for (int i = 0; i < BINS; i++) {
            power[i] += real[i] * real[i] + imaginary[i] * imaginary[i];
        }
        windows++;
        spanUs += timesUs[WINDOW - 1] - timesUs[0];
    }

    private boolean isRegular() {
        double meanUs = (timesUs[WINDOW - 1] - timesUs[0]) / (WINDOW - 1.0);
        for (int i = 1; i < WINDOW; i++) {
            long interval = timesUs[i] - timesUs[i - 1];
            if (interval < 0 || interval > MISSING * meanUs) {
                return false;
            }
        }
        return meanUs > 0;
    }

    /** Number of windows used. */
    public long windows() {
        return windows;
    }

    /** Number of windows ignored because of missing samples. */
    public long leftOut() {
        return leftOut;
    }

    /** Samples per second in the windows. */
    public double rateHz() {
        return windows == 0 ? 0 : windows * (WINDOW - 1.0) * 1e6 / spanUs;
    }

    /** Centre frequency of a bin. */
    public double hertz(int bin) {
        return bin * rateHz() / WINDOW;
    }

    /**
     * One-sided density in squares of the unit per hertz: the sum times the width of a bin is the variance of the
     * series.
     */
    public double density(int bin) {
        double sides = bin == 0 || bin == BINS - 1 ? 1 : 2;
        return sides * power[bin] / (windows * HANN_POWER * rateHz());
    }
}
