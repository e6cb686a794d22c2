package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If a process ends between any two steps of replacing a log, the next one completes or undoes the replacement. */
class LakeLedgerTest {
    private static final List<String> OLD = List.of("topics/a/date=1/x", "topics/gone/date=1/x", "logs/date=1/x");
    private static final List<String> NEW = List.of("topics/a/date=1/x", "topics/b/date=2/x", "logs/date=1/x");

    @TempDir
    private Path lake = Path.of(".");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void listedReplacementIsCompletedFromEveryStep(int steps) throws IOException {
        publish(OLD, "old");
        Path staged = stage(NEW, "new");
        Path next = lake.resolve(LakeFiles.OWN).resolve("change");
        Files.write(next, new LakeChange("x", List.of(entry(NEW, "new")), List.of(OLD.get(1))).bytes());
        if (steps > 0) {
            Files.delete(lake.resolve("logs/date=1/x"));
        }
        for (int i = 0; i < Math.min(steps - 1, 2); i++) {
            move(staged, NEW.get(i));
        }
        if (steps > 3) {
            Files.delete(lake.resolve("topics/gone/date=1/x"));
        }
        if (steps > 4) {
            move(staged, NEW.get(2));
        }

        try (LakeLedger ledger = LakeLedger.open(lake)) {
            assertThat(ledger.entry("x")).contains(entry(NEW, "new"));
        }

        assertThat(contents())
                .containsExactlyInAnyOrder("topics/a/date=1/x new", "topics/b/date=2/x new", "logs/date=1/x new");
        assertThat(next).doesNotExist();
        assertThat(staged).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3})
    void whatIsNotListedIsUndone(int staged) throws IOException {
        publish(OLD, "old");
        Path directory = stage(NEW.subList(0, staged), "new");

        try (LakeLedger ledger = LakeLedger.open(lake)) {
            assertThat(ledger.entry("x")).contains(entry(OLD, "old"));
        }

        assertThat(contents())
                .containsExactlyInAnyOrder(
                        OLD.stream().map(file -> file + " old").toArray(String[]::new));
        assertThat(directory).doesNotExist();
    }

    private void publish(List<String> files, String content) throws IOException {
        try (LakeLedger ledger = LakeLedger.open(lake);
                DayFiles days = new DayFiles(lake)) {
            stage(files, content);
            ledger.publish(entry(files, content), days);
        }
    }

    private Path stage(List<String> files, String content) throws IOException {
        Path staged = lake.resolve(LakeFiles.OWN).resolve("staging").resolve("x");
        for (String file : files) {
            FleetLogs.put(staged.resolve(file), content.getBytes(StandardCharsets.UTF_8));
        }
        return staged;
    }

    private void move(Path staged, String file) throws IOException {
        Path target = lake.resolve(file);
        Files.createDirectories(LakeFiles.parent(target));
        Files.move(staged.resolve(file), target, StandardCopyOption.REPLACE_EXISTING);
    }

    private static LogEntry entry(List<String> files, String content) {
        return new LogEntry("x", "file:///a b\n.ulg", LakeFiles.code(content), 1, 2, files);
    }

    private List<String> contents() throws IOException {
        try (Stream<Path> all = Files.walk(lake)) {
            List<Path> files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(lake.resolve(LakeFiles.OWN)))
                    .toList();
            return files.stream()
                    .map(file -> lake.relativize(file) + " " + text(file))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
