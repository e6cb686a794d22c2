package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.record.LogBytes.Message;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.FakeDisk.Operation;
import org.mavlogd.store.StoreSettings;

/** A log in several files: each can be read alone, and together they are the log. */
class RotationTest {
    private static final int SMALL_BYTES = 2000;

    private final FakeDisk disk = new FakeDisk();

    @Test
    void theFilesOfARealLogAreTogetherTheLog() {
        byte[] log = LogBytes.rover();
        long maxBytes = 300_000;

        RecordingFixture fixture = record(log, new StoreSettings.RotationPolicy(maxBytes, 0));

        assertThat(files()).hasSizeGreaterThan((int) (log.length / maxBytes));
        assertThat(files()).allSatisfy(file -> assertThat(file.length).isLessThanOrEqualTo((int) maxBytes));
        assertThat(LogParts.join(files())).isEqualTo(log);
        assertThat(fixture.metric("record_rotations")).isEqualTo(files().size() - 1);
        assertThat(fixture.metric("record_dropouts")).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 600, 601, 659, 660, 1000, 4000, 20_000})
    void theFilesOfAnyLogAreTogetherTheLog(int maxBytes) {
        for (int seed = 0; seed < 10; seed++) {
            byte[] log = changingLog(new Random(seed));
            FakeDisk each = new FakeDisk();

            record(each, log, new StoreSettings.RotationPolicy(maxBytes, 0));

            List<byte[]> parts = List.copyOf(each.contents().values());
            assertThat(LogParts.join(parts)).as("seed %d", seed).isEqualTo(log);
            assertThat(parts.size()).as("seed %d", seed).isLessThan(400);
        }
    }

    @Test
    void eachLaterFileTellsItsNumberAndTheOneBefore() {
        record(changingLog(new Random(1)), new StoreSettings.RotationPolicy(SMALL_BYTES, 0));

        List<String> names = names();
        assertThat(names).hasSizeGreaterThan(3);
        assertThat(infos(files().get(0))).noneMatch(info -> info.contains("log_"));
        for (int i = 1; i < names.size(); i++) {
            String previous = names.get(i - 1);
            char number = (char) (i + 1);
            assertThat(infos(files().get(i)))
                    .contains("int32_t log_part" + number + "\0\0\0")
                    .contains("char[" + previous.length() + "] log_previous" + previous);
            assertThat(LogBytes.types(files().get(i))).startsWith("BIIIIF");
        }
    }

    @Test
    void aLogGoesOnInANextFileAfterAWhile() {
        RecordingFixture fixture =
                new RecordingFixture(disk, new StoreSettings.RotationPolicy(0, TimeUnit.MINUTES.toNanos(1)));
        byte[] log = LogBytes.withTopic().sample(1).sample(2).sample(3).toBytes();
        int begin = log.length - 3 * 63;

        chunk(fixture, 0, log, 0, begin + 63);
        fixture.workForMs(200_000);
        assertThat(disk.storedNames()).as("nothing came").hasSize(1);
        chunk(fixture, 1, log, begin + 63, 63);
        fixture.workForMs(59_000);
        chunk(fixture, 2, log, begin + 126, 63);
        fixture.end(SessionEnd.STOPPED);

        assertThat(files()).hasSize(2);
        assertThat(LogParts.join(files())).isEqualTo(log);
        assertThat(LogBytes.types(files().get(1))).endsWith("ADD");
    }

    @Test
    void theOldFileGrowsOnWhileNoNewOneCanBeMade() {
        byte[] log = changingLog(new Random(2));
        disk.fail(Operation.CREATE, count -> count >= 1 && count < 4);

        RecordingFixture fixture = record(log, new StoreSettings.RotationPolicy(SMALL_BYTES, 0));

        assertThat(files().get(0).length).isGreaterThan(2 * SMALL_BYTES);
        assertThat(files()).hasSizeGreaterThan(1);
        assertThat(LogParts.join(files())).isEqualTo(log);
        assertThat(fixture.metric("record_disk_failures")).isEqualTo(3);
        assertThat(fixture.metric("record_discarded_bytes")).isZero();
        assertThat(fixture.metric("record_dropouts")).isZero();
    }

    @Test
    void aNewFileThatFailsAtOnceCostsNothing() {
        byte[] log = changingLog(new Random(3));
        boolean[] failed = new boolean[1];
        disk.fail(Operation.WRITE, count -> {
            boolean now = !failed[0] && disk.storedNames().size() == 2;
            failed[0] |= now;
            return now;
        });

        RecordingFixture fixture = record(log, new StoreSettings.RotationPolicy(SMALL_BYTES, 0));

        assertThat(names().get(1)).as("the broken one is gone").endsWith("_000003.ulg");
        assertThat(LogParts.join(files())).isEqualTo(log);
        assertThat(fixture.metric("record_discarded_bytes")).isZero();
    }

    @Test
    void endedSubscriptionsAreNotRepeated() {
        LogBytes log = LogBytes.withTopic().subscription(8, "x");
        log.sample(7, 1).sample(8, 2).message('R', new byte[] {7, 0});
        for (int i = 0; i < 100; i++) {
            log.sample(8, 3 + i);
        }
        byte[] bytes = log.sample(7, 500).toBytes();

        RecordingFixture fixture = record(bytes, new StoreSettings.RotationPolicy(SMALL_BYTES, 0));

        byte[] last = files().get(files().size() - 1);
        assertThat(LogBytes.types(last)).contains("FAD").doesNotContain("AA");
        assertThat(fixture.metric("record_discarded_bytes")).as("after its end").isEqualTo(63);
    }

    private RecordingFixture record(byte[] log, StoreSettings.RotationPolicy policy) {
        return record(disk, log, policy);
    }

    private static RecordingFixture record(FakeDisk disk, byte[] log, StoreSettings.RotationPolicy policy) {
        RecordingFixture fixture = new RecordingFixture(disk, policy);
        int[] offsets = LogBytes.firstMessageOffsets(log, LogBytes.CHUNK_LENGTH);
        for (int i = 0; i < offsets.length; i++) {
            fixture.advanceMs(100);
            fixture.chunk(BytesChunk.of(log, offsets, i));
        }
        fixture.end(SessionEnd.STOPPED);
        return fixture;
    }

    private static void chunk(RecordingFixture fixture, int sequence, byte[] log, int offset, int length) {
        fixture.chunk(new BytesChunk(sequence, 0, log, offset, length));
    }

    private List<byte[]> files() {
        return names().stream().map(disk::bytes).toList();
    }

    /** In the order in which they were started. */
    private List<String> names() {
        return disk.storedNames().stream().sorted().toList();
    }

    private static List<String> infos(byte[] file) {
        return LogBytes.messages(file).stream()
                .filter(message -> message.type() == 'I')
                .map(message -> text(file, message))
                .toList();
    }

    private static String text(byte[] file, Message info) {
        int begin = info.offset() + LogBytes.MESSAGE_HEADER_LENGTH + 1;
        return new String(file, begin, info.end() - begin, StandardCharsets.ISO_8859_1);
    }

    /** Topics that start and stop late, and parameters that change their values and even types. */
    private static byte[] changingLog(Random random) {
        LogBytes log = LogBytes.startedAt(1_000_000)
                .format("x:uint64_t timestamp;uint8_t[50] v;")
                .parameter("int32_t A", 1)
                .parameter("float B", 2)
                .format("late:uint64_t timestamp;uint8_t[50] v;")
                .subscription(7, "x");
        for (int i = 0; i < 400; i++) {
            switch (random.nextInt(12)) {
                case 0 -> log.parameter(random.nextBoolean() ? "int32_t A" : "float A", random.nextInt());
                case 1 -> log.parameter("float C", random.nextInt());
                case 2 -> log.subscription(100 + random.nextInt(4), "late");
                case 3 -> log.message('S', new byte[8]);
                case 4 -> log.message('R', new byte[] {(byte) (100 + random.nextInt(4)), 0});
                case 5 -> log.message('M', new byte[] {0, 4, 'a', ' ', 'b', 'c', 'd'});
                default -> log.sample(2_000_000 + i * 1000L);
            }
        }
        return log.toBytes();
    }
}
