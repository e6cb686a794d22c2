package org.mavlogd.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.edit.RandomLog.Contents;
import org.mavlogd.logtools.Logs;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TimeRange.Bound;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

class LogMergeTest {
    private static final String VEHICLE = "0001";
    private static final long MAX_DISORDER_US = 35_000;

    @TempDir
    private Path directory = Path.of(".");

    private Path out() {
        return directory.resolve("out.ulg");
    }

    private LogCopy.Result merge(Path... logs) throws IOException {
        return merge(MergeClocks.Align.AUTO, logs);
    }

    private LogCopy.Result merge(MergeClocks.Align align, Path... logs) throws IOException {
        LogCopy.Result result = LogMerge.merge(List.of(logs), out(), OutputFile.Existing.REPLACE, align, Progress.NONE);
        assertThat(LogSurvey.of(out(), Progress.NONE).damage().text()).isEqualTo("none");
        return result;
    }

    private Path cut(Path log, String name, Optional<Long> fromUs, Optional<Long> toUs) throws IOException {
        Path part = directory.resolve(name);
        TimeRange range = new TimeRange(fromUs.map(LogMergeTest::bound), toUs.map(LogMergeTest::bound));
        LogCut.cut(log, part, OutputFile.Existing.REPLACE, range, Progress.NONE);
        return part;
    }

    private static Bound bound(long us) {
        return Bound.parse(us / 1_000_000 + "." + String.format("%06d", us % 1_000_000));
    }

    private static <T extends Comparable<T>> List<T> sorted(List<T> values) {
        List<T> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted;
    }

    /** The samples of a topic, in the order of the log. */
    private static List<String> of(List<String> samples, String topic) {
        return samples.stream().filter(line -> line.startsWith(topic + " ")).toList();
    }

    @Test
    void partsBecomeTheLogThatTheyWereOf() throws IOException {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            String vehicle = random.nextBoolean() ? VEHICLE : "";
            Path log = new RandomLog(random, "topic_", vehicle)
                    .fill(100 + random.nextInt(900))
                    .write(directory.resolve("in.ulg"));
            Contents all = Contents.of(log);
            List<Long> times = sorted(all.times);
            long firstUs = times.get(times.size() / 4);
            long secondUs = times.get(times.size() / 2) + 1;
            Path one = cut(log, "one.ulg", Optional.empty(), Optional.of(firstUs));
            Path two = cut(log, "two.ulg", Optional.of(firstUs + 1), Optional.of(secondUs));
            Path three = cut(log, "three.ulg", Optional.of(secondUs + 1), Optional.empty());

            LogCopy.Result result = merge(two, three, one);

            Contents merged = Contents.of(out());
            String at = "seed " + seed;
            assertThat(sorted(merged.samples)).as(at).isEqualTo(sorted(all.samples));
            assertThat(sorted(merged.texts)).as(at).isEqualTo(sorted(all.texts));
            assertThat(merged.times).as(at).isEqualTo(inParts(all.times, firstUs, secondUs));
            assertThat(merged.parameters).as(at).containsExactlyInAnyOrderElementsOf(all.parameters);
            assertThat(lastOf(merged.changes)).as(at).isEqualTo(lastOf(all.changes));
            assertThat(merged.infos).as(at).containsExactlyInAnyOrderElementsOf(all.infos);
            assertThat(merged.utc.at(0)).as(at).isEqualTo(all.utc.at(0));
            assertThat(sorted(merged.dropouts)).as(at).isEqualTo(sorted(all.dropouts));
            assertThat(result.samples()).as(at).isEqualTo(all.samples.size());
            assertThat(result.text()).as(at).endsWith("; 3 logs");
        }
    }

    /** Topics of low rates are written late: the last sample of a file is not its latest. */
    @Test
    void samplesOutOfOrderAreNoGap() throws IOException {
        MemorySink sink = new MemorySink();
        WriterSettings settings = new WriterSettings(1 << 17, 20_000, TimestampPolicy.COUNT_AND_KEEP);
        try (ULogWriter log = new ULogWriter(sink, 1, settings)) {
            log.format(TopicFormat.parse("fast:uint64_t timestamp;"));
            log.format(TopicFormat.parse("slow:uint64_t timestamp;"));
            TopicWriter fast = log.subscribe("fast", 0);
            TopicWriter slow = log.subscribe("slow", 0);
            for (int i = 0; i < 1000; i++) {
                fast.begin(2_000_000 + 4_000 * i).write();
                if (i % 50 == 49) {
                    slow.begin(1_200_000 + 4_000 * i).write();
                }
            }
        }
        Path log = Files.write(directory.resolve("in.ulg"), sink.toByteArray());
        Path one = cut(log, "one.ulg", Optional.empty(), Optional.of(2_000_000L + 4_000 * 539));
        Path two = cut(log, "two.ulg", Optional.of(2_000_001L + 4_000 * 539), Optional.empty());

        merge(MergeClocks.Align.BOOT, one, two);

        assertThat(Contents.of(out()).samples).hasSize(1020);
        assertThat(Contents.of(out()).dropouts).isEmpty();
    }

    private static List<Long> inParts(List<Long> times, long firstUs, long secondUs) {
        List<Long> ordered = new ArrayList<>();
        times.stream().filter(time -> time <= firstUs).forEach(ordered::add);
        times.stream().filter(time -> time > firstUs && time <= secondUs).forEach(ordered::add);
        times.stream().filter(time -> time > secondUs).forEach(ordered::add);
        return ordered;
    }

    private static String lastOf(List<String> changes) {
        return changes.isEmpty() ? "" : changes.get(changes.size() - 1);
    }

    @Test
    void messagesThatSeveralPartsHaveAreWrittenOnce() throws IOException {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            Path log = new RandomLog(random, "topic_", VEHICLE).fill(800).write(directory.resolve("in.ulg"));
            Contents all = Contents.of(log);
            List<Long> times = sorted(all.times);
            Path one = cut(log, "one.ulg", Optional.empty(), Optional.of(times.get(times.size() / 2)));
            Path two = cut(log, "two.ulg", Optional.of(times.get(times.size() / 4)), Optional.empty());
            Path three = cut(log, "three.ulg", Optional.of(times.get(times.size() / 3)), Optional.empty());
            long together = (long) Contents.of(one).samples.size()
                    + Contents.of(two).samples.size()
                    + Contents.of(three).samples.size();

            LogCopy.Result result = merge(one, two, three);

            Contents merged = Contents.of(out());
            String at = "seed " + seed;
            assertThat(sorted(merged.samples)).as(at).isEqualTo(sorted(all.samples));
            assertThat(sorted(merged.texts)).as(at).isEqualTo(sorted(all.texts));
            assertThat(result.text())
                    .as(at)
                    .containsPattern(
                            String.format("%,d samples? that several logs have", together - all.samples.size()));
        }
    }

    @Test
    void equalSamplesWithoutTimestampAreDifferentIfTheirTimesAre() throws IOException {
        Path one = withUntimed(directory.resolve("one.ulg"), 0, 100);
        Path two = withUntimed(directory.resolve("two.ulg"), 100, 200);
        Path overlapping = withUntimed(directory.resolve("overlapping.ulg"), 50, 150);

        LogCopy.Result inTurn = merge(MergeClocks.Align.BOOT, one, two);
        List<String> samples = Contents.of(out()).samples;
        LogCopy.Result overlapped = merge(MergeClocks.Align.BOOT, one, overlapping, two);

        assertThat(of(samples, "untimed:0")).hasSize(400);
        assertThat(inTurn.text()).endsWith("; 2 logs");
        assertThat(Contents.of(out()).samples).isEqualTo(samples);
        assertThat(overlapped.text()).endsWith("; 3 logs; 300 samples that several logs have, written once");
    }

    @Test
    void dropoutsThatAnotherLogMayHaveFilledAreKeptAndCounted() throws IOException {
        Path card = withGap(directory.resolve("card.ulg"), 0, 0);
        Path streamed = withGap(directory.resolve("streamed.ulg"), 400, 700);

        LogCopy.Result result = merge(card, streamed);

        Contents merged = Contents.of(out());
        assertThat(merged.samples).isEqualTo(Contents.of(card).samples);
        assertThat(merged.dropouts).containsExactly(300);
        assertThat(result.text())
                .endsWith("written once; 1 dropout that another log of the vehicle may have filled, kept");
    }

    @Test
    void dropoutsThatNoOtherLogCanHaveFilledAreOnlyKept() throws IOException {
        Path log = withGap(directory.resolve("in.ulg"), 400, 700);
        Path one = cut(log, "one.ulg", Optional.empty(), Optional.of(RandomLog.START_US + 800_000));
        Path two = cut(log, "two.ulg", Optional.of(RandomLog.START_US + 800_001), Optional.empty());

        LogCopy.Result result = merge(one, two);

        assertThat(Contents.of(out()).dropouts).containsExactly(300);
        assertThat(result.text()).endsWith("; 2 logs");
    }

    /** A log of a vehicle with a sample each millisecond, except for a gap, which is marked. */
    private static Path withGap(Path file, int fromMs, int toMs) throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, RandomLog.START_US, WriterSettings.DEFAULT)) {
            log.info(Field.of(FieldType.UINT64, UtcReference.RECORDER_START), RandomLog.bytes(RandomLog.START_UTC_US));
            log.info("sys_uuid", VEHICLE);
            log.format(TopicFormat.parse("topic:uint64_t timestamp;"));
            TopicWriter topic = log.subscribe("topic", 0);
            for (int ms = 0; ms < 1000; ms++) {
                if (ms == toMs && toMs > fromMs) {
                    log.dropout(toMs - fromMs);
                }
                if (ms < fromMs || ms >= toMs) {
                    topic.begin(RandomLog.START_US + ms * 1000L).write();
                }
            }
        }
        return Files.write(file, sink.toByteArray());
    }

    /** A log with two equal samples without timestamp after each one that has a timestamp. */
    private static Path withUntimed(Path file, int from, int to) throws IOException {
        ByteBuffer log = ByteBuffer.allocate(64 * 1024).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, RandomLog.START_US);
        MessageEncoder.flagBits(log, 0);
        MessageEncoder.format(log, "timed:uint64_t timestamp;");
        MessageEncoder.format(log, "untimed:uint64_t alive;");
        MessageEncoder.subscription(log, 0, 0, "timed");
        MessageEncoder.subscription(log, 0, 1, "untimed");
        for (int i = from; i < to; i++) {
            data(log, 0, RandomLog.START_US + i * 1000L);
            data(log, 1, 1);
            data(log, 1, 1);
        }
        return Files.write(file, Arrays.copyOf(log.array(), log.position()));
    }

    private static void data(ByteBuffer log, int id, long value) {
        log.putShort((short) (ULogLayout.DATA_HEADER_SIZE + Long.BYTES)).put(MessageType.DATA);
        log.putShort((short) id).putLong(value);
    }

    @Test
    void theTimeBetweenPartsIsADropout() throws IOException {
        Path log = new RandomLog(new Random(5), "topic_", VEHICLE).fill(3000).write(directory.resolve("in.ulg"));
        Contents all = Contents.of(log);
        Path one = cut(log, "one.ulg", Optional.empty(), Optional.of(1_500_000L));
        Path two = cut(log, "two.ulg", Optional.of(2_500_000L), Optional.empty());
        int own = Contents.of(one).dropouts.size();
        long endUs = Collections.max(Contents.of(one).times);
        long beginUs = Collections.min(Contents.of(two).times);

        merge(one, two);

        Contents merged = Contents.of(out());
        assertThat(merged.dropouts).hasSizeLessThan(all.dropouts.size());
        assertThat(merged.dropouts.get(own))
                .isBetween((int) ((beginUs - endUs) / 1000) - 1, (int) ((beginUs - endUs) / 1000) + 2);
    }

    @Test
    void aLogOfAnotherClockIsShiftedToThatOfTheFirst() throws IOException {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            Path one = new RandomLog(random, "topic_", VEHICLE).fill(500).write(directory.resolve("one.ulg"));
            long shiftUs = random.nextInt(4_000_000) - 500_000L;
            // The computer's clock began later, so at the same moment it shows a smaller time.
            Path two = computer(directory.resolve("two.ulg"), RandomLog.START_UTC_US + shiftUs, 200, "other");

            LogCopy.Result result = merge(one, two);

            Contents merged = Contents.of(out());
            Contents first = Contents.of(one);
            Contents second = Contents.of(two);
            String at = "seed " + seed;
            List<String> expected = second.times.stream()
                    .map(time -> time + shiftUs)
                    .map(String::valueOf)
                    .toList();
            assertThat(of(merged.samples, "other:0").stream().map(line -> word(line, 1)))
                    .as(at)
                    .isEqualTo(expected);
            assertThat(of(merged.samples, "other:0").stream().map(line -> word(line, 2)))
                    .as(at)
                    .isEqualTo(
                            second.samples.stream().map(line -> word(line, 2)).toList());
            for (String topic : new HashSet<>(first.topics)) {
                assertThat(of(merged.samples, topic)).as(at).isEqualTo(of(first.samples, topic));
            }
            assertThat(result.samples()).as(at).isEqualTo(first.samples.size() + second.samples.size());
            assertThat(isOrdered(merged.times)).as(at).isTrue();
            assertThat(merged.utc.at(0)).as(at).isEqualTo(first.utc.at(0));
            assertThat(result.text()).as(at).contains(shiftUs == 0 ? "" : "two.ulg: times shifted by ");
        }
    }

    private static String word(String line, int index) {
        return line.split(" ", -1)[index];
    }

    /** Whether times rise, except for decreases of at most {@link #MAX_DISORDER_US}. */
    private static boolean isOrdered(List<Long> times) {
        long latest = 0;
        for (long time : times) {
            if (time < latest - MAX_DISORDER_US) {
                return false;
            }
            latest = Math.max(latest, time);
        }
        return true;
    }

    /** A log of a computer with its own clock, which starts at this UTC. */
    private static Path computer(Path file, long startUtcUs, int samples, String topic) throws IOException {
        MemorySink sink = new MemorySink();
        ULogWriter log = new ULogWriter(sink, RandomLog.START_US, WriterSettings.DEFAULT);
        log.info(Field.of(FieldType.UINT64, UtcReference.RECORDER_START), RandomLog.bytes(startUtcUs));
        log.info("sys_name", "Linux");
        log.parameter("P_INT", 77);
        log.parameter("OTHER", 1);
        log.format(TopicFormat.parse(topic + ":uint64_t timestamp;uint32_t value;"));
        TopicWriter writer = log.subscribe(topic, 0);
        for (int i = 0; i < samples; i++) {
            writer.begin(RandomLog.START_US + i * 5_000L)
                    .integer(writer.column("value"), i)
                    .write();
        }
        log.close();
        return Files.write(file, sink.toByteArray());
    }

    @Test
    void topicsOfEqualNameBecomeFurtherInstances() throws IOException {
        Path one = computer(directory.resolve("one.ulg"), RandomLog.START_UTC_US, 10, "same");
        Path two = computer(directory.resolve("two.ulg"), RandomLog.START_UTC_US + 3_000_000, 20, "same");

        LogCopy.Result result = merge(one, two);

        Contents merged = Contents.of(out());
        assertThat(merged.topics).containsExactly("same:0", "same:1");
        assertThat(merged.formats).hasSize(1);
        assertThat(of(merged.samples, "same:0")).hasSize(10);
        assertThat(of(merged.samples, "same:1")).hasSize(20);
        assertThat(merged.infos).anyMatch(info -> info.startsWith(LogMerge.CHANGES));
        assertThat(result.text()).contains("two.ulg: times shifted by +3.000000 s, same:0 is same:1");
    }

    @Test
    void aFormatOfEqualNameThatDiffersGetsAnotherName() throws IOException {
        Path one = new RandomLog(new Random(1), "topic_", VEHICLE).fill(50).write(directory.resolve("one.ulg"));
        Path two = computer(directory.resolve("two.ulg"), RandomLog.START_UTC_US, 20, "topic_0");

        LogCopy.Result result = merge(one, two);

        Contents merged = Contents.of(out());
        assertThat(of(merged.samples, "topic_0_2:0")).hasSize(20);
        assertThat(of(merged.samples, "topic_0:0")).isEqualTo(of(Contents.of(one).samples, "topic_0:0"));
        assertThat(result.text()).contains("topic_0:0 is topic_0_2:0");
    }

    @Test
    void parametersOfAnotherComputerAreNotMixedUp() throws IOException {
        Path one = new RandomLog(new Random(1), "topic_", VEHICLE).fill(50).write(directory.resolve("one.ulg"));
        Path two = computer(directory.resolve("two.ulg"), RandomLog.START_UTC_US, 20, "other");

        LogCopy.Result result = merge(one, two);

        Contents merged = Contents.of(out());
        assertThat(merged.parameters).containsExactlyInAnyOrder("P_INT=5.0", "P_FLOAT=0.5", "OTHER=1.0");
        assertThat(merged.changes).isEqualTo(withoutRepeats(Contents.of(one).changes, "P_INT=5.0"));
        assertThat(result.text()).contains("1 parameter that another vehicle has with another value, left out");
    }

    private static List<String> withoutRepeats(List<String> changes, String first) {
        List<String> kept = new ArrayList<>();
        String last = first;
        for (String change : changes) {
            if (!change.equals(last)) {
                kept.add(change);
            }
            last = change;
        }
        return kept;
    }

    @Test
    void samplesFromBeforeTheFirstClockAreCounted() throws IOException {
        Path one = computer(directory.resolve("one.ulg"), RandomLog.START_UTC_US, 10, "one");
        Path two = computer(directory.resolve("two.ulg"), RandomLog.START_UTC_US - 1_020_001, 20, "two");

        LogCopy.Result result = merge(one, two);

        // Its times are 1 s and 5 ms each later, less 1.020001 s: five are negative.
        assertThat(of(Contents.of(out()).samples, "two:0")).hasSize(15);
        assertThat(result.leftOut()).isEqualTo(5);
        assertThat(result.text()).contains("5 messages from before the clock of the first log began, left out");
    }

    @Test
    void clocksThatNothingBringsTogetherAreAnError() throws IOException {
        Path one = new RandomLog(new Random(1), "topic_", VEHICLE).fill(50).write(directory.resolve("one.ulg"));
        Path two = computer(directory.resolve("two.ulg"), 0, 20, "other");

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(ULogException.class)
                .hasMessage("two.ulg has no UTC, so its times cannot be aligned with those of others; if all logs "
                        + "are of one clock, use --align boot");
        assertThat(out()).doesNotExist();

        merge(MergeClocks.Align.BOOT, one, two);
        assertThat(of(Contents.of(out()).samples, "other:0")).isEqualTo(Contents.of(two).samples);
    }

    @Test
    void oneTimeFarAheadDoesNotHoldUpALog() throws IOException {
        RandomLog log = new RandomLog(new Random(6), "topic_", VEHICLE).fill(300);
        log.sample(3_600_000_000L);
        Path file = log.fill(9000).write(directory.resolve("in.ulg"));
        long middleUs = 8_000_000;
        Path one = cut(file, "one.ulg", Optional.empty(), Optional.of(middleUs));
        Path two = cut(file, "two.ulg", Optional.of(middleUs + 1), Optional.empty());

        merge(one, two);

        List<Long> merged = new ArrayList<>(Contents.of(out()).times);
        assertThat(merged).contains(3_600_000_000L);
        merged.remove(3_600_000_000L);
        assertThat(isOrdered(merged)).isTrue();
    }

    /** A copy of the log with another UTC, as if another computer had recorded it. */
    private Path withOtherUtc(Path log, String name, long byUs) throws IOException {
        byte[] bytes = Files.readAllBytes(log);
        byte[] key = ("uint64_t " + UtcReference.RECORDER_START).getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (!Arrays.equals(bytes, at, at + key.length, key, 0, key.length)) {
            at++;
        }
        ByteBuffer number = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        number.putLong(at + key.length, number.getLong(at + key.length) + byUs);
        return Files.write(directory.resolve(name), bytes);
    }

    @Test
    void logsWithTheSameSamplesAreOfOneClock() throws IOException {
        Path log = new RandomLog(new Random(3), "topic_", "").fill(900).write(directory.resolve("in.ulg"));
        Contents all = Contents.of(log);
        Path card = cut(log, "card.ulg", Optional.of(RandomLog.START_US + 200_000), Optional.empty());
        Path streamed = withOtherUtc(log, "streamed.ulg", 700_000);

        LogCopy.Result result = merge(card, streamed);

        assertThat(sorted(Contents.of(out()).samples)).isEqualTo(sorted(all.samples));
        assertThat(result.text()).doesNotContain("shifted");
    }

    @Test
    void aVehicleThatRestartedKeepsItsTopics() throws IOException {
        Path one = new RandomLog(new Random(3), "topic_", VEHICLE).fill(900).write(directory.resolve("one.ulg"));
        Path two = withOtherUtc(one, "two.ulg", 60_000_000);
        Contents first = Contents.of(one);

        LogCopy.Result result = merge(one, two);

        Contents merged = Contents.of(out());
        long endUs = first.times.get(first.times.size() - 1);
        assertThat(result.text()).contains("two.ulg: times shifted by +60.000000 s");
        assertThat(merged.topics).containsExactlyInAnyOrderElementsOf(first.topics);
        assertThat(merged.samples).hasSize(2 * first.samples.size()).startsWith(first.samples.toArray(String[]::new));
        assertThat(merged.samples.subList(first.samples.size(), merged.samples.size()).stream()
                        .map(line -> line.replaceFirst(" [0-9]+ ", " ")))
                .isEqualTo(first.samples.stream()
                        .map(line -> line.replaceFirst(" [0-9]+ ", " "))
                        .toList());
        int gapMs = merged.dropouts.stream().mapToInt(ms -> ms).max().orElseThrow();
        assertThat(gapMs).isCloseTo((int) (60_000 - (endUs - RandomLog.START_US) / 1000), within(3));
    }

    @Test
    void aGapOfMoreThanTenYearsIsAnError() throws IOException {
        Path one = new RandomLog(new Random(3), "topic_", VEHICLE).fill(50).write(directory.resolve("one.ulg"));
        Path two = withOtherUtc(one, "two.ulg", 11 * 366 * 86_400 * 1_000_000L);

        assertThatThrownBy(() -> merge(MergeClocks.Align.UTC, one, two))
                .isInstanceOf(ULogException.class)
                .hasMessageMatching("two.ulg begins 96[0-9]{3}:[0-9:]+ after the log before it ended, "
                        + "more than ten years: its times are wrong");
        assertThat(out()).doesNotExist();
    }

    @Test
    void oneVehicleWithTwoClocksAtOnceIsAnError() throws IOException {
        Path one = new RandomLog(new Random(3), "topic_", VEHICLE).fill(9000).write(directory.resolve("one.ulg"));
        Path two = withOtherUtc(one, "two.ulg", 4_000_000);

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("nothing proves whether one.ulg and two.ulg are of one clock");
    }

    @Test
    void manyPartsAreJoinedOneAfterTheOther() throws IOException {
        Path log = new RandomLog(new Random(8), "topic_", VEHICLE).fill(3000).write(directory.resolve("in.ulg"));
        Contents all = Contents.of(log);
        long endUs = Collections.max(all.times);
        int count = 60;
        List<Path> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long fromUs = RandomLog.START_US - 1000 + (endUs - RandomLog.START_US + 1001) * i / count;
            long toUs = RandomLog.START_US - 1000 + (endUs - RandomLog.START_US + 1001) * (i + 1) / count - 1;
            Optional<Long> to = Optional.of(toUs).filter(us -> us < endUs);
            parts.add(cut(log, "part" + parts.size() + ".ulg", Optional.of(fromUs), to));
        }
        Collections.shuffle(parts, new Random(8));

        merge(parts.toArray(Path[]::new));

        assertThat(sorted(Contents.of(out()).samples)).isEqualTo(sorted(all.samples));
        assertThat(sorted(Contents.of(out()).texts)).isEqualTo(sorted(all.texts));
    }

    @Test
    void tooManyLogsOfOneTimeAreAnError() throws IOException {
        List<Path> logs = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            logs.add(computer(directory.resolve(i + ".ulg"), RandomLog.START_UTC_US, 20, "topic" + i));
        }

        assertThatThrownBy(() -> merge(MergeClocks.Align.BOOT, logs.toArray(Path[]::new)))
                .isInstanceOf(ULogException.class)
                .hasMessage("more than 16 logs that overlap in time; merge some of them first");
        assertThat(out()).doesNotExist();
    }

    @Test
    void moreInstancesThanALogCanHaveAreAnError() throws IOException {
        Path one = instances(directory.resolve("one.ulg"), 200, RandomLog.START_UTC_US);
        Path two = instances(directory.resolve("two.ulg"), 57, RandomLog.START_UTC_US + 3_000_000);

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("more than 256 instances of topic \"many\"");
        merge(one, instances(directory.resolve("two.ulg"), 56, RandomLog.START_UTC_US + 3_000_000));
        assertThat(Contents.of(out()).topics).hasSize(256).doesNotHaveDuplicates();
    }

    private static Path instances(Path file, int count, long startUtcUs) throws IOException {
        MemorySink sink = new MemorySink();
        ULogWriter log = new ULogWriter(sink, RandomLog.START_US, WriterSettings.DEFAULT);
        log.info(Field.of(FieldType.UINT64, UtcReference.RECORDER_START), RandomLog.bytes(startUtcUs));
        log.format(TopicFormat.parse("many:uint64_t timestamp;"));
        for (int i = 0; i < count; i++) {
            log.subscribe("many", i).begin(RandomLog.START_US + i).write();
        }
        log.close();
        return Files.write(file, sink.toByteArray());
    }

    @Test
    void logsOfOtherFlightsAreMergedOnlyWhenAsked() throws IOException {
        Path one = Logs.real("pyulog_sample_log_small", directory);
        Path two = Logs.real("pyulog_sample_tagged_and_default_params", directory);

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("apart, so they are not of one flight; to merge them anyway, use --align utc");

        LogCopy.Result result = merge(MergeClocks.Align.UTC, one, two);
        assertThat(result.samples())
                .isEqualTo(Contents.of(one).samples.size()
                        + Contents.of(two).samples.size());
        assertThat(result.text()).contains("more (info merged_logs)");
    }

    @Test
    void partsOfARealLogBecomeIt() throws IOException {
        Path log = Logs.real("pyulog_sample_log_small", directory);
        List<Long> times = sorted(Contents.of(log).times);
        long middleUs = times.get(times.size() / 2);
        Path one = cut(log, "one.ulg", Optional.empty(), Optional.of(middleUs));
        Path two = cut(log, "two.ulg", Optional.of(middleUs + 1), Optional.empty());

        merge(two, one);

        Contents all = Contents.of(log);
        Contents merged = Contents.of(out());
        assertThat(sorted(merged.samples)).isEqualTo(sorted(all.samples));
        assertThat(Set.copyOf(merged.formats)).isEqualTo(Set.copyOf(all.formats));
        assertThat(merged.parameters).containsExactlyInAnyOrderElementsOf(all.parameters);
    }
}
