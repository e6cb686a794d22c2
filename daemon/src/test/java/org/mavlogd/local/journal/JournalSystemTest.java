package org.mavlogd.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenTexts;
import org.mavlogd.local.TakenTexts.Text;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/** Real processes: scripts in place of journalctl, and journalctl itself on a journal that the test writes. */
@Timeout(120)
class JournalSystemTest {
    private static final Path WRITER = Path.of("/lib/systemd/systemd-journal-remote");
    private static final int CAMERA = 3;

    @TempDir
    private Path directory;

    private final Metrics metrics = new Metrics();
    private final List<AgentRunner> runners = new ArrayList<>();

    @AfterEach
    void close() {
        runners.forEach(AgentRunner::close);
    }

    private static String bootId() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                .strip()
                .replace("-", "");
    }

    private TakenTexts start(List<String> program) throws IOException {
        JournalSource.Settings settings = new JournalSource.Settings(
                program,
                Map.of("cam.service", CAMERA),
                OptionalInt.empty(),
                LogLevel.DEBUG,
                directory.resolve("journal.cursor"));
        LocalFeed feed = new LocalFeed("journal", 1 << 18);
        JournalSource.Context context = new JournalSource.Context(
                bootId(),
                ProcessHandle.current().pid(),
                "",
                SystemNanoClock.INSTANCE,
                SystemEpochClock.INSTANCE,
                feed::fill);
        TextOutlet outlet = new TextOutlet(
                "journal", feed.publisher(), TagMap.DEFAULT, new TextLimiter.Limits(10_000, 10_000), metrics);
        AgentRunner runner = new AgentRunner(
                new SleepingIdleStrategy(TimeUnit.MILLISECONDS.toNanos(5)),
                e -> {
                    throw new AssertionError(e);
                },
                null,
                new JournalSource(settings, context, outlet, metrics));
        AgentRunner.startOnThread(runner);
        runners.add(runner);
        return new TakenTexts(feed);
    }

    private void stopLast() {
        runners.remove(runners.size() - 1).close();
    }

    private List<String> script(String body) throws IOException {
        Path file = directory.resolve("journalctl");
        Files.writeString(file, "#!/bin/sh\necho $$ >> " + directory + "/pids\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return List.of(file.toString());
    }

    private List<Long> pids() throws IOException {
        Path file = directory.resolve("pids");
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(Long::parseLong).toList()
                : List.of();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(50))
                .pollInterval(Duration.ofMillis(10))
                .until(condition);
    }

    private static List<String> awaitWords(TakenTexts taken, int count) {
        List<String> words = new ArrayList<>();
        await(count + " texts", () -> {
            words.addAll(taken.words());
            return words.size() >= count;
        });
        return words;
    }

    private static String line(String cursor, String message) throws IOException {
        return "{\"__CURSOR\":\"" + cursor + "\",\"_BOOT_ID\":\"" + bootId()
                + "\",\"_SYSTEMD_UNIT\":\"cam.service\",\"MESSAGE\":\"" + message + "\"}";
    }

    @Test
    void followsAndLeavesNoProcessBehind() throws Exception {
        TakenTexts taken =
                start(script("echo '" + line("a", "one") + "'\necho '" + line("b", "two") + "'\nexec sleep 600\n"));

        assertThat(awaitWords(taken, 2)).containsExactly("cam.service: one", "cam.service: two");
        long pid = pids().get(0);
        assertThat(isAlive(pid)).isTrue();

        stopLast();

        await("the end of the child", () -> !isAlive(pid));
        assertThat(Files.readString(directory.resolve("journal.cursor"))).isEqualTo("mavlogd journal 1 cursor b\n");
    }

    @Test
    void endsAChildThatDoesNotWantToEnd() throws Exception {
        TakenTexts taken =
                start(script("trap '' TERM\necho '" + line("a", "one") + "'\nwhile :; do sleep 0.1; done\n"));
        awaitWords(taken, 1);
        long pid = pids().get(0);

        stopLast();

        await("the end of the child", () -> !isAlive(pid));
    }

    @Test
    void startsAChildAgainThatDies() throws Exception {
        TakenTexts taken = start(script("echo '" + line("a", "one") + "'\necho 'it broke' >&2\nexit 3\n"));

        await("a second start", () -> pids().size() >= 2);

        // The second process prints the same entry again, which is skipped.
        assertThat(awaitWords(taken, 1)).containsExactly("cam.service: one");
    }

    @Test
    void aMissingProgramIsNoHarm() throws Exception {
        TakenTexts taken = start(List.of(directory.resolve("nothing").toString()));
        stopLast();

        assertThat(taken.take()).isEmpty();
    }

    @Test
    void takesEverythingOfAFlood() throws Exception {
        TakenTexts taken = start(script("i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo '" + line("c'$i'", "text '$i'")
                + "'; done\nexec sleep 600\n"));

        List<String> words = awaitWords(taken, 5000);

        assertThat(words).hasSize(5000);
        assertThat(words.get(4999)).isEqualTo("cam.service: text 5000");
    }

    /** Writes entries as journald does, with a tool of systemd. */
    private void writeJournal(Path journal, int from, int to) throws Exception {
        Process writer = new ProcessBuilder(WRITER.toString(), "--output=" + journal, "-")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("writer.txt").toFile())
                .start();
        try (OutputStream out = writer.getOutputStream()) {
            for (int i = from; i < to; i++) {
                out.write(export(i).getBytes(StandardCharsets.UTF_8));
                out.write('\n');
            }
        }
        assertThat(writer.waitFor(50, TimeUnit.SECONDS)).isTrue();
        assertThat(writer.exitValue())
                .as(Files.readString(directory.resolve("writer.txt")))
                .isZero();
    }

    private static String export(int number) throws IOException {
        String unit = number % 3 == 2 ? "other.service" : "cam.service";
        return "__REALTIME_TIMESTAMP=" + (System.currentTimeMillis() * 1000 + number) + "\n__MONOTONIC_TIMESTAMP="
                + System.nanoTime() / 1000 + "\n_BOOT_ID=" + bootId() + "\n_SYSTEMD_UNIT=" + unit
                + "\nPRIORITY=4\nSYSLOG_IDENTIFIER=camerad\nMESSAGE=text " + number + "\n";
    }

    @Test
    void followsTheRealJournalOverARestart() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(WRITER) && Files.isExecutable(Path.of("/usr/bin/journalctl")),
                "journalctl and systemd-journal-remote (Debian package of that name) are not both installed:"
                        + " test with a real journal is skipped");
        Path journal = Files.createDirectory(directory.resolve("j")).resolve("system.journal");
        List<String> journalctl = List.of("journalctl", "--directory=" + journal.getParent());
        writeJournal(journal, 0, 3);

        TakenTexts first = start(journalctl);
        await("journalctl", () -> metrics.counter("journal.starts", "").get() == 1);
        long beforeNs = System.nanoTime();
        writeJournal(journal, 3, 9);
        List<Text> texts = new ArrayList<>();
        await("the new texts", () -> {
            texts.addAll(first.take());
            return texts.size() >= 4;
        });
        stopLast();
        writeJournal(journal, 9, 12);
        TakenTexts second = start(journalctl);
        writeJournal(journal, 12, 15);
        List<String> later = awaitWords(second, 4);

        // Entries of the same instant as the first start may precede it.
        assertThat(texts.stream().map(Text::text).filter(text -> text.matches(".* [3-8]")))
                .containsExactly("camerad: text 3", "camerad: text 4", "camerad: text 6", "camerad: text 7");
        assertThat(texts.get(texts.size() - 1).takenNs()).isBetween(beforeNs - 1000, System.nanoTime());
        assertThat(later)
                .containsExactly("camerad: text 9", "camerad: text 10", "camerad: text 12", "camerad: text 13");
    }
}
