package org.mavlogd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TerminalWidthTest {
    private long nowNs;

    private int columns(Map<String, String> environment, String... command) {
        return new TerminalWidth(environment, () -> nowNs, command).columns();
    }

    @Test
    void isWhatTheTerminalOrTheUserSays() {
        assertThat(columns(Map.of(), "echo", "24 132")).isEqualTo(132);
        assertThat(columns(Map.of("COLUMNS", "100"), "echo", "24 132")).isEqualTo(100);
        assertThat(columns(Map.of("COLUMNS", "wide"), "echo", "24 132")).isEqualTo(132);
    }

    @Test
    void isEightyWhereNobodyKnowsAndNeverUnusable() {
        assertThat(columns(Map.of(), "false")).isEqualTo(80);
        assertThat(columns(Map.of(), "/nonexistent/stty")).isEqualTo(80);
        assertThat(columns(Map.of(), "echo", "0 0")).isEqualTo(80);
        assertThat(columns(Map.of(), "echo", "24 1")).isEqualTo(20);
        assertThat(columns(Map.of(), "echo", "24 999999")).isEqualTo(1000);
    }

    @Test
    void isAskedAgainAfterSomeSeconds() {
        Map<String, String> environment = new java.util.HashMap<>(Map.of("COLUMNS", "100"));
        TerminalWidth width = new TerminalWidth(environment, () -> nowNs, "false");
        assertThat(width.columns()).isEqualTo(100);

        environment.put("COLUMNS", "60");
        nowNs += TimeUnit.SECONDS.toNanos(4);
        assertThat(width.columns()).isEqualTo(100);
        nowNs += TimeUnit.SECONDS.toNanos(2);
        assertThat(width.columns()).isEqualTo(60);
    }

    @Test
    void cutsWhatIsTooLong() {
        assertThat(TerminalWidth.fit("12345", 5)).isEqualTo("12345");
        assertThat(TerminalWidth.fit("123456", 5)).isEqualTo("1234…");
    }
}
