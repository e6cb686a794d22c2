package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.store.LogKind;

/** The index of the facts of logs, over real files. */
class FactsIndexSystemTest {
    private static final int MANY = 20_000;
    // They take some 15 s on an idle machine. If each of them needed a pass over all logs, it would be many minutes.
    private static final Duration PATIENCE_FOR_MANY = Duration.ofSeconds(200);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private Entry entry(String name, long modifiedMs) {
        return new Entry(name, directory.resolve(name), 1, modifiedMs, LogKind.ULG, State.FINISHED, false);
    }

    /** The logs no longer exist when they are read, so only the work per log counts. */
    @Test
    void manyLogsAreReadInATimeThatGrowsWithTheirNumberOnly() {
        List<Entry> logs =
                IntStream.range(0, MANY).mapToObj(i -> entry(i + ".ulg", i)).toList();
        // No time passes, so that none of them is due again before the last was tried.
        try (FactsIndex facts = new FactsIndex(directory.resolve("facts"), () -> 0)) {
            facts.start();
            facts.want(logs);

            await().atMost(PATIENCE_FOR_MANY)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> facts.missing() == 0);
        }
    }

    /**
     * Otherwise they would fill heap and disk after some years, or after days if another program writes to a log
     * constantly.
     */
    @Test
    void ofLogsThatAreGoneNotAllIsKept() throws IOException {
        List<Entry> logs =
                IntStream.range(0, 5000).mapToObj(i -> entry(i + ".ulg", i)).toList();
        for (Entry log : logs) {
            Files.writeString(log.file(), "no log");
        }
        Path file = directory.resolve("facts");
        try (FactsIndex facts = new FactsIndex(file)) {
            facts.start();
            facts.want(logs);
            await().atMost(PATIENCE).until(() -> facts.missing() == 0);

            facts.want(List.of(entry("new.ulg", 1)));

            await().atMost(PATIENCE).until(() -> Files.size(file) < 10_000);
            await().atMost(PATIENCE).until(() -> facts.missing() == 0);
            assertThat(facts.of(logs.get(0))).isEmpty();
        }
    }

    /** A card that was removed and came back has the same logs. */
    @Test
    void aLogThatCouldNotBeReadIsReadAgainAfterAMinute() throws IOException {
        AtomicLong nowNs = new AtomicLong();
        Path file = directory.resolve("facts");
        Entry log = entry("a.ulg", 1);
        try (FactsIndex facts = new FactsIndex(file, nowNs::get)) {
            facts.start();
            facts.want(List.of(log));
            await().atMost(PATIENCE).until(() -> facts.missing() == 0);
            assertThat(text(facts.of(log))).contains("\"damage\":\"cannot be read: ");
            assertThat(file).doesNotExist();

            Files.write(log.file(), PageFixture.log().bytes());
            nowNs.set(FactsIndex.UNREAD_NS);
            facts.want(List.of(log));
            await().atMost(PATIENCE).until(() -> facts.missing() == 0);

            assertThat(text(facts.of(log))).contains("\"duration_s\":11.0");
        }
        assertThat(file).isNotEmptyFile();
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
            assertThat(text(facts.of(entry("b.ulg", 2)))).contains("\"duration_s\":11.0");
        }
    }

    /** Both files of an ArduPilot's flight have the facts of its ULog. */
    @Test
    void ofALogThatIsBeingRecordedIsKnownWhatWasWritten() throws IOException {
        byte[] log = PageFixture.log().bytes();
        Entry ulog = recorded("2026-11-25_12-00-00_sys001_000042.ulg.part", LogKind.ULG);
        Entry blocks = recorded("2026-11-25_12-00-00_sys001_000042.bin.part", LogKind.BIN);
        Files.write(ulog.file(), Arrays.copyOf(log, log.length / 2));
        Files.write(blocks.file(), new byte[200]);
        try (FactsIndex facts = new FactsIndex(directory.resolve("facts"))) {
            facts.start();
            facts.want(List.of(ulog, blocks));
            await().atMost(PATIENCE).until(() -> facts.of(ulog).isPresent());
            double half = duration(facts.of(ulog));
            Files.write(ulog.file(), Arrays.copyOfRange(log, log.length / 2, log.length), StandardOpenOption.APPEND);
            facts.want(List.of(ulog, blocks));
            await().atMost(PATIENCE).until(() -> duration(facts.of(ulog)) > half);

            assertThat(half).isBetween(1.0, 10.0);
            assertThat(duration(facts.of(ulog))).isEqualTo(11.0);
            assertThat(facts.of(blocks)).contains(facts.of(ulog).orElseThrow());
            assertThat(facts.missing()).isZero();
        }
        assertThat(directory.resolve("facts")).doesNotExist();
    }

    @Test
    void ofALogThatIsRefusedWhileItIsRecordedIsSaidWhy() throws IOException {
        Entry log = recorded("2026-11-25_12-00-00_sys001_000042.ulg.part", LogKind.ULG);
        Files.writeString(log.file(), "this is the beginning of something else than a log");
        try (FactsIndex facts = new FactsIndex(directory.resolve("facts"))) {
            facts.start();
            facts.want(List.of(log));
            await().atMost(PATIENCE).until(() -> facts.of(log).isPresent());
            String said = text(facts.of(log));
            Files.write(log.file(), PageFixture.log().bytes(), StandardOpenOption.APPEND);
            // Growing logs come first: when the facts of the finished one are known, this one has been read again.
            facts.want(List.of(log, entry("a.ulg", 1)));
            await().atMost(PATIENCE).until(() -> facts.missing() == 0);

            assertThat(said).contains("\"damage\":\"not a ULog", "\"duration_s\":null");
            assertThat(text(facts.of(log))).isEqualTo(said);
        }
    }

    private Entry recorded(String name, LogKind kind) {
        return new Entry(name, directory.resolve(name), 1, 1, kind, State.RECORDING, false);
    }

    private static double duration(Optional<byte[]> facts) {
        return Double.parseDouble(text(facts).replaceAll(".*\"duration_s\":([0-9.]+).*", "$1"));
    }

    private static String text(Optional<byte[]> facts) {
        return new String(facts.orElseThrow(), StandardCharsets.UTF_8);
    }
}
