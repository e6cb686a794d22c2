package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final StringWriter terminal = new StringWriter();
    private long nowNs = Long.MAX_VALUE - 5;

    private ProgressBar bar() {
        return new ProgressBar(new PrintWriter(terminal), () -> nowNs);
    }

    @Test
    void shortWorkShowsNothing() {
        try (ProgressBar bar = bar()) {
            nowNs += 300_000_000L;
            bar.onProgress(1, 2);
        }

        assertThat(terminal.toString()).isEmpty();
    }

    @Test
    void longWorkShowsHowFarItIsAndTakesTheLineAway() {
        try (ProgressBar bar = bar()) {
            nowNs += 500_000_000L;
            bar.onProgress(100_000_000, 400_000_000);
            nowNs += 50_000_000L;
            bar.onProgress(200_000_000, 400_000_000);
        }

        assertThat(terminal.toString())
                .isEqualTo("\r[##########..............................]  25 %  100 of 400 MB, 200 MB/s\033[K\r\033[K");
    }

    @Test
    void fileThatGrewOrHasNoSizeDoesNoHarm() {
        try (ProgressBar bar = bar()) {
            nowNs += 500_000_000L;
            bar.onProgress(10, 5);
            nowNs += 500_000_000L;
            bar.onProgress(10, 0);
        }

        assertThat(terminal.toString()).contains("100 %").contains("  0 %");
    }

    @Test
    void anotherWorkHasItsNameAndItsOwnSpeed() {
        try (ProgressBar bar = bar()) {
            nowNs += 20_000_000_000L;
            bar.begin("log 12", 600_000);
            nowNs += 300_000_000L;
            bar.onProgress(610_000, 1_200_000);
            nowNs += 700_000_000L;
            bar.onProgress(652_000, 1_200_000);
        }

        assertThat(terminal.toString())
                .isEqualTo(
                        "\rlog 12 [#####################...................]  54 %  0.7 of 1.2 MB, 52 KB/s\033[K\r\033[K");
    }
}
