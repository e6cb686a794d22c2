package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.FakeDisk.Operation;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

/** Logs of this computer alone, while no vehicle's log is being recorded. */
class StandaloneTest {
    private static final int AFTER_S = 10;
    private static final int STEP_MS = 20;

    private final FakeDisk disk = new FakeDisk();
    private RecordingFixture fixture = fixture(StoreSettings.RotationPolicy.NEVER);
    private int published;

    private RecordingFixture fixture(StoreSettings.RotationPolicy rotation) {
        return new RecordingFixture(
                disk,
                rotation,
                new RecordSettings(
                        "tester 1.0",
                        Map.of(),
                        RecordSettings.Merge.DEFAULT,
                        new RecordSettings.Standalone(true, TimeUnit.SECONDS.toNanos(AFTER_S), ZoneId.of("UTC+2"))));
    }

    private static LocalSample declare(LocalPublisher publisher, String name) {
        try {
            return publisher.declare(TopicFormat.parse(name + ":uint64_t timestamp;int32_t v;"), Map.of());
        } catch (ULogException e) {
            throw new AssertionError(e);
        }
    }

    private void publish(LocalSample sample) {
        published++;
        assertThat(sample.begin(0, fixture.nowNs()).integer(published).publish())
                .isTrue();
    }

    private void publishForMs(LocalSample sample, long ms) {
        for (long passed = 0; passed < ms; passed += STEP_MS) {
            publish(sample);
            fixture.advanceMs(STEP_MS);
            fixture.work();
        }
    }

    private void vehicleFlies() {
        LogBytes built = LogBytes.withTopic();
        for (int i = 0; i < 100; i++) {
            built.sample(2_000_000 + i * 250L);
        }
        byte[] log = built.toBytes();
        int[] offsets = LogBytes.firstMessageOffsets(log, LogBytes.CHUNK_LENGTH);
        for (int i = 0; i < offsets.length; i++) {
            fixture.advanceMs(1);
            fixture.chunk(BytesChunk.of(log, offsets, i));
        }
    }

    private List<String> names() {
        return disk.storedNames().stream().sorted().toList();
    }

    private MergedLog log(int index) {
        return MergedLog.of(disk.bytes(names().get(index)));
    }

    @Test
    void aLogBeginsWhenNoVehicleHadOneForLongEnough() {
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample sample = declare(fixture.firstPublisher, "cpu");

        publishForMs(sample, AFTER_S * 1000 - 500);
        assertThat(names()).isEmpty();
        assertThat(fixture.metric("merge_lost_samples", "no_log")).isEqualTo(published);
        int lost = published;
        publishForMs(sample, 5000);
        fixture.firstPublisher.text(LogLevel.ERROR, 7, fixture.nowNs(), "disk is slow");
        fixture.recorder.onClose();
        fixture.work();

        assertThat(names()).hasSize(1).allMatch(name -> name.endsWith("_local_000001.ulg"));
        MergedLog log = log(0);
        assertThat(log.types()).startsWith("BIIIIImfad").contains("S");
        assertThat(log.samples("cpu").size()).isBetween(published - lost - 30, published - lost);
        assertThat(log.texts()).extracting(MergedLog.Text::text).containsExactly("disk is slow");
        byte[] bytes = disk.bytes(names().get(0));
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text)
                .contains("char[9] sys_namecompanion")
                .contains("char[10] ver_swtester 1.0")
                .contains("char[10] recordertester 1.0")
                .contains("uint64_t recorder_start_utc_us")
                .contains("int32_t time_ref_utc \u001c\0\0");
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long startUs = header.getLong(8);
        assertThat(log.samples("cpu"))
                .allSatisfy(
                        sampleOf -> assertThat(sampleOf.timeUs()).isBetween(startUs - 600_000, fixture.nowNs() / 1000));
    }

    /** A sample that comes just after a look of the recorder waits for the next one, which is as late as allowed. */
    @Test
    void dataIsOnDiskInTimeHoweverLongTheRecorderSleeps() {
        LocalSample sample = declare(fixture.firstPublisher, "cpu");
        publishForMs(sample, AFTER_S * 1000 + 5000);
        fixture.workForMs(1000);
        int before = forcedSamples();
        long limitMs =
                TimeUnit.NANOSECONDS.toMillis(StoreSettings.Durability.ofMs(500).flushAgeNs());

        for (int i = 1; i <= 60; i++) {
            for (int rounds = 0; rounds < i % 4; rounds++) {
                sleepAndWork();
            }
            publish(sample);
            long publishedNs = fixture.nowNs();
            while (forcedSamples() < before + i) {
                sleepAndWork();
            }

            assertThat(TimeUnit.NANOSECONDS.toMillis(fixture.nowNs() - publishedNs))
                    .as("sample %d", i)
                    .isLessThanOrEqualTo(limitMs + 1);
        }
    }

    private void sleepAndWork() {
        fixture.advanceMs(1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, fixture.recorder.sleepNs())));
        while (fixture.recorder.doWork() > 0) {
            // as the thread does: it sleeps after a round without work
        }
        fixture.work();
    }

    private int forcedSamples() {
        String name = names().get(0);
        return MergedLog.of(Arrays.copyOf(disk.bytes(name), disk.forcedLength(name)))
                .samples("cpu")
                .size();
    }

    /** Its log waits for half a second, as more topics may come. */
    @Test
    void dataThatCameJustBeforeTheEndGetsALog() {
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample sample = declare(fixture.firstPublisher, "cpu");
        fixture.advanceMs(AFTER_S * 1000);
        publish(sample);
        fixture.work();
        assertThat(names()).isEmpty();
        publish(sample);

        fixture.recorder.onClose();
        fixture.work();

        assertThat(log(0).samples("cpu")).hasSize(2);
        assertThat(fixture.metric("merge_lost_samples")).isZero();
    }

    @Test
    void itGivesWayToAVehiclesLogAndComesBackAfterIt() {
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample sample = declare(fixture.firstPublisher, "cpu");
        publishForMs(sample, (AFTER_S + 2) * 1000);
        double lostBefore = fixture.metric("merge_lost_samples");
        int publishedBefore = published;

        fixture.begin(2);
        vehicleFlies();
        assertThat(fixture.recorder.statuses()).isNotNull();
        publishForMs(sample, 1000);
        fixture.end(2, SessionEnd.STOPPED);
        double lostSince = fixture.metric("merge_lost_samples") - lostBefore;
        int publishedSince = published - publishedBefore;
        publishForMs(sample, (AFTER_S + 2) * 1000);
        fixture.recorder.onClose();
        fixture.work();

        assertThat(names()).hasSize(3);
        assertThat(names().stream().map(name -> name.replaceAll(".*_(sys\\d+|local)_.*", "$1")))
                .containsExactlyInAnyOrder("local", "sys001", "local");
        assertThat(lostSince).isZero();
        MergedLog vehicles = MergedLog.of(disk.bytes(names().stream()
                .filter(name -> name.contains("sys001"))
                .findFirst()
                .orElseThrow()));
        assertThat(vehicles.samples("cpu").size()).isEqualTo(publishedSince);
    }

    @Test
    void withoutAnythingToRecordThereIsNoLog() {
        fixture.end(SessionEnd.STREAM_SILENT);
        declare(fixture.firstPublisher, "cpu");

        fixture.workForMs(60_000);
        fixture.recorder.onClose();
        fixture.work();

        assertThat(names()).isEmpty();
    }

    @Test
    void topicsThatAppearBeginANewFile() {
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample first = declare(fixture.firstPublisher, "first");
        publishForMs(first, (AFTER_S + 1) * 1000);
        LocalSample second = declare(fixture.secondPublisher, "second");
        publish(second);
        publishForMs(first, 1500);
        publish(second);
        publishForMs(first, 100);
        fixture.recorder.onClose();
        fixture.work();

        assertThat(names()).hasSize(2);
        assertThat(log(0).samples("second")).isEmpty();
        assertThat(log(0).texts()).hasSize(1);
        assertThat(log(1).samples("second"))
                .as("also the one that came before the file")
                .hasSize(2);
        assertThat(new String(disk.bytes(names().get(1)), StandardCharsets.ISO_8859_1))
                .contains("int32_t log_part\u0002");
    }

    @Test
    void itRotates() {
        fixture = fixture(new StoreSettings.RotationPolicy(4000, 0));
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample sample = declare(fixture.firstPublisher, "cpu");
        publishForMs(sample, (AFTER_S + 20) * 1000);
        fixture.recorder.onClose();
        fixture.work();

        List<String> names = names();
        assertThat(names).hasSizeGreaterThan(3);
        int next = -1;
        for (int i = 0; i < names.size(); i++) {
            assertThat(disk.bytes(names.get(i)).length).isLessThanOrEqualTo(4100);
            for (MergedLog.Sample each : log(i).samples("cpu")) {
                assertThat(each.firstInt()).isEqualTo(next < 0 ? each.firstInt() : next);
                next = each.firstInt() + 1;
            }
        }
        assertThat(next).isEqualTo(published + 1);
    }

    @Test
    void aFailingDiskLeavesAMarkedHole() {
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample sample = declare(fixture.firstPublisher, "cpu");
        publishForMs(sample, (AFTER_S + 2) * 1000);
        disk.failFrom(EnumSet.of(Operation.CREATE, Operation.WRITE), disk.operations(), 4, "I/O error");
        publishForMs(sample, 20_000);
        fixture.recorder.onClose();
        fixture.work();

        assertThat(names()).hasSizeGreaterThan(1);
        MergedLog last = log(names().size() - 1);
        assertThat(last.types()).contains("O");
        assertThat(last.samples("cpu")).isNotEmpty();
        assertThat(fixture.metric("merge_lost_samples", "disk")).isPositive();
        assertThat(fixture.metric("record_dropouts", "local")).isPositive();
    }

    @Test
    void statusTellsOfIt() {
        fixture.end(SessionEnd.STREAM_SILENT);
        LocalSample sample = declare(fixture.firstPublisher, "cpu");
        publishForMs(sample, (AFTER_S + 2) * 1000);

        List<RecordingStatus> statuses = fixture.recorder.statuses();

        assertThat(statuses).hasSize(1);
        assertThat(statuses.get(0).feed()).isEqualTo("local");
        assertThat(statuses.get(0).systemId()).isZero();
        assertThat(statuses.get(0).file()).contains("_local_");
        assertThat(statuses.get(0).figures().storedBytes()).isGreaterThan(1000);
    }
}
