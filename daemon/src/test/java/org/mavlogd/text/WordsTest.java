package org.mavlogd.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void sizesHaveDecimalUnits() {
        assertThat(Words.bytes(1)).isEqualTo("1 byte");
        assertThat(Words.bytes(999)).isEqualTo("999 bytes");
        assertThat(Words.bytes(1000)).isEqualTo("1.0 KB");
        assertThat(Words.bytes(999_949)).isEqualTo("999.9 KB");
        assertThat(Words.bytes(999_950)).isEqualTo("1.0 MB");
        assertThat(Words.bytes(200_300_000)).isEqualTo("200.3 MB");
        assertThat(Words.bytes(3_210_000_000L)).isEqualTo("3.2 GB");
    }

    @Test
    void numbersHaveGroupsOfThree() {
        for (long number : new long[] {
            0, 7, 999, 1000, 12_345, 999_999, 1_000_000, -1, -999, -1000, -123_456, Long.MAX_VALUE, Long.MIN_VALUE
        }) {
            assertThat(Words.number(number)).isEqualTo(String.format(Locale.ROOT, "%,d", number));
        }
        assertThat(Words.count(1, "chunk")).isEqualTo("1 chunk");
        assertThat(Words.count(2_000, "chunk")).isEqualTo("2,000 chunks");
    }

    @Test
    void durationsGoUpToHours() {
        assertThat(Words.duration(0)).isEqualTo("0 s");
        assertThat(Words.duration(1234)).isEqualTo("1 ms");
        assertThat(Words.duration(999_499)).isEqualTo("999 ms");
        assertThat(Words.duration(999_500)).isEqualTo("1.0 s");
        assertThat(Words.duration(59_949_000)).isEqualTo("59.9 s");
        assertThat(Words.duration(59_950_000)).isEqualTo("1:00.0");
        assertThat(Words.duration(119_960_000)).isEqualTo("2:00.0");
        assertThat(Words.duration(184_500_000)).isEqualTo("3:04.5");
        assertThat(Words.duration(3_599_900_000L)).isEqualTo("59:59.9");
        assertThat(Words.duration(3_599_950_000L)).isEqualTo("1:00:00");
        assertThat(Words.duration(7_384_000_000L)).isEqualTo("2:03:04");
    }

    @Test
    void nothingFromALogSteersATerminal() {
        assertThat(Words.line("a\u001b[2Jb\r\nc\u0007\u009b\u202ed", 100)).isEqualTo("a [2Jb  c   d");
        assertThat(Words.line("höhe 3 °", 100)).isEqualTo("höhe 3 °");
        assertThat(Words.line("x".repeat(50), 10)).isEqualTo("x".repeat(10) + "...");
    }
}
