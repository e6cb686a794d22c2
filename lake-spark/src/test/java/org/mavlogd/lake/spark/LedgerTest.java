package org.mavlogd.lake.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.lake.LogEntry;

/** Entries outlive the job that wrote them, and only one job at a time writes them. */
class LedgerTest {
    @TempDir
    private java.nio.file.Path directory = java.nio.file.Path.of(".");

    private Path lake = new Path("/");

    @BeforeEach
    void nameLake() {
        lake = new Path(directory.resolve("lake").toUri());
    }

    @Test
    void nextJobFindsWhatIsCompleteAndWhatIsNot() throws IOException {
        LogEntry whole = entry("whole");
        LogEntry begun = entry("begun");
        try (Ledger ledger = open("1")) {
            ledger.begin(whole, "whole.1-0");
            ledger.finish(whole, "whole.1-0");
            ledger.begin(begun, "begun.1-1");
        }

        try (Ledger ledger = open("2")) {
            assertThat(ledger.entry("whole")).contains(whole);
            assertThat(ledger.entry("begun")).isEmpty();
            assertThat(ledger.unfinished()).containsOnlyKeys("begun.1-1").containsValue(begun);
            assertThat(ledger.logsBySha256()).containsOnlyKeys("sha-whole");
        }
    }

    @Test
    void oneJobAtATimeWrites() throws IOException {
        try (Ledger ledger = open("1")) {
            assertThatThrownBy(() -> open("2")).hasMessageContaining("another process is changing it");
            // As on a file system without locks.
            Files.writeString(directory.resolve("lake/_mavlogd/job"), "2");
            assertThatThrownBy(() -> ledger.begin(entry("x"), "x.1-0")).hasMessageContaining("another job took over");
            assertThatThrownBy(ledger::clean).hasMessageContaining("another job took over");
        }
        assertThat(directory.resolve("lake/_mavlogd/ledger")).isEmptyDirectory();
    }

    @Test
    void refusesWhatIsNoEntryAndPassesOverHalfOnes() throws IOException {
        java.nio.file.Path entries = Files.createDirectories(directory.resolve("lake/_mavlogd/ledger"));
        Files.writeString(entries.resolve(".x.tmp"), "x");
        open("1").close();
        assertThat(entries).isEmptyDirectory();

        Files.writeString(entries.resolve("x"), "x");
        assertThatThrownBy(() -> open("2"))
                .hasMessageContaining("ledger/x: not an entry of a lake's ledger: 1 lines instead of at least 5");
    }

    /** Both programs leave states that the other one completes or leaves alone. */
    @Test
    void leavesMergedDaysAndInterruptedBuildsToLakeBuild() throws IOException {
        try (Ledger ledger = open("1")) {
            for (String log : List.of("a", "b")) {
                ledger.begin(entry(log), log + ".1-0");
                ledger.finish(entry(log), log + ".1-0");
            }
            assertThat(ledger.isMerged("a")).isTrue(); // both list x.parquet
            assertThat(ledger.isMerged("c")).isFalse();
        }
        Files.writeString(directory.resolve("lake/_mavlogd/change"), "");
        assertThatThrownBy(() -> open("2")).hasMessageContaining("run mavlogd lake build");
    }

    private Ledger open(String job) throws IOException {
        FileSystem files = Stores.at(lake.toString(), new Configuration());
        return Ledger.open(files, lake, "_mavlogd", job, paths -> {
            List<byte[]> contents = new ArrayList<>();
            for (Path path : paths) {
                contents.add(Ledger.content(files, path));
            }
            return contents;
        });
    }

    private static LogEntry entry(String log) {
        return new LogEntry(
                log, "s3a://logs/" + log + ".ulg", "sha-" + log, 1, 2, List.of("logs/date=2026-01-01/x.parquet"));
    }
}
