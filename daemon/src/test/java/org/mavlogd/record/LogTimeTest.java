package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.record.LogBytes.Message;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.StoreSettings;

/** Names and start times of logs that started before the clock was set, or while it was stepped. */
class LogTimeTest {
    private static final long NOON_MS = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final FakeDisk disk = new FakeDisk();
    private final byte[] log = log();
    private final int[] offsets = LogBytes.firstMessageOffsets(log, LogBytes.CHUNK_LENGTH);

    @Test
    void aKnownStartStandsInTheDefinitions() {
        RecordingFixture fixture = fixture(NOON_MS, StoreSettings.RotationPolicy.NEVER);
        play(fixture, 0, offsets.length);
        fixture.end(SessionEnd.STOPPED);

        assertThat(disk.storedNames()).containsExactly("2026-11-21_12-00-00_sys001_000001.ulg");
        assertThat(LogBytes.types(file())).startsWith("BIIFAD");
        assertThat(starts()).containsExactly(NOON_MS * 1000);
    }

    @Test
    void aStartThatBecomesKnownGoesIntoNameAndData() {
        RecordingFixture fixture = fixture(1000, StoreSettings.RotationPolicy.NEVER);
        play(fixture, 0, 100);
        assertThat(fixture.recorder.statuses().get(0).file()).startsWith("0000-00-00");

        long passedMs = fixture.passedMs();
        fixture.setClockMs(NOON_MS + passedMs);
        play(fixture, 100, offsets.length);
        assertThat(fixture.recorder.statuses().get(0).file()).startsWith("2026-11-21_12-00-00");
        assertThat(disk.storedNames())
                .containsExactly("0000-00-00_00-00-00_sys001_000001.ulg.part")
                .containsExactly(fixture.recorder.statuses().get(0).growingFile());
        assertThat(fixture.recorder.statuses().get(0).startedEpochMs()).isEqualTo(NOON_MS);
        fixture.end(SessionEnd.STOPPED);

        assertThat(disk.storedNames()).containsExactly("2026-11-21_12-00-00_sys001_000001.ulg");
        assertThat(starts()).containsExactly(NOON_MS * 1000);
        assertThat(LogBytes.types(file())).startsWith("BIFAD").contains("DID");
        assertThat(LogBytes.fromVehicle(file())).isEqualTo(log);
    }

    @Test
    void theVehicleTellsTheTime() {
        RecordingFixture fixture = fixture(1000, StoreSettings.RotationPolicy.NEVER);
        play(fixture, 0, 100);

        long vehicleUs = (NOON_MS + fixture.passedMs()) * 1000;
        fixture.publisher.vehicleEvent(1, 1, VehicleEvent.TIME, 0x7FFF_FFFF_FFFF_FFFFL, fixture.nowNs());
        fixture.publisher.vehicleEvent(9, 1, VehicleEvent.TIME, vehicleUs + 3_600_000_000L, fixture.nowNs());
        fixture.publisher.vehicleEvent(1, 1, VehicleEvent.TIME, vehicleUs, fixture.nowNs());
        play(fixture, 100, offsets.length);
        fixture.end(SessionEnd.STOPPED);

        assertThat(disk.storedNames()).containsExactly("2026-11-21_12-00-00_sys001_000001.ulg");
        assertThat(starts()).containsExactly(NOON_MS * 1000);
        assertThat(LogBytes.fromVehicle(file())).isEqualTo(log);
    }

    @Test
    void withoutAnyTimeTheCounterTellsTheOrder() {
        RecordingFixture fixture = fixture(1000, new StoreSettings.RotationPolicy(20_000, 0));
        play(fixture, 0, offsets.length);
        fixture.end(SessionEnd.STOPPED);

        assertThat(disk.storedNames())
                .hasSizeGreaterThan(2)
                .allSatisfy(name -> assertThat(name).startsWith("0000-00-00_00-00-00_sys001_"))
                .doesNotHaveDuplicates();
        assertThat(starts()).isEmpty();
        assertThat(LogParts.join(files())).isEqualTo(log);
    }

    @Test
    void eachPartHasTheTimeOfItsOwnBegin() {
        RecordingFixture fixture = fixture(1000, new StoreSettings.RotationPolicy(20_000, 0));
        play(fixture, 0, offsets.length - 1);
        fixture.workForMs(HOUR_MS);
        fixture.setClockMs(NOON_MS + fixture.passedMs());
        fixture.workForMs(1000);
        play(fixture, offsets.length - 1, offsets.length);
        fixture.end(SessionEnd.STOPPED);

        List<String> names = disk.storedNames();
        assertThat(names.subList(0, names.size() - 1))
                .allSatisfy(name -> assertThat(name).startsWith("0000"));
        assertThat(names.get(names.size() - 1)).startsWith("2026-11-21_12-00-");
        assertThat(starts()).containsExactly(NOON_MS * 1000);
    }

    @Test
    void stepsOfTheClockLoseNothingAndGiveNoNameTwice() {
        RecordingFixture fixture = fixture(NOON_MS, new StoreSettings.RotationPolicy(20_000, 0));
        long[] stepsMs = {HOUR_MS, -HOUR_MS, -2 * HOUR_MS, 3 * HOUR_MS, -NOON_MS, NOON_MS};
        int from = 0;
        for (long stepMs : stepsMs) {
            int to = from + offsets.length / (stepsMs.length + 1);
            play(fixture, from, to);
            fixture.setClockMs(fixture.epochMs() + stepMs);
            from = to;
        }
        play(fixture, from, offsets.length);
        fixture.end(SessionEnd.STOPPED);

        assertThat(LogParts.join(files())).isEqualTo(log);
        assertThat(fixture.metric("record_dropouts")).isZero();
        List<String> counters = disk.storedNames().stream()
                .map(name -> name.substring(name.lastIndexOf('_')))
                .toList();
        assertThat(counters).hasSizeGreaterThan(2).isSorted().doesNotHaveDuplicates();
    }

    private RecordingFixture fixture(long epochMs, StoreSettings.RotationPolicy rotation) {
        return new RecordingFixture(disk, rotation, epochMs);
    }

    private void play(RecordingFixture fixture, int from, int to) {
        for (int i = from; i < to; i++) {
            fixture.advanceMs(8);
            fixture.chunk(BytesChunk.of(log, offsets, i));
        }
    }

    private byte[] file() {
        assertThat(files()).hasSize(1);
        return files().get(0);
    }

    private List<byte[]> files() {
        return List.copyOf(disk.contents().values());
    }

    /** Start times in all files, each value once. */
    private List<Long> starts() {
        List<Long> starts = new ArrayList<>();
        for (byte[] file : files()) {
            for (Message message : LogBytes.messages(file)) {
                if (message.type() == 'I' && LogBytes.infoKey(file, message).equals("uint64_t recorder_start_utc_us")) {
                    starts.add(
                            ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(message.end() - 8));
                }
            }
        }
        return starts.stream().distinct().toList();
    }

    private static byte[] log() {
        LogBytes log = LogBytes.withTopic();
        for (int i = 0; i < 1000; i++) {
            log.sample(2_000_000 + i * 2000L);
        }
        return log.toBytes();
    }
}
