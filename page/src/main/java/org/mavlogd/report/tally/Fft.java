package org.mavlogd.report.tally;

/** The discrete Fourier transform, in place, of a power of two of values. One thread. */
final class Fft {
    private final int size;
    private final double[] cosine;
    private final double[] sine;

    Fft(int size) {
        if (size < 2 || Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("size " + size + " is not a power of two of at least 2");
        }
        this.size = size;
        cosine = new double[size / 2];
        sine = new double[size / 2];
        for (int i = 0; i < size / 2; i++) {
            cosine[i] = Math.cos(2 * Math.PI * i / size);
            sine[i] = Math.sin(2 * Math.PI * i / size);
        }
    }

    void transform(double[] real, double[] imaginary) {
        reverse(real, imaginary);
        for (int half = 1; half < size; half *= 2) {
            int step = size / (2 * half);
            for (int start = 0; start < size; start += 2 * half) {
                for (int i = 0; i < half; i++) {
                    butterfly(real, imaginary, start + i, start + i + half, i * step);
                }
            }
        }
    }

    private void butterfly(double[] real, double[] imaginary, int a, int b, int angle) {
        double re = real[b] * cosine[angle] + imaginary[b] * sine[angle];
        double im = imaginary[b] * cosine[angle] - real[b] * sine[angle];
        real[b] = real[a] - re;
        imaginary[b] = imaginary[a] - im;
        real[a] += re;
        imaginary[a] += im;
    }

    private void reverse(double[] real, double[] imaginary) {
        int shift = Integer.numberOfLeadingZeros(size) + 1;
        for (int i = 0; i < size; i++) {
            int j = Integer.reverse(i) >>> shift;
            if (i < j) {
                swap(real, i, j);
                swap(imaginary, i, j);
            }
        }
    }

    private static void swap(double[] values, int i, int j) {
        double value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}
