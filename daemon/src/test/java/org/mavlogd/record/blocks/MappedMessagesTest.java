package org.mavlogd.record.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.dataflash.MappedLog;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.files.FileHead;
import org.mavlogd.record.files.LogOutput;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.OwnInfos;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogName;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.ulog.ULogReader;

/** A mapper's definitions as messages of the head. */
class MappedMessagesTest {
    private static final int LOCAL_BYTES = 1 << 20;
    private static final StoreSettings SETTINGS = new StoreSettings(
            4096,
            StoreSettings.Durability.ofMs(500),
            new StoreSettings.RotationPolicy(1L << 40, TimeUnit.DAYS.toNanos(1)));

    private final FakeDisk disk = new FakeDisk();
    private final Keeper keeper = new Keeper(disk, () -> 0, (name, bytes) -> {});
    private final LogStore store = new LogStore(disk, () -> 1_790_000_000_000L, SETTINGS, keeper);
    private final MemoryBudget budget = new MemoryBudget(8L * LOCAL_BYTES);
    private final MemoryShare others = budget.share(Requester.LOCAL_SOURCE);
    private final LogHead head = new LogHead(budget.share(Requester.LOCAL_SOURCE));
    private final LocalPart local = new LocalPart(List.of(), "companion_", MemoryShare.unlimited());
    private final Tally tally = new Tally(new RecordCounters(new Metrics(), "test"));
    private final LogOutput output = output();
    private final MappedMessages messages = messages();

    private LogOutput output() {
        FileHead fileHead = new FileHead(head, own(), new StartClock(0), local);
        return new LogOutput(store, 1, new LogName.LogNumber(), fileHead, tally, new LogOutput.Listener() {
            @Override
            public void onClosed() {}

            @Override
            public void onReopened() {}
        });
    }

    private MappedMessages messages() {
        ByteBuffer message =
                ByteBuffer.allocateDirect(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        return new MappedMessages(head, output, local, tally, MemoryShare.unlimited(), message);
    }

    private static OwnInfos own() {
        return new OwnInfos("tester 1.0", Map.of());
    }

    /** Uses characters of four bytes: a cut at most offsets would split a character. */
    @Test
    void textThatIsTooLongForAMessageIsContinued() throws IOException {
        String text = "x" + "\uD83D\uDE81".repeat(40_000);
        messages.beginHead(1, 0);
        messages.multiInfo("units", text);
        messages.multiInfo("units", "short");
        messages.endHead();

        assertThat(texts()).containsExactly(text, "short");
    }

    @Test
    void timeContinuesBehindHoursWithoutRecords() {
        long idleUs = TimeUnit.MINUTES.toMicros(65);
        messages.at(0, 0);
        messages.beginHead(1_000_000, 0);
        MappedLog.Series series = messages.subscribe("IMU", 0);
        sample(series, 2_000_000);
        sample(series, 2_000_000 + idleUs);
        assertThat(messages.youngestUs()).as("a damaged time").isEqualTo(2_000_000);

        messages.at(idleUs * 1000, idleUs * 1000);
        sample(series, 2_000_000 + idleUs);
        assertThat(messages.youngestUs()).isEqualTo(2_000_000 + idleUs);
        sample(series, 2_000_000 + 2 * idleUs);
        sample(series, 2_010_000 + idleUs);
        assertThat(messages.youngestUs()).isEqualTo(2_010_000 + idleUs);
        sample(series, Long.MIN_VALUE);
        assertThat(messages.youngestUs()).isEqualTo(2_010_000 + idleUs);
    }

    private static void sample(MappedLog.@Nullable Series series, long timeUs) {
        byte[] fields = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(timeUs)
                .array();
        try {
            Objects.requireNonNull(series).sample(fields, 0, fields.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aTopicWithoutMemoryInTheFirstHeadIsRefused() throws IOException {
        others.take(LOCAL_BYTES);
        messages.beginHead(1, 0);
        assertThat(messages.format(format("LACKING"))).isFalse();
        others.release(LOCAL_BYTES);
        assertThat(messages.format(format("IMU"))).isTrue();
        begin();

        MappedLog.Series series = messages.subscribe("IMU", 0);
        sample(series, 2_000_000);
        assertThat(types(finished())).isEqualTo("BIFAD");
    }

    @Test
    void aSeriesWithoutMemoryInTheFirstHeadBeginsInTheFile() throws IOException {
        messages.beginHead(1, 0);
        assertThat(messages.format(format("IMU"))).isTrue();
        others.take(LOCAL_BYTES);
        assertThat(messages.subscribe("IMU", 0)).isNull();
        begin();

        MappedLog.Series series = messages.subscribe("IMU", 0);
        sample(series, 2_000_000);
        byte[] file = finished();
        assertThat(types(file)).isEqualTo("BIIFAD");
        assertThat(file[file.length - 10]).as("message id").isZero();
    }

    @Test
    void aTopicThatIsNeitherKeptNorWrittenIsRefused() throws IOException {
        others.take(LOCAL_BYTES);
        messages.beginHead(1, 0);
        disk.fail(FakeDisk.Operation.CREATE, count -> true);
        begin();

        assertThat(messages.format(format("IMU"))).isFalse();
        assertThat(tally.lostBytes()).isPositive();
    }

    @Test
    void recordsOfASeriesWithoutMemoryAreRefusedUntilThereIsAFile() throws IOException {
        DataFlashBuilder log =
                DataFlashBuilder.aLog().fmt(10, "IMU", "QB", "TimeUS,V").fmtu("IMU", "s-", "F-");
        byte[] types = log.toByteArray();
        byte[] all = log.record("IMU", 2_000_000L, 1).toByteArray();
        byte[] record = Arrays.copyOfRange(all, types.length, all.length);
        MemoryShare ofMapper = MemoryShare.unlimited();
        HeadCollector collector = new HeadCollector(MemoryShare.unlimited());
        collector.feed(all, 0, all.length);
        ULogMapper mapper = new ULogMapper(collector.head(), ULogMapper.Values.RAW, messages, ofMapper);
        messages.beginHead(1, 0);
        others.take(LOCAL_BYTES);
        mapper.begin();
        disk.fail(FakeDisk.Operation.CREATE, count -> count < 1);
        begin();

        mapper.feed(all, 0, all.length);
        feed(mapper, record, 999);
        long held = ofMapper.held();
        feed(mapper, record, 1000);
        long refused = mapper.counts().refused();
        assertThat(refused).isGreaterThan(1000);
        assertThat(mapper.counts().samples()).isZero();
        assertThat(ofMapper.held()).isEqualTo(held);

        output.tick(TimeUnit.SECONDS.toNanos(100));
        assertThat(output.isOpen()).isTrue();
        feed(mapper, record, 1000);
        mapper.finish();
        assertThat(mapper.counts().refused()).isEqualTo(refused);
        assertThat(types(finished())).endsWith("A" + "D".repeat((int) (3000 - refused)));
    }

    private static void feed(ULogMapper mapper, byte[] bytes, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            mapper.feed(bytes, 0, bytes.length);
        }
    }

    private static TopicFormat format(String name) {
        return new TopicFormat(name, List.of(Field.of(FieldType.UINT64, "timestamp")));
    }

    private void begin() {
        output.begin(0, 0);
        messages.endHead();
    }

    private byte[] finished() {
        output.finish();
        keeper.doWork();
        return disk.contents().values().iterator().next();
    }

    private static String types(byte[] file) {
        StringBuilder types = new StringBuilder();
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = ULogLayout.HEADER_LENGTH; at < file.length; at += 3 + (in.getShort(at) & 0xFFFF)) {
            types.append((char) file[at + 2]);
        }
        return types.toString();
    }

    private List<String> texts() throws IOException {
        LogFile file = store.create(1);
        head.appendDefinitions(file, own(), 0);
        store.finish(file);
        keeper.doWork();
        List<String> texts = new ArrayList<>();
        ULogReader reader = new ULogReader(new ULogHandler() {
            @Override
            public void onMultiInfo(KeyedValue info, boolean continued) {
                texts.add(continued ? texts.remove(texts.size() - 1) + info.text() : info.text());
            }

            @Override
            public void onDamage(long position, long length) {
                throw new AssertionError("damage of " + length + " bytes at " + position);
            }
        });
        byte[] bytes = disk.contents().values().iterator().next();
        reader.feed(bytes, 0, bytes.length);
        reader.finish();
        return texts;
    }
}
