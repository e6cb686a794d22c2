package org.mavlogd.report.tally;

import org.mavlogd.report.fields.ValueSink;

/**
 * The power spectral density of a series, averaged over windows (Welch): {@value #WINDOW} values each, half of them also in the next
 * window, without their mean, weighted by Hann. A window within which samples are missing is left out. Hot path but for
 * every {@value #HOP}th value.
 *
 * @see <a href="https://doi.org/10.1109/TAU.1967.1161901">P. Welch, The use of fast Fourier transform for the estimation of power
 *     spectra</a>
 */
public final class Spectrum implements ValueSink {
    public static final int WINDOW = 512;
    public static final int BINS = WINDOW / 2 + 1;

    private static final int HOP = WINDOW / 2;
    // An interval this many times the mean of the window's means that samples are missing.
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

    /** Windows that count. */
    public long windows() {
        return windows;
    }

    /** Windows in which samples are missing. */
    public long leftOut() {
        return leftOut;
    }

    /** Samples per second within the windows. */
    public double rateHz() {
        return windows == 0 ? 0 : windows * (WINDOW - 1.0) * 1e6 / spanUs;
    }

    /** The middle of a bin. */
    public double hertz(int bin) {
        return bin * rateHz() / WINDOW;
    }

    /** In squares of the unit per hertz, on one side: their sum times the width of a bin is the series' variance. */
    public double density(int bin) {
        double sides = bin == 0 || bin == BINS - 1 ? 1 : 2;
        return sides * power[bin] / (windows * HANN_POWER * rateHz());
    }
}
