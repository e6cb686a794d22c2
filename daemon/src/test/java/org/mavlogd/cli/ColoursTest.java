package org.mavlogd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ColoursTest {
    private static final Map<String, String> XTERM = Map.of("TERM", "xterm-256color");

    @Test
    void marksWordsOnATerminal() {
        Colours colours = new Colours(true, XTERM);

        assertThat(colours.bad("damaged")).isEqualTo("\033[31mdamaged\033[0m");
        assertThat(colours.doubtful("left over")).isEqualTo("\033[33mleft over\033[0m");
        assertThat(colours.good("whole")).isEqualTo("\033[32mwhole\033[0m");
    }

    @Test
    void leavesTextAsItIsElsewhere() {
        assertThat(new Colours(false, XTERM).bad("damaged")).isEqualTo("damaged");
        assertThat(new Colours(true, Map.of("TERM", "xterm", "NO_COLOR", "1")).bad("damaged"))
                .isEqualTo("damaged");
        assertThat(new Colours(true, Map.of("TERM", "dumb")).bad("damaged")).isEqualTo("damaged");
        assertThat(new Colours(true, Map.of()).bad("damaged")).isEqualTo("damaged");
        assertThat(new Colours(true, Map.of("TERM", "xterm", "NO_COLOR", "")).bad("damaged"))
                .as("an empty NO_COLOR means nothing")
                .isNotEqualTo("damaged");
    }
}
