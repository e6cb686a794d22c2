package org.mavlogd.exports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.mcap.McapRecord;

/** Any log is exported to a complete file, or refused. */
class HostileLogsTest {
    private static final byte[] HEADER = {0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, 1, 0, 0, 0, 0, 0, 0, 0, 0};

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    static LongStream seeds() {
        long first = Long.getLong("exports.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("exports.seeds", 40));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damagedLogBecomesACompleteFile(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = McapExportTest.log("yule_powers.ulg.gz").clone();
        int from = 16;
        for (int i = random.nextInt(50); i >= 0; i--) {
            // Most changes are where formats and subscriptions are.
            int range = random.nextBoolean() ? Math.min(20_000, bytes.length - from) : bytes.length - from;
            bytes[from + random.nextInt(range)] = (byte) random.nextInt();
        }

        byte[] file;
        try {
            file = McapExportTest.export(bytes, random.nextBoolean() ? 0 : 1_774_038_053_123_456L);
        } catch (IOException refused) {
            assertThat(refused.getMessage()).doesNotContain("\n");
            return;
        }

        assertThat(McapExportTest.records(file)).isNotEmpty();
    }

    @Test
    void namesThatProtobufDoesNotAllowAreChanged() throws IOException {
        header();
        format("ne-st:float v;");
        format("1a-b:uint64_t timestamp;float a b;float a_b;ne-st[2] 2n;uint8_t[0] none;ne-st _padding0;");
        subscription(0, 7, "1a-b");
        data(
                7,
                ByteBuffer.allocate(28)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(5)
                        .putFloat(1)
                        .array());

        List<McapRecord> records = McapExportTest.records(McapExportTest.export(log.toByteArray(), 0));

        McapRecord.Schema schema =
                McapExportTest.all(records, McapRecord.Schema.class).get(0);
        assertThat(schema.name()).isEqualTo("px4._1a_b");
        String descriptors = StandardCharsets.ISO_8859_1.decode(schema.data()).toString();
        assertThat(descriptors).contains("_1a_b", "ne_st", "a_b", "a_b_2", "_2n", ".px4.ne_st");
        assertThat(descriptors).doesNotContain("a b", "-", "padding");
        assertThat(McapExportTest.all(records, McapRecord.Channel.class).get(0).topic())
                .isEqualTo("1a-b/0");
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void veryManyFieldsOfOneNameTakeNoLongerThanOthers() throws IOException {
        header();
        format("part:" + "bool a;".repeat(4096));
        format("t:uint64_t timestamp;" + "part x;".repeat(15));
        subscription(0, 1, "t");
        data(1, new byte[8 + 15 * 4096]);

        List<McapRecord> records = McapExportTest.records(McapExportTest.export(log.toByteArray(), 0));

        assertThat(McapExportTest.all(records, McapRecord.Statistics.class)
                        .get(0)
                        .messages())
                .isEqualTo(1);
    }

    @Test
    void timesThatDoNotFitAreTheLastPossible() throws IOException {
        header();
        format("t:uint64_t timestamp;");
        subscription(0, 1, "t");
        for (long timeUs : new long[] {1, -1, Long.MAX_VALUE, 2}) {
            data(
                    1,
                    ByteBuffer.allocate(8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(timeUs)
                            .array());
        }

        List<McapRecord> records = McapExportTest.records(McapExportTest.export(log.toByteArray(), 1000));

        McapRecord.Statistics totals =
                McapExportTest.all(records, McapRecord.Statistics.class).get(0);
        assertThat(totals.startTimeNs()).isEqualTo(1_001_000);
        assertThat(totals.endTimeNs()).isPositive().isGreaterThan(Long.MAX_VALUE - 1000);
    }

    @Test
    void formatThatChangesGetsASchemaOfItsOwn() throws IOException {
        header();
        format("t:uint64_t timestamp;float a;");
        subscription(0, 1, "t");
        data(1, new byte[12]);
        format("t:uint64_t timestamp;double b;");
        subscription(0, 2, "t");
        data(2, new byte[16]);
        subscription(0, 3, "t");
        data(3, new byte[16]);

        List<McapRecord> records = McapExportTest.records(McapExportTest.export(log.toByteArray(), 0));

        McapRecord.Statistics totals =
                McapExportTest.all(records, McapRecord.Statistics.class).get(0);
        assertThat(totals.schemas()).isEqualTo(2);
        assertThat(totals.channels()).isEqualTo(2);
        assertThat(totals.messages()).isEqualTo(3);
    }

    @Test
    void listsOfInfosAreJoinedAndManyMakeSeveralRecords() throws IOException {
        header();
        multiInfo("char[3] perf", "one", false);
        multiInfo("char[3] perf", "two", true);
        multiInfo("char[5] perf", "three", false);
        for (int i = 0; i < 12; i++) {
            info("char[60000] big" + i, "x".repeat(60_000));
        }

        List<McapRecord.Metadata> metadata = McapExportTest.all(
                McapExportTest.records(McapExportTest.export(log.toByteArray(), 0)), McapRecord.Metadata.class);

        assertThat(metadata)
                .hasSize(2)
                .allSatisfy(record -> assertThat(record.name()).isEqualTo("info"));
        assertThat(metadata.get(0).values()).containsEntry("perf", "onetwo").containsEntry("perf[1]", "three");
        assertThat(metadata.get(0).values().size() + metadata.get(1).values().size())
                .isEqualTo(14);
    }

    private void header() throws IOException {
        log.write(HEADER);
    }

    private void format(String text) {
        message('F', text.getBytes(StandardCharsets.UTF_8));
    }

    private void subscription(int multiId, int messageId, String name) {
        ByteBuffer payload = ByteBuffer.allocate(3 + name.length()).order(ByteOrder.LITTLE_ENDIAN);
        payload.put((byte) multiId).putShort((short) messageId).put(name.getBytes(StandardCharsets.UTF_8));
        message('A', payload.array());
    }

    private void data(int messageId, byte[] fields) {
        ByteBuffer payload = ByteBuffer.allocate(2 + fields.length).order(ByteOrder.LITTLE_ENDIAN);
        payload.putShort((short) messageId).put(fields);
        message('D', payload.array());
    }

    private void info(String key, String value) {
        message('I', keyed(key, value));
    }

    private void multiInfo(String key, String value, boolean continued) {
        byte[] keyed = keyed(key, value);
        message(
                'M',
                ByteBuffer.allocate(1 + keyed.length)
                        .put((byte) (continued ? 1 : 0))
                        .put(keyed)
                        .array());
    }

    private static byte[] keyed(String key, String value) {
        return ByteBuffer.allocate(1 + key.length() + value.length())
                .put((byte) key.length())
                .put(key.getBytes(StandardCharsets.UTF_8))
                .put(value.getBytes(StandardCharsets.UTF_8))
                .array();
    }

    private void message(char type, byte[] payload) {
        ByteBuffer head = ByteBuffer.allocate(3).order(ByteOrder.LITTLE_ENDIAN);
        log.writeBytes(head.putShort((short) payload.length).put((byte) type).array());
        log.writeBytes(payload);
    }
}
