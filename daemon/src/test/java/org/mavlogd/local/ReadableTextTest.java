package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadableTextTest {
    private static String readable(String text) {
        StringBuilder line = new StringBuilder();
        ReadableText.append(text, 1024, line);
        return line.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain text", "Grüße aus Köln, 水", "C:\\new [1] {2} ~"})
    void keepsWhatCanBeRead(String text) {
        assertThat(readable(text)).isEqualTo(text);
    }

    @Test
    void makesOneLineOfSeveral() {
        assertThat(readable("one\r\ntwo\n\tthree\rfour\n")).isEqualTo("one\\ntwo\\n three\\rfour");
    }

    @Test
    void takesColoursOfTerminalsOut() {
        assertThat(readable("\u001b[1;31mERROR\u001b[0m lens \u001b[K")).isEqualTo("ERROR lens ");
        assertThat(readable("\u001b]0;title\u0007.")).isEqualTo("\\u001b]0;title\\u0007.");
        assertThat(readable("cut \u001b[12")).isEqualTo("cut \\u001b[12");
    }

    @Test
    void writesHiddenCharactersAsEscapes() {
        assertThat(readable("a\u0000b\u007fc\u202ed\u2028e\uFFFFf\uD83Dg"))
                .isEqualTo("a\\u0000b\\u007fc\\u202ed\\u2028e\\uffff" + "f\\ud83dg");
        assertThat(readable("\uD83D\uDEA4 boat")).isEqualTo("\uD83D\uDEA4 boat");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n", "\u0000", " \t\r\n\u0000"})
    void nothingIsLeftOfSpaces(String text) {
        assertThat(readable(text)).isEmpty();
    }

    @Test
    void isShortAndCleanWhateverComes() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(200);
            for (int i = 0; i < length; i++) {
                text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(65_536)));
            }
            StringBuilder line = new StringBuilder("x");

            ReadableText.append(text, 50, line);

            assertThat(line.length()).as("seed " + seed).isLessThanOrEqualTo(1 + 50 + 5);
            assertThat(line.chars().noneMatch(Character::isISOControl))
                    .as("seed " + seed)
                    .isTrue();
        }
    }
}
