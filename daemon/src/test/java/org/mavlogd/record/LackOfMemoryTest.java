package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

/** Logs that begin when others have taken all the memory that their kind may have. */
class LackOfMemoryTest {
    private static final int MEBI = 1 << 20;
    private static final int VEHICLES = 28;
    private static final int BEGIN_LENGTH = LogBytes.HEADER_LENGTH + LogBytes.MESSAGE_HEADER_LENGTH + 40;

    private final FakeDisk disk = new FakeDisk();
    private final MemoryBudget memory = new MemoryBudget(8 * MEBI);
    private final MemoryShare others = memory.beside(200);

    /** Other vehicles have all places, and this takes the rest of the strangers' part. */
    private void exhaust() {
        for (int i = 0; i < VEHICLES; i++) {
            memory.vehicle(100 + i);
        }
        MemoryBudget.Part strangers = memory.part(Requester.STRANGER);
        others.take(strangers.limit() - strangers.used());
    }

    private RecordingFixture fixture(RecordSettings.Standalone standalone) {
        RecordSettings settings = new RecordSettings(
                "tester 1.0",
                Map.of(),
                RecordSettings.Merge.DEFAULT,
                standalone,
                RecordSettings.BlockFiles.BOTH,
                TelemetryLogs.Limits.DEFAULT,
                Map.of(),
                memory);
        return new RecordingFixture(disk, StoreSettings.RotationPolicy.NEVER, settings);
    }

    private static void play(RecordingFixture fixture, byte[] log, int from, int to) {
        int[] offsets = LogBytes.firstMessageOffsets(log, LogBytes.CHUNK_LENGTH);
        for (int chunk = from; chunk < to; chunk++) {
            fixture.advanceMs(8);
            fixture.chunk(BytesChunk.of(log, offsets, chunk));
        }
    }

    private static byte[] log(int samples) {
        LogBytes log = LogBytes.withTopic();
        for (int i = 0; i < samples; i++) {
            log.sample(2_000_000 + i * 2000L);
        }
        return log.toBytes();
    }

    private static int chunks(byte[] log) {
        return (log.length + LogBytes.CHUNK_LENGTH - 1) / LogBytes.CHUNK_LENGTH;
    }

    private static RecordingStatus status(RecordingFixture fixture) {
        List<RecordingStatus> statuses = fixture.recorder.statuses();
        assertThat(statuses).hasSize(1);
        return statuses.get(0);
    }

    private static void assertBegins(byte[] file, byte[] log) {
        assertThat(Arrays.copyOf(file, BEGIN_LENGTH)).isEqualTo(Arrays.copyOf(log, BEGIN_LENGTH));
    }

    @Test
    void aVehiclesLogIsRecordedByteForByte() {
        exhaust();
        byte[] log = log(500);
        RecordingFixture fixture = fixture(RecordSettings.Standalone.OFF);
        play(fixture, log, 0, chunks(log));
        fixture.workForMs(600);

        assertThat(status(fixture).lacksMemory()).isTrue();
        assertThat(status(fixture).problem()).as("nothing is lost").isEmpty();
        fixture.end(SessionEnd.STOPPED);
        byte[] file = fixture.onlyFile();
        assertBegins(file, log);
        assertThat(LogBytes.fromVehicle(file)).isEqualTo(log);
        assertThat(fixture.metric("record_discarded_bytes")).isZero();
    }

    /** Bytes inside a message look like the start of a format without an end. */
    @Test
    void hostileDefinitionsAfterAHeaderWithoutMemoryAreOnlyRecorded() {
        exhaust();
        byte[] info = new byte[40];
        info[13] = (byte) 0xFF;
        info[14] = (byte) 0xFF;
        info[15] = 'F';
        byte[] log = LogBytes.startedAt(1_000_000)
                .message('I', info)
                .subscription(7, "x")
                .sample(2_000_000)
                .toBytes();
        RecordingFixture fixture = fixture(RecordSettings.Standalone.OFF);

        fixture.chunk(new BytesChunk(0, 0, log, 0, BEGIN_LENGTH));
        others.release(others.held());
        fixture.chunk(new BytesChunk(1, 0, log, BEGIN_LENGTH, log.length - BEGIN_LENGTH));
        fixture.end(SessionEnd.STOPPED);

        assertThat(LogBytes.fromVehicle(fixture.onlyFile())).isEqualTo(log);
    }

    /** Longer than the format allows, and twice. */
    @Test
    void wrongFlagBitsAreOnlyRecorded() {
        exhaust();
        byte[] log = LogBytes.startedAt(1_000_000)
                .message('B', new byte[100])
                .format("x:uint64_t timestamp;uint8_t[50] v;")
                .message('B', new byte[1000])
                .subscription(7, "x")
                .sample(2_000_000)
                .toBytes();
        RecordingFixture fixture = fixture(RecordSettings.Standalone.OFF);
        play(fixture, log, 0, chunks(log));
        fixture.workForMs(600);
        assertThat(status(fixture).problem()).isEmpty();
        fixture.end(SessionEnd.STOPPED);

        assertThat(LogBytes.fromVehicle(fixture.onlyFile())).isEqualTo(log);
    }

    @Test
    void aFileThatLacksDefinitionsIsAProblemUntilTheLogEnds() {
        exhaust();
        byte[] log = log(500);
        RecordingFixture fixture = fixture(RecordSettings.Standalone.OFF);
        play(fixture, log, 0, 40);
        disk.usableBytes(10);
        fixture.workForMs(1000);
        disk.usableBytes(Long.MAX_VALUE);
        fixture.workForMs(2000);
        play(fixture, log, 40, chunks(log));
        fixture.workForMs(600);

        assertThat(fixture.names()).hasSize(2);
        assertThat(status(fixture).problem())
                .isEqualTo(status(fixture).file() + " lacks definitions: no memory was left for them");
        fixture.end(SessionEnd.STOPPED);
        byte[] second = disk.bytes(fixture.names().get(1));
        assertBegins(second, log);
        assertThat(LogBytes.types(second)).doesNotContain("F").contains("D");
        fixture.workForMs(600);
        assertThat(fixture.recorder.statuses()).isEmpty();
    }

    @Test
    void theLogOfThisComputerCanBeRead() throws ULogException {
        RecordingFixture fixture =
                fixture(new RecordSettings.Standalone(true, TimeUnit.SECONDS.toNanos(1), ZoneOffset.UTC));
        fixture.end(SessionEnd.STOPPED);
        LocalSample sample =
                fixture.firstPublisher.declare(TopicFormat.parse("t:uint64_t timestamp;int32_t v;"), Map.of());
        MemoryShare publishers = memory.share(Requester.LOCAL_SOURCE);
        MemoryBudget.Part local = memory.part(Requester.LOCAL_SOURCE);
        publishers.take(local.limit() - local.used());
        for (int i = 0; i < 200; i++) {
            sample.begin(0, fixture.nowNs()).integer(i).publish();
            fixture.workForMs(20);
        }
        assertThat(fixture.recorder.statuses()).isNotEmpty();
        fixture.recorder.onClose();
        fixture.work();

        byte[] file = fixture.onlyFile();
        assertThat(new String(file, 0, 4, StandardCharsets.ISO_8859_1)).isEqualTo("ULog");
        assertThat(LogBytes.types(file)).startsWith("BI").doesNotContain("D");
    }
}
