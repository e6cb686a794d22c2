package org.mavlogd.local.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenTexts;
import org.mavlogd.local.TakenTexts.Text;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

class JournalSourceTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String BOOT = "bf60308ab0ab4cb393ea63212bd4ce7d";
    private static final String OTHER_BOOT = "00000000000000000000000000000001";
    private static final int CAMERA = 3;
    private static final int IO = 7;

    @TempDir
    private Path directory;

    private final Metrics metrics = new Metrics();
    private final LocalFeed feed = new LocalFeed("journal", 1 << 18);
    private final TakenTexts taken = new TakenTexts(feed);
    private final List<FakeJournalctl> started = new ArrayList<>();
    private final List<List<String>> commands = new ArrayList<>();
    private Path stateFile = Path.of("unused");
    private String launchFailure = "";
    private double fill;
    private long nowNs = 100 * SECOND_NS;
    private long epochMs = 1_795_000_000_500L;

    @BeforeEach
    void prepare() {
        stateFile = directory.resolve("journal.cursor");
    }

    /** A journalctl whose output the test writes. */
    private static final class FakeJournalctl implements Follower {
        private final StringBuilder output = new StringBuilder();
        private boolean ended;
        private boolean closed;
        private String reason = "ended with code 0";
        private boolean terminated;

        void end(String why) {
            ended = true;
            reason = why;
        }

        @Override
        public int read(byte[] buffer) {
            byte[] bytes = output.toString().getBytes(StandardCharsets.UTF_8);
            int count = Math.min(bytes.length, buffer.length);
            System.arraycopy(bytes, 0, buffer, 0, count);
            output.setLength(0);
            output.append(new String(bytes, count, bytes.length - count, StandardCharsets.UTF_8));
            return count;
        }

        @Override
        public boolean isOver() {
            return ended && output.length() == 0;
        }

        @Override
        public String reason() {
            return reason;
        }

        @Override
        public boolean wasTerminated() {
            return terminated;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private JournalSource source() {
        return source(Map.of("cam.service", CAMERA, "kernel", IO), OptionalInt.empty());
    }

    private JournalSource source(Map<String, Integer> units, OptionalInt other) {
        JournalSource.Settings settings =
                new JournalSource.Settings(List.of("journalctl"), units, other, LogLevel.INFO, stateFile);
        JournalSource.Context context =
                new JournalSource.Context(BOOT, 4711, "mavlogd.service", () -> nowNs, () -> epochMs, () -> fill);
        TextOutlet outlet = new TextOutlet(
                "journal", feed.publisher(), TagMap.DEFAULT, new TextLimiter.Limits(1000, 1000), metrics);
        JournalSource source = new JournalSource(settings, context, outlet, metrics, command -> {
            commands.add(command);
            if (!launchFailure.isEmpty()) {
                throw new IOException(launchFailure);
            }
            FakeJournalctl child = new FakeJournalctl();
            started.add(child);
            return child;
        });
        source.onStart();
        return source;
    }

    /** An entry that throws is left out, once: it counts as read, and later entries are recorded. */
    @Test
    @SuppressWarnings("NullAway") // the error under test: throws for each entry of a wanted unit
    void leavesOutAnEntryThatThrows() throws IOException {
        JournalSource.Settings settings = new JournalSource.Settings(
                List.of("journalctl"), Map.of("cam.service", CAMERA), OptionalInt.empty(), LogLevel.INFO, stateFile);
        JournalSource.Context noUnit =
                new JournalSource.Context(BOOT, 4711, null, () -> nowNs, () -> epochMs, () -> fill);
        TextOutlet outlet = new TextOutlet(
                "journal", feed.publisher(), TagMap.DEFAULT, new TextLimiter.Limits(1000, 1000), metrics);
        FakeJournalctl child = new FakeJournalctl();
        JournalSource source = new JournalSource(settings, noUnit, outlet, metrics, command -> child);
        source.onStart();
        child.output.append(entry(1, "")).append(entry(2, ""));

        source.doWork();
        source.doWork();
        source.onClose();

        assertThat(metrics.part("journal.entries", Recovery.CONTINUES).errors()).isEqualTo(2);
        assertThat(child.closed).isTrue();
        assertThat(Files.readString(stateFile)).contains("s=a;i=2");
    }

    private FakeJournalctl last() {
        return started.get(started.size() - 1);
    }

    /** The line that journalctl prints for an entry. */
    private static String entry(int number, String fields) {
        return "{\"__CURSOR\":\"s=a;i=" + number + "\",\"_BOOT_ID\":\"" + BOOT + "\",\"__MONOTONIC_TIMESTAMP\":\""
                + (90_000_000L + number) + "\",\"_SYSTEMD_UNIT\":\"cam.service\",\"MESSAGE\":\"text " + number + '"'
                + (fields.isEmpty() ? "" : "," + fields) + "}\n";
    }

    private void say(JournalSource source, String output) {
        last().output.append(output);
        source.doWork();
    }

    private void passSeconds(JournalSource source, int seconds) {
        for (int i = 0; i < 10 * seconds; i++) {
            nowNs += SECOND_NS / 10;
            source.doWork();
        }
    }

    private String stored() throws IOException {
        return Files.readString(stateFile).strip().replace("mavlogd journal 1 ", "");
    }

    private long count(String name) {
        return metrics.counter(name, "").get();
    }

    @Test
    void publishesWithTheTimeAtWhichTheJournalGotIt() {
        JournalSource source = source();
        source.doWork();

        say(source, entry(7, "\"PRIORITY\":\"3\",\"SYSLOG_IDENTIFIER\":\"camerad\""));

        assertThat(taken.take()).containsExactly(new Text(3, CAMERA, 90_000_007_000L, "camerad: text 7"));
    }

    @Test
    void followsTheUnitsFromNowOnAtTheFirstStart() {
        source().doWork();

        assertThat(commands.get(0))
                .startsWith("journalctl", "--system", "--follow")
                .contains("--since=@1795000000.500000", "--output=json", "--no-tail", "--all")
                .endsWith("_SYSTEMD_UNIT=cam.service", "+", "UNIT=cam.service", "_PID=1", "+", "_TRANSPORT=kernel");
    }

    @Test
    void followsEverythingWhenTheRestIsWanted() {
        source(Map.of("cam.service", CAMERA), OptionalInt.of(0)).doWork();

        assertThat(commands.get(0)).noneMatch(argument -> argument.startsWith("_SYSTEMD_UNIT"));
    }

    @Test
    void tagsByTheUnitThatSaysItOrTheOneThatSystemdSpeaksOf() {
        JournalSource source = source(Map.of("cam.service", CAMERA, "kernel", IO), OptionalInt.of(0));
        source.doWork();

        say(source, entry(1, "").replace("cam.service", "x.service"));
        say(source, entry(2, "\"_TRANSPORT\":\"kernel\"").replace("cam.service", ""));
        String about = "\"UNIT\":\"cam.service\",\"_PID\":";
        say(source, entry(3, "").replace("\"cam.service\"", "\"init.scope\"").replace("}", "," + about + "\"1\"}"));
        // Only the fields set by systemd count.
        say(source, entry(4, "").replace("\"cam.service\"", "\"evil.service\"").replace("}", "," + about + "\"17\"}"));

        assertThat(taken.take())
                .extracting(Text::tag, Text::text)
                .containsExactly(
                        tuple(0, "x.service: text 1"),
                        tuple(IO, "text 2"),
                        tuple(CAMERA, "init.scope: text 3"),
                        tuple(0, "evil.service: text 4"));
    }

    @Test
    void leavesOutOtherBootsAndWhatIsOwnOrNotGraveEnough() {
        JournalSource source = source(Map.of("cam.service", CAMERA), OptionalInt.of(0));
        source.doWork();

        say(source, entry(1, "").replace(BOOT, OTHER_BOOT));
        say(source, entry(2, "\"PRIORITY\":\"7\""));
        say(source, entry(3, "\"_PID\":\"4711\""));
        say(source, entry(4, "").replace("cam.service", "mavlogd.service"));

        assertThat(taken.take()).isEmpty();
        assertThat(count("journal.other.boots")).isEqualTo(1);
        assertThat(count("journal.filtered")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"MESSAGE\":[104,195,188,255,10,98]",
                "\"MESSAGE\":[[104,195,188,255,10,98],\"second\"],\"x\":[[1],{\"y\":[2]}],\"z\":{\"MESSAGE\":\"no\"}",
                "\"MESSAGE\":[\"hü\uFFFD\\nb\",[1]],\"PRIORITY\":\"9\",\"__MONOTONIC_TIMESTAMP\":\"soon\",\"q\":null"
            })
    void takesBytesAndRepeatedFields(String fields) {
        JournalSource source = source();
        source.doWork();

        say(source, "{\"_BOOT_ID\":\"" + BOOT + "\",\"_SYSTEMD_UNIT\":\"cam.service\"," + fields + "}\n");

        assertThat(taken.take()).containsExactly(new Text(6, CAMERA, nowNs, "cam.service: hü\uFFFD\\nb"));
    }

    @Test
    void passesOverWhatIsNoEntry() {
        JournalSource source = source();
        source.doWork();

        say(source, "-- No entries --\nnonsense\n{\"a\":\n[]\n{} {}\n{\"MESSAGE\":[1,\n\n");
        say(source, "x".repeat(LineBuffer.MAX_LINE) + "y\n");
        say(source, entry(1, "\"x\":\"" + "z".repeat(100_000) + '"'));
        while (last().output.length() > 0) {
            source.doWork();
        }

        assertThat(taken.words()).containsExactly("cam.service: text 1");
        assertThat(count("journal.malformed")).isEqualTo(6);
    }

    @Test
    void goesOnAfterARestartWithoutDoublingOrMissing() throws IOException {
        JournalSource first = source();
        first.doWork();
        say(first, entry(1, "") + entry(2, ""));
        first.onClose();
        assertThat(stored()).isEqualTo("cursor s=a;i=2");
        assertThat(started.get(0).closed).isTrue();

        JournalSource second = source();
        second.doWork();
        assertThat(commands.get(1)).contains("--cursor=s=a;i=2");
        say(second, entry(2, "") + entry(3, ""));

        assertThat(taken.words()).containsExactly("cam.service: text 1", "cam.service: text 2", "cam.service: text 3");
    }

    @Test
    void takesWhatIsOnItsWayAtTheEnd() throws IOException {
        JournalSource source = source();
        source.doWork();
        last().output.append(entry(1, ""));

        source.onClose();

        assertThat(taken.words()).containsExactly("cam.service: text 1");
        assertThat(stored()).isEqualTo("cursor s=a;i=1");
    }

    @Test
    void storesAPlaceThatIsASecondOldSoThatACrashDoublesRatherThanMisses() throws IOException {
        JournalSource source = source();
        source.doWork();
        assertThat(stored()).isEqualTo("since 1795000000500000");
        say(source, entry(1, ""));
        nowNs += SECOND_NS;
        source.doWork();
        assertThat(stored()).isEqualTo("since 1795000000500000");
        say(source, entry(2, ""));
        nowNs += SECOND_NS;
        source.doWork();
        assertThat(stored()).isEqualTo("cursor s=a;i=1");
        nowNs += SECOND_NS;
        source.doWork();
        assertThat(stored()).isEqualTo("cursor s=a;i=2");
    }

    @Test
    void goesOnFromTheFirstEntryThatIsLeftWhenTheJournalWasRotated() throws IOException {
        Files.writeString(stateFile, "mavlogd journal 1 cursor s=a;i=2\n");
        JournalSource source = source();
        source.doWork();

        say(source, entry(9, "") + entry(10, ""));

        assertThat(taken.words()).containsExactly("cam.service: text 9", "cam.service: text 10");
    }

    @Test
    void readsFromNowOnWhenTheCursorIsRefused() throws IOException {
        Files.writeString(stateFile, "mavlogd journal 1 cursor s=a;i=2\n");
        JournalSource source = source();
        source.doWork();
        last().end("ended with code 1: Failed to seek to cursor: Invalid argument");

        passSeconds(source, 2);

        assertThat(commands).hasSize(2);
        assertThat(commands.get(1)).contains("--since=@1795000000.500000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "mavlogd journal 1 cursor a b\n", "mavlogd journal 1 since -1\n"})
    void readsFromNowOnWhenTheFileIsDamaged(String content) throws IOException {
        Files.writeString(stateFile, content);

        source().doWork();

        assertThat(commands.get(0)).contains("--since=@1795000000.500000");
        assertThat(stored()).isEqualTo("since 1795000000500000");
    }

    @Test
    void startsAgainAfterLongerAndLongerTimes() {
        JournalSource source = source();
        for (int tries = 1; tries <= 5; tries++) {
            source.doWork();
            last().end("ended with code 1: No journal files were found.");
            source.doWork();
            int before = commands.size();
            int waited = 0;
            while (commands.size() == before) {
                passSeconds(source, 1);
                waited++;
            }
            assertThat(waited).as("try " + tries).isEqualTo(1 << (tries - 1));
        }
        assertThat(started.subList(0, 5)).allMatch(child -> child.closed);
    }

    @Test
    void waitsAMinuteAtMostForAProgramThatIsMissing() {
        launchFailure = "No such file or directory";
        JournalSource source = source();
        passSeconds(source, 600);
        assertThat(commands.size()).isBetween(14, 17);

        launchFailure = "";
        passSeconds(source, 61);
        say(source, entry(1, ""));
        assertThat(taken.words()).containsExactly("cam.service: text 1");
    }

    @Test
    void goesOnWhereItWasWhenJournalctlDies() {
        JournalSource source = source();
        source.doWork();
        say(source, entry(1, "") + entry(2, "") + "{\"half");
        last().end("ended with code 137");
        passSeconds(source, 2);
        assertThat(commands.get(1)).contains("--cursor=s=a;i=2");

        say(source, entry(2, "") + entry(3, ""));

        assertThat(taken.words()).containsExactly("cam.service: text 1", "cam.service: text 2", "cam.service: text 3");
        assertThat(count("journal.malformed")).isZero();
    }

    @Test
    void leavesTheJournalWhatTheRingHasNoRoomFor() {
        JournalSource source = source();
        source.doWork();
        fill = 0.6;
        say(source, entry(1, ""));
        assertThat(taken.take()).isEmpty();

        fill = 0.4;
        source.doWork();

        assertThat(taken.words()).containsExactly("cam.service: text 1");
    }

    @Test
    void aPlaceThatCannotBeStoredCostsNoText() throws IOException {
        stateFile = Files.createFile(directory.resolve("file")).resolve("journal.cursor");
        JournalSource source = source();
        source.doWork();

        say(source, entry(1, ""));
        passSeconds(source, 5);
        source.onClose();

        assertThat(taken.words()).containsExactly("cam.service: text 1");
    }
}
