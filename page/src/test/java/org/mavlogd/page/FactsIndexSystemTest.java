package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.store.LogKind;

/** The index of what is known of logs, over real files. */
class FactsIndexSystemTest {
    // With one look through all logs for each of them this takes minutes.
    private static final int MANY = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private Entry entry(String name, long modifiedMs) {
        return new Entry(name, directory.resolve(name), 1, modifiedMs, LogKind.ULG, State.FINISHED, false);
    }

    /** The logs are gone when they are read: what counts is the work for each. */
    @Test
    void manyLogsAreReadInATimeThatGrowsWithTheirNumberOnly() {
        List<Entry> logs =
                IntStream.range(0, MANY).mapToObj(i -> entry(i + ".ulg", i)).toList();
        try (FactsIndex facts = new FactsIndex(directory.resolve("facts"))) {
            facts.start();
            facts.want(logs);

            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> facts.missing() == 0);
        }
    }

    @Test
    void aLogThatIsWantedLaterIsReadToo() throws IOException {
        Files.write(directory.resolve("a.ulg"), PageFixture.log().bytes());
        Files.write(directory.resolve("b.ulg"), PageFixture.log().bytes());
        try (FactsIndex facts = new FactsIndex(directory.resolve("facts"))) {
            facts.start();
            facts.want(List.of(entry("a.ulg", 1)));
            await().atMost(PATIENCE).until(() -> facts.missing() == 0);

            facts.want(List.of(entry("a.ulg", 1), entry("b.ulg", 2)));
            await().atMost(PATIENCE).until(() -> facts.missing() == 0);

            assertThat(facts.of(entry("b.ulg", 2))).isPresent();
            assertThat(new String(facts.of(entry("b.ulg", 2)).orElseThrow(), StandardCharsets.UTF_8))
                    .contains("\"duration_s\":10.9");
        }
    }
}
