package org.mavlogd.record.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.MappedLog;
import org.mavlogd.memory.MemoryShare;
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
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.ulog.ULogReader;

/** A mapper's definitions as messages of the head. */
class MappedMessagesTest {
    private static final StoreSettings SETTINGS = new StoreSettings(
            4096,
            StoreSettings.Durability.ofMs(500),
            new StoreSettings.RotationPolicy(1L << 40, TimeUnit.DAYS.toNanos(1)));

    private final FakeDisk disk = new FakeDisk();
    private final Keeper keeper = new Keeper(disk, () -> 0, (name, bytes) -> {});
    private final LogStore store = new LogStore(disk, () -> 1_790_000_000_000L, SETTINGS, keeper);
    private final LogHead head = new LogHead(MemoryShare.unlimited());
    private final MappedMessages messages = messages();

    private MappedMessages messages() {
        Tally tally = new Tally(new RecordCounters(new Metrics(), "test"));
        LocalPart local = new LocalPart(List.of(), "companion_", MemoryShare.unlimited());
        FileHead fileHead = new FileHead(head, own(), new StartClock(0), local);
        LogOutput output = new LogOutput(store, 1, new LogName.LogNumber(), fileHead, tally, new LogOutput.Listener() {
            @Override
            public void onClosed() {}

            @Override
            public void onReopened() {}
        });
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

    private static void sample(MappedLog.Series series, long timeUs) {
        byte[] fields = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(timeUs)
                .array();
        try {
            series.sample(fields, 0, fields.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
