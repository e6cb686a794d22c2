package org.mavlogd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalFormatterTest {
    private final JournalFormatter journal = new JournalFormatter(true, () -> ZoneOffset.UTC);
    private final JournalFormatter terminal = new JournalFormatter(false, () -> ZoneOffset.UTC);

    @ParameterizedTest
    @CsvSource({"SEVERE,3", "WARNING,4", "INFO,6", "CONFIG,7", "FINE,7", "FINEST,7"})
    void prefixesALineOfTheJournalWithItsPriority(String level, int priority) {
        assertThat(journal.format(event(Level.parse(level), "link \"fc\" waits")))
                .isEqualTo("<" + priority + ">link \"fc\" waits\n");
    }

    @Test
    void showsTimeLevelAndSourceOnATerminal() {
        assertThat(terminal.format(event(Level.WARNING, "waits"))).isEqualTo("12:34:56.789 WARN  UdpLink  waits\n");
    }

    @Test
    void writesControlCharactersAsEscapesSoThatNoLineIsForged() {
        String forged = "hello\n<2>disk failed\r\u001b[2Jx\ty\u0000\u009b\u2028\u202etxt\ud800.";

        assertThat(journal.format(event(Level.INFO, forged)))
                .isEqualTo("<6>hello\\n<2>disk failed\\u000d\\u001b[2Jx\\ty\\u0000\\u009b\\u2028\\u202etxt\\ud800.\n");
    }

    @Test
    void keepsTextOfAllLanguages() {
        String text = "caf\u00e9 \u6f22\u5b57 \ud83d\udea4";

        assertThat(journal.format(event(Level.INFO, text))).isEqualTo("<6>" + text + "\n");
    }

    @Test
    void keepsBracesAsTheyAre() {
        assertThat(journal.format(event(Level.INFO, "{0} {} '{'"))).isEqualTo("<6>{0} {} '{'\n");
    }

    @Test
    void cutsALongMessageAndSaysSo() {
        String line = journal.format(event(Level.INFO, "x".repeat(JournalFormatter.MAX_MESSAGE_LENGTH + 7)));

        assertThat(line)
                .isEqualTo("<6>" + "x".repeat(JournalFormatter.MAX_MESSAGE_LENGTH) + "... (7 more characters)\n");
    }

    @Test
    void prefixesEachLineOfAStackTraceAndEscapesItsMessages() {
        LogRecord event = event(Level.SEVERE, "write failed");
        event.setThrown(new IllegalStateException("outer\n<1>x", new java.io.IOException("no space")));

        String[] lines = journal.format(event).split("\n");

        assertThat(lines).allSatisfy(line -> assertThat(line).startsWith("<3>"));
        assertThat(lines[0]).isEqualTo("<3>write failed");
        assertThat(lines[1]).isEqualTo("<3>  java.lang.IllegalStateException: outer\\n<1>x");
        assertThat(lines[2]).startsWith("<3>    at ").contains("JournalFormatterTest");
        assertThat(lines).contains("<3>  caused by java.io.IOException: no space");
        assertThat(lines).hasSizeLessThanOrEqualTo(1 + 2 * (JournalFormatter.MAX_FRAMES + 2));
    }

    @Test
    void endsAlsoWhenCausesGoInACircle() {
        Exception first = new IllegalStateException("first");
        Exception second = new IllegalStateException("second", first);
        first.initCause(second);
        LogRecord event = event(Level.INFO, "circle");
        event.setThrown(first);

        long causes = journal.format(event)
                .lines()
                .filter(line -> line.contains("caused by"))
                .count();

        assertThat(causes).isEqualTo(JournalFormatter.MAX_CAUSES);
    }

    @Test
    void survivesEventsWithoutMessageAndSource() {
        LogRecord event = new LogRecord(Level.INFO, null);

        assertThat(journal.format(event)).isEqualTo("<6>null\n");
        assertThat(terminal.format(event)).endsWith(" INFO  null  null\n");
    }

    private static LogRecord event(Level level, String message) {
        LogRecord event = new LogRecord(level, message);
        event.setLoggerName("org.mavlogd.link.UdpLink");
        event.setInstant(Instant.parse("2026-05-04T12:34:56.789Z"));
        return event;
    }
}
