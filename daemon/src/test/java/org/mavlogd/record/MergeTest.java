package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.merge.LocalIntake;
import org.mavlogd.record.merge.NewFileSchedule;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.FakeDisk.Operation;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

/** This computer's samples and log messages in a vehicle's log. */
class MergeTest {
    private static final int ALL = Integer.MAX_VALUE;
    private static final String FIELDS = "uint64_t timestamp;int32_t v;";

    private final FakeDisk disk = new FakeDisk();
    private RecordingFixture fixture = new RecordingFixture(disk);

    /** Changes the setting. */
    private void setNewTopics(RecordSettings.Merge.NewTopics newTopics) {
        fixture = new RecordingFixture(
                disk,
                StoreSettings.RotationPolicy.NEVER,
                new RecordSettings(
                        "tester 1.0",
                        Map.of(),
                        new RecordSettings.Merge(1 << 20, "companion_", newTopics),
                        RecordSettings.Standalone.OFF));
    }

    private static LocalSample declare(LocalPublisher publisher, String name, String fields) {
        try {
            return publisher.declare(TopicFormat.parse(name + ':' + fields), Map.of());
        } catch (ULogException e) {
            throw new AssertionError(e);
        }
    }

    private void publish(LocalSample sample, int instance, int value) {
        assertThat(sample.begin(instance, fixture.nowNs()).integer(value).publish())
                .isTrue();
    }

    /** Chunks from {@code from} on, one per ms. */
    private int play(byte[] log, int from, int to) {
        int[] offsets = LogBytes.firstMessageOffsets(log, LogBytes.CHUNK_LENGTH);
        int end = Math.min(to, offsets.length);
        for (int i = from; i < end; i++) {
            fixture.advanceMs(1);
            fixture.chunk(BytesChunk.of(log, offsets, i));
        }
        return end;
    }

    private static LogBytes samples(LogBytes log, int id, int count) {
        for (int i = 0; i < count; i++) {
            log.sample(id, 2_000_000 + i * 250L);
        }
        return log;
    }

    private static byte[] log(int count) {
        return samples(LogBytes.withTopic(), 7, count).toBytes();
    }

    private List<byte[]> files() {
        return disk.storedNames().stream().sorted().map(disk::bytes).toList();
    }

    private MergedLog only() {
        return MergedLog.of(fixture.onlyFile());
    }

    @Test
    void localFormatsStandBeforeTheFirstSubscriptionAndDataFollow() throws ULogException {
        LocalSample sample = fixture.firstPublisher.declare(
                TopicFormat.parse("cpu:uint64_t timestamp;int32_t load;float heat;"),
                Map.of("heat", "degC", "load", "%"));
        byte[] log = log(40);
        int done = play(log, 0, 4);
        sample.begin(0, fixture.nowNs()).integer(17).float32(1.5f).publish();
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        MergedLog merged = only();

        assertThat(merged.types()).startsWith("BIIFmfiAD").containsOnlyOnce("a").contains("ad");
        assertThat(merged.formats()).containsEntry("cpu", "uint64_t timestamp;int32_t load;float heat;");
        assertThat(merged.units()).containsEntry("cpu", "load=%,heat=degC");
        assertThat(merged.samples("cpu").get(0).messageId()).isEqualTo(65535);
        assertThat(merged.samples("cpu").get(0).firstInt()).isEqualTo(17);
        assertThat(LogBytes.fromVehicle(MergedLog.withoutLocal(fixture.onlyFile())))
                .isEqualTo(log);
        assertThat(fixture.metric("merge_stored_samples")).isEqualTo(1);
        assertThat(fixture.metric("merge_stored_bytes")).isEqualTo(13 + 8);
    }

    @Test
    void samplesOfEachInstanceGetAnIdWhenTheyComeDownFromTheHighest() {
        LocalSample one = declare(fixture.firstPublisher, "one", FIELDS);
        LocalSample two = declare(fixture.secondPublisher, "two", FIELDS);
        byte[] log = log(40);
        int done = play(log, 0, 4);
        publish(one, 3, 1);
        publish(two, 0, 2);
        publish(one, 0, 3);
        publish(one, 3, 4);
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(only().samples())
                .extracting(MergedLog.Sample::topic, MergedLog.Sample::multiId, MergedLog.Sample::messageId)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("one", 3, 65535),
                        org.assertj.core.groups.Tuple.tuple("one", 0, 65534),
                        org.assertj.core.groups.Tuple.tuple("one", 3, 65535),
                        org.assertj.core.groups.Tuple.tuple("two", 0, 65533));
    }

    @Test
    void aNameOfTheVehiclesWithTheSameFieldsBecomesFurtherInstances() {
        LocalSample sample = declare(fixture.firstPublisher, "x", "uint64_t timestamp;uint8_t[50] v;");
        byte[] log = log(40);
        int done = play(log, 0, 4);
        sample.begin(2, fixture.nowNs());
        for (int i = 0; i < 50; i++) {
            sample.integer(i);
        }
        sample.publish();
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        MergedLog merged = only();
        assertThat(merged.names()).containsExactly("x");
        assertThat(merged.formats()).isEmpty();
        assertThat(merged.samples("x").get(0).multiId()).isEqualTo(12);
        assertThat(LogBytes.fromVehicle(MergedLog.withoutLocal(fixture.onlyFile())))
                .isEqualTo(log);
    }

    @Test
    void anInstanceThatFindsNoPlaceIsReportedAsSuch() {
        String fields = "uint64_t timestamp;int32_t v;";
        LocalSample sample = declare(fixture.firstPublisher, "y", fields);
        byte[] log = samples(LogBytes.startedAt(1_000_000).format("y:" + fields).subscription(7, "y"), 7, 40)
                .toBytes();
        int done = play(log, 0, 4);
        for (int instance = 0; instance < 250; instance++) {
            publish(sample, instance, 1);
            fixture.work();
        }
        play(log, done, ALL);
        String loss = fixture.firstPublisher.loss(sample.topic().index());
        fixture.end(SessionEnd.STOPPED);

        assertThat(loss).isEqualTo("its log cannot take another instance of this topic");
        assertThat(fixture.metric("merge_lost_samples", "no_instance")).isEqualTo(4);
        assertThat(fixture.metric("merge_lost_samples", "not_in_file")).isZero();
        assertThat(only().samples("y")).hasSize(246);
        assertThat(only().texts())
                .extracting(MergedLog.Text::text)
                .containsExactly(
                        "topic y: this file cannot take another instance, samples of instance 246 are missing");
    }

    @Test
    void aNameOfTheVehiclesWithOtherFieldsGetsThePrefix() {
        LocalSample sample = declare(fixture.firstPublisher, "x", FIELDS);
        byte[] log = log(40);
        int done = play(log, 0, 4);
        publish(sample, 0, 5);
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(only().formats()).containsOnlyKeys("companion_x");
        assertThat(only().samples("companion_x")).hasSize(1);
    }

    @Test
    void equalNamesOfTwoSourcesAreInstancesOrGetANumber() {
        LocalSample first = declare(fixture.firstPublisher, "gps", FIELDS);
        LocalSample same = declare(fixture.secondPublisher, "gps", FIELDS);
        LocalSample other = declare(fixture.secondPublisher, "gps", "uint64_t timestamp;int32_t w;");
        byte[] log = log(40);
        int done = play(log, 0, 4);
        publish(first, 0, 1);
        fixture.work();
        publish(same, 0, 2);
        publish(other, 0, 3);
        fixture.work();
        publish(first, 0, 4);
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        MergedLog merged = only();
        assertThat(merged.formats()).containsOnlyKeys("gps", "gps_2");
        assertThat(merged.samples("gps")).extracting(MergedLog.Sample::multiId).containsExactly(0, 1, 0);
        assertThat(merged.samples("gps")).extracting(MergedLog.Sample::firstInt).containsExactly(1, 2, 4);
        assertThat(merged.samples("gps_2")).hasSize(1);
    }

    @Test
    void aVehicleThatTakesOneOfOurIdsGetsANewFileInWhichTheyDoNotMeet() {
        LocalSample sample = declare(fixture.firstPublisher, "cpu", FIELDS);
        LogBytes built = samples(LogBytes.withTopic(), 7, 20).subscription(65535, "x");
        byte[] log = samples(samples(built, 65535, 20), 7, 20).toBytes();
        int done = play(log, 0, 4);
        publish(sample, 0, 1);
        fixture.work();
        done = play(log, done, 14);
        publish(sample, 0, 2);
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(files()).hasSize(2).allSatisfy(file -> {
            MergedLog merged = MergedLog.of(file);
            assertThat(merged.samples("cpu")).hasSize(1);
            assertThat(merged.vehicleIds()).doesNotContainAnyElementsOf(merged.localIds());
        });
        assertThat(LogParts.join(files().stream().map(MergedLog::withoutLocal).toList()))
                .isEqualTo(log);
    }

    @Test
    void whereNoNewFileCanBeMadeTheIdIsTheVehiclesAndOursGetsAnother() {
        LocalSample sample = declare(fixture.firstPublisher, "cpu", FIELDS);
        LogBytes built = samples(LogBytes.withTopic(), 7, 20).subscription(65535, "x");
        byte[] log = samples(built, 65535, 40).toBytes();
        int done = play(log, 0, 4);
        publish(sample, 0, 1);
        fixture.work();
        disk.fail(Operation.CREATE, count -> true);
        done = play(log, done, 14);
        publish(sample, 0, 2);
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(only().samples("cpu"))
                .extracting(MergedLog.Sample::messageId)
                .containsExactly(65535, 65534);
        assertThat(LogBytes.fromVehicle(MergedLog.withoutLocal(fixture.onlyFile())))
                .isEqualTo(log);
    }

    @Test
    void anInstanceThatTheVehicleSubscribesLaterIsTheVehicles() {
        LocalSample sample = declare(fixture.firstPublisher, "x", "uint64_t timestamp;uint8_t[50] v;");
        LogBytes built = samples(LogBytes.withTopic(), 7, 20).subscription(10, 8, "x");
        byte[] log = samples(samples(built, 8, 20), 7, 20).toBytes();
        int done = play(log, 0, 4);
        assertThat(sample.publishRaw(0, fixture.nowNs(), new byte[50], 0)).isTrue();
        fixture.work();
        done = play(log, done, 14);
        assertThat(sample.publishRaw(0, fixture.nowNs(), new byte[50], 0)).isTrue();
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(files()).hasSize(2);
        assertThat(MergedLog.of(files().get(0)).samples("x").get(0).multiId()).isEqualTo(10);
        assertThat(MergedLog.of(files().get(1)).samples("x").get(0).multiId()).isEqualTo(11);
        assertThat(LogParts.join(files().stream().map(MergedLog::withoutLocal).toList()))
                .isEqualTo(log);
    }

    @Test
    void timesAreTheVehiclesAndNeverRunBackwards() {
        LocalSample sample = declare(fixture.firstPublisher, "cpu", FIELDS);
        byte[] log = log(400);
        int done = play(log, 0, 60); // 4 samples of 250 us each per ms
        long beganNs = fixture.nowNs();
        sample.begin(0, beganNs).integer(1).publish();
        sample.begin(0, beganNs - 5_000_000).integer(2).publish();
        sample.begin(0, beganNs + 3_600_000_000_000L).integer(3).publish();
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        List<Long> times =
                only().samples("cpu").stream().map(MergedLog.Sample::timeUs).toList();
        long youngest = LogBytes.messages(log).stream()
                .filter(message -> message.end() <= 60 * LogBytes.CHUNK_LENGTH)
                .mapToLong(LogBytes.Message::timestampUs)
                .max()
                .orElseThrow();
        assertThat(times.get(0)).isBetween(youngest - 100, youngest + 1000);
        assertThat(times).isSorted();
        assertThat(times.get(2)).as("not from the future").isEqualTo(times.get(0));
    }

    @Test
    void theLatestTextsFromBeforeALogStandAtItsBegin() {
        for (int i = 0; i < LocalIntake.RecentTexts.CAPACITY + 6; i++) {
            fixture.firstPublisher.text(LogLevel.INFO, 1, fixture.nowNs(), "before " + i);
        }
        fixture.workForMs(25_000);
        play(log(40), 0, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(only().texts())
                .extracting(MergedLog.Text::text)
                .filteredOn(text -> text.startsWith("before "))
                .hasSize(LocalIntake.RecentTexts.CAPACITY)
                .startsWith("before 6")
                .endsWith("before " + (LocalIntake.RecentTexts.CAPACITY + 5));
        assertThat(fixture.metric("merge_lost_texts", "no_log")).isEqualTo(6);
    }

    @Test
    void textsFromLongBeforeALogAreCountedAsLost() {
        fixture.firstPublisher.text(LogLevel.INFO, 1, fixture.nowNs(), "long before");
        fixture.workForMs(90_000);
        fixture.firstPublisher.text(LogLevel.INFO, 1, fixture.nowNs(), "before");
        play(log(40), 0, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(only().texts()).extracting(MergedLog.Text::text).containsExactly("before");
        assertThat(fixture.metric("merge_lost_texts", "no_log")).isEqualTo(1);
    }

    @Test
    void textsHaveLevelTagAndTime() {
        byte[] log = log(40);
        int done = play(log, 0, 4);
        fixture.firstPublisher.text(LogLevel.ERROR, 3, fixture.nowNs(), "no fix \u2013 yet");
        fixture.work();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        MergedLog.Text text = only().texts().get(0);
        assertThat(text.level()).isEqualTo('3');
        assertThat(text.tag()).isEqualTo(3);
        assertThat(text.text()).isEqualTo("no fix \u2013 yet");
        assertThat(text.timeUs()).isBetween(1_000_000L, 3_000_000L);
        assertThat(fixture.metric("merge_stored_texts")).isEqualTo(1);
    }

    @Test
    void whatCameWithoutALogIsCounted() {
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample sample = declare(fixture.firstPublisher, "cpu", FIELDS);
        publish(sample, 0, 1);
        fixture.work();

        assertThat(fixture.metric("merge_lost_samples", "no_log")).isEqualTo(1);
    }

    @Test
    void samplesWaitForALogThatIsAboutToBegin() {
        LocalSample sample = declare(fixture.firstPublisher, "cpu", FIELDS);
        byte[] log = log(40);
        publish(sample, 0, 1);
        fixture.work();
        play(log, 0, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(only().samples("cpu")).hasSize(1);
    }

    @Test
    void butNotForEver() {
        LocalSample sample = declare(fixture.firstPublisher, "cpu", FIELDS);
        publish(sample, 0, 1);
        fixture.workForMs(19_900);
        assertThat(fixture.metric("merge_lost_samples", "no_log")).isZero();
        fixture.workForMs(200);

        assertThat(fixture.metric("merge_lost_samples", "no_log")).isEqualTo(1);
    }

    @Test
    void aTopicThatComesLateWaitsForTheNextFileAndTheLogSaysSo() {
        byte[] log = log(400);
        fixture = new RecordingFixture(disk, new StoreSettings.RotationPolicy(12_000, 0));
        int done = play(log, 0, 4);
        LocalSample late = declare(fixture.firstPublisher, "late", FIELDS);
        for (int i = 0; i < 20; i++) {
            publish(late, 0, i);
            done = play(log, done, done + 5);
        }
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        MergedLog first = MergedLog.of(files().get(0));
        List<MergedLog.Sample> later = files().stream()
                .skip(1)
                .flatMap(file -> MergedLog.of(file).samples("late").stream())
                .toList();
        assertThat(first.formats()).isEmpty();
        assertThat(first.texts())
                .extracting(MergedLog.Text::text)
                .containsExactly("topic late is not in this file: it is recorded from the next file on");
        assertThat(first.texts().get(0).tag()).isEqualTo(8);
        assertThat(later).extracting(MergedLog.Sample::firstInt).containsExactlyElementsOf(upTo(20));
        assertThat(later).extracting(MergedLog.Sample::timeUs).isSorted();
        assertThat(fixture.metric("merge_lost_samples", "not_in_file")).isZero();
        assertThat(fixture.metric("merge_stored_samples")).isEqualTo(20);
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @Test
    void ofATopicThatComesLateOnlySoMuchIsKeptAsFits() {
        setNewTopics(RecordSettings.Merge.NewTopics.NEXT_FILE);
        byte[] log = log(400);
        int done = play(log, 0, 4);
        LocalSample late = declare(fixture.firstPublisher, "late", FIELDS);
        int published = 0;
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 200; j++) {
                publish(late, 0, published++);
            }
            fixture.work();
        }
        play(log, done, ALL);
        double lostWhileFull = fixture.metric("merge_lost_samples", "not_in_file");
        fixture.end(SessionEnd.STOPPED);

        assertThat(lostWhileFull).isPositive().isLessThan(published);
        assertThat(fixture.metric("merge_lost_samples", "not_in_file"))
                .as("at the end all")
                .isEqualTo(published);
    }

    @Test
    void sampleThatWaitsForAFileThatMayNeverBeginIsReportedToItsPublisherAndCounted() {
        setNewTopics(RecordSettings.Merge.NewTopics.NEXT_FILE);
        byte[] log = log(400);
        int done = play(log, 0, 4);
        LocalSample late = declare(fixture.firstPublisher, "late", FIELDS);
        publish(late, 0, 1);
        play(log, done, done + 5);

        assertThat(fixture.firstPublisher.loss(late.topic().index()))
                .isEqualTo("its log started without this topic; kept for the log's next file, if there is one");
        assertThat(fixture.metric("merge_kept_samples")).isEqualTo(1);
    }

    @Test
    void sampleThatNoLogIsThereForIsReportedToItsPublisher() {
        byte[] log = log(40);
        play(log, 0, ALL);
        LocalSample sample = declare(fixture.firstPublisher, "late", FIELDS);
        publish(sample, 0, 1);
        fixture.work();
        assertThat(fixture.firstPublisher.loss(sample.topic().index())).isEmpty();
        fixture.end(SessionEnd.STOPPED);

        publish(sample, 0, 1);
        long position = fixture.firstPublisher.position();
        assertThat(fixture.firstPublisher.isTaken(position)).isFalse();
        fixture.work();

        assertThat(fixture.firstPublisher.isTaken(position)).isTrue();
        assertThat(fixture.firstPublisher.loss(sample.topic().index())).isEqualTo("no log is being written");
    }

    @Test
    void messageThatNoLogIsThereForIsReportedToItsPublisher() {
        play(log(40), 0, ALL);
        fixture.end(SessionEnd.STOPPED);

        fixture.firstPublisher.text(LogLevel.INFO, 0, fixture.nowNs(), "hi");
        fixture.work();

        assertThat(fixture.firstPublisher.loss(LocalFeed.TEXTS))
                .isEqualTo("no log is being written; the next log has it if it begins within a minute");
    }

    @Test
    void lateTopicIsInTheLogThatIsBeingWrittenWithItsFirstSample() {
        byte[] log = log(400);
        int done = play(log, 0, 4);
        LocalSample late = declare(fixture.firstPublisher, "late", FIELDS);
        publish(late, 0, 42);
        done = play(log, done, done + 5);
        assertThat(fixture.firstPublisher.loss(late.topic().index())).isEmpty();
        fixture.workForMs(1200);

        assertThat(fixture.metric("merge_stored_samples"))
                .as("before the log ends")
                .isEqualTo(1);
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);
        assertThat(files()).hasSize(2);
        assertThat(MergedLog.of(files().get(1)).samples("late"))
                .extracting(MergedLog.Sample::firstInt)
                .containsExactly(42);
        assertThat(LogParts.join(files().stream().map(MergedLog::withoutLocal).toList()))
                .isEqualTo(log);
    }

    @Test
    void aProgramThatDefinesTopicsAgainAndAgainDividesALogAFewTimesOnly() {
        byte[] log = log(40_000);
        int done = play(log, 0, 4);
        int topics = 60;
        boolean wasReported = false;
        for (int i = 0; i < topics; i++) {
            LocalSample late = declare(fixture.firstPublisher, "late" + i, FIELDS);
            publish(late, 0, i);
            fixture.workForMs(5000);
            done = play(log, done, done + 5);
            wasReported |= !fixture.firstPublisher.loss(late.topic().index()).isEmpty();
        }
        assertThat(disk.storedNames()).hasSize(1 + NewFileSchedule.BURST);
        assertThat(wasReported).isTrue();
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(files()).as("one more at the log's end").hasSize(2 + NewFileSchedule.BURST);
        assertThat(files().stream()
                        .mapToInt(file -> MergedLog.of(file).samples().size())
                        .sum())
                .isEqualTo(topics);
        assertThat(fixture.metric("merge_stored_samples")).isEqualTo(topics);
        assertThat(fixture.metric("merge_lost_samples")).isZero();
    }

    @Test
    void bySettingLateTopicsBeginOneNewFile() {
        fixture = new RecordingFixture(
                disk,
                StoreSettings.RotationPolicy.NEVER,
                new RecordSettings(
                        "tester 1.0",
                        Map.of("recorder_tags", "0=unassigned,8=winch,40=cbuf"),
                        new RecordSettings.Merge(1 << 20, "companion_", RecordSettings.Merge.NewTopics.NEW_FILE),
                        RecordSettings.Standalone.OFF));
        byte[] log = log(4000);
        int done = play(log, 0, 4);
        for (int i = 0; i < 10; i++) {
            publish(declare(fixture.firstPublisher, "late" + i, FIELDS), 0, i);
            done = play(log, done, done + 5);
        }
        fixture.workForMs(1500);
        publish(declare(fixture.secondPublisher, "later", FIELDS), 0, 1);
        done = play(log, done, done + 5);
        fixture.workForMs(8000);
        assertThat(disk.storedNames()).as("not more often than every 10 s").hasSize(2);
        fixture.workForMs(2000);
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        assertThat(files()).hasSize(3);
        assertThat(MergedLog.of(files().get(1)).formats()).hasSize(10);
        assertThat(MergedLog.of(files().get(2)).formats()).hasSize(11);
        assertThat(LogParts.join(files().stream().map(MergedLog::withoutLocal).toList()))
                .isEqualTo(log);
        assertThat(new String(files().get(2), java.nio.charset.StandardCharsets.ISO_8859_1))
                .contains("char[28] recorder_tags0=unassigned,8=winch,40=cbuf");
        assertThat(MergedLog.of(files().get(0)).texts())
                .as("the numbers of tags are those of the configuration")
                .hasSize(10)
                .allMatch(text -> text.tag() == 40);
    }

    @Test
    void eachFileHasLocalDefinitionsAndKeepsInstances() {
        fixture = new RecordingFixture(disk, new StoreSettings.RotationPolicy(6000, 0));
        LocalSample one = declare(fixture.firstPublisher, "gps", FIELDS);
        LocalSample two = declare(fixture.secondPublisher, "gps", FIELDS);
        byte[] log = log(800);
        int done = play(log, 0, 4);
        int value = 0;
        while (done < (log.length - 1) / LogBytes.CHUNK_LENGTH) {
            publish(value % 2 == 0 ? one : two, 0, value);
            value++;
            done = play(log, done, done + 2);
        }
        fixture.end(SessionEnd.STOPPED);

        assertThat(files()).hasSizeGreaterThan(5);
        int seen = 0;
        for (byte[] file : files()) {
            for (MergedLog.Sample sample : MergedLog.of(file).samples("gps")) {
                assertThat(sample.firstInt()).isEqualTo(seen);
                assertThat(sample.multiId()).isEqualTo(seen % 2);
                seen++;
            }
            assertThat(file.length).isLessThanOrEqualTo(6000);
        }
        assertThat(seen).isEqualTo(value);
        byte[] played = java.util.Arrays.copyOf(log, Math.min(log.length, done * LogBytes.CHUNK_LENGTH));
        byte[] joined =
                LogParts.join(files().stream().map(MergedLog::withoutLocal).toList());
        assertThat(joined).isEqualTo(java.util.Arrays.copyOf(played, joined.length));
        assertThat(played.length - joined.length).isLessThan(63);
    }

    @Test
    void whileTheDiskFailsLocalLossIsCountedAndToldAfterwards() {
        LocalSample sample = declare(fixture.firstPublisher, "cpu", FIELDS);
        byte[] log = log(4000);
        int done = play(log, 0, 10);
        disk.failFrom(EnumSet.of(Operation.CREATE, Operation.WRITE), disk.operations(), 4, "I/O error");
        for (int i = 0; i < 200; i++) {
            publish(sample, 0, i);
            fixture.advanceMs(100);
            done = play(log, done, done + 3);
        }
        fixture.end(SessionEnd.STOPPED);

        assertThat(files().size()).isGreaterThan(1);
        byte[] last = files().get(files().size() - 1);
        double lost = fixture.metric("merge_lost_samples", "disk");
        assertThat(lost).isPositive();
        assertThat(MergedLog.of(last).texts())
                .extracting(MergedLog.Text::text)
                .anyMatch(text -> text.startsWith("source first lost "));
        assertThat(lost + fixture.metric("merge_stored_samples")).isEqualTo(200);
    }

    @Test
    void aSourceThatPublishesTooMuchFillsItsOwnRing() {
        fixture = new RecordingFixture(
                disk,
                StoreSettings.RotationPolicy.NEVER,
                new RecordSettings(
                        "tester 1.0",
                        Map.of(),
                        new RecordSettings.Merge(10_000, "companion_", RecordSettings.Merge.NewTopics.NEXT_FILE),
                        RecordSettings.Standalone.OFF));
        LocalSample flood = declare(fixture.firstPublisher, "flood", FIELDS);
        LocalSample quiet = declare(fixture.secondPublisher, "quiet", FIELDS);
        byte[] log = log(4000);
        int done = play(log, 0, 4);
        int refused = 0;
        for (int i = 0; i < 600; i++) {
            for (int j = 0; j < 200; j++) {
                refused += flood.begin(0, fixture.nowNs()).integer(j).publish() ? 0 : 1;
            }
            if (i % 10 == 0) {
                publish(quiet, 0, i);
            }
            fixture.advanceMs(20);
            done = play(log, done, done + 1);
        }
        fixture.workForMs(1000);
        play(log, done, ALL);
        fixture.end(SessionEnd.STOPPED);

        MergedLog merged = only();
        assertThat(refused).isGreaterThan(50_000);
        assertThat(merged.samples("quiet")).hasSize(60);
        assertThat(merged.samples("flood").size() * 17).isBetween(100_000, 160_000);
        assertThat(merged.texts())
                .extracting(MergedLog.Text::text)
                .anyMatch(
                        text -> text.matches("source first lost \\d+ samples and messages: \\d+ published too fast.*"));
        assertThat(merged.texts().size()).isLessThan(4);
        assertThat(LogBytes.fromVehicle(MergedLog.withoutLocal(fixture.onlyFile())))
                .isEqualTo(log);
        assertThat(fixture.metric("record_dropouts")).isZero();
    }
}
