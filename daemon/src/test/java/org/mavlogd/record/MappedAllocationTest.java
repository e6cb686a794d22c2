package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.feed.BlockView;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.blocks.MappedRecording;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.NullDisk;
import org.mavlogd.store.StoreSettings;

/** Converting blocks to samples in a live ULog allocates nothing once its types are known. */
class MappedAllocationTest {
    private static final int ROUNDS = 200;
    private static final int ATTEMPTS = 10;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Metrics metrics = new Metrics();
    private final Keeper keeper = new Keeper(new NullDisk(), () -> 0, (name, bytes) -> {});
    private final LogStore store = new LogStore(
            new NullDisk(),
            () -> 1_790_000_000_000L,
            new StoreSettings(64 << 10, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER),
            keeper);
    private final MappedRecording recording = new MappedRecording(
            new RecordingIdentity("test", 1, 1, 155, 0, 1_790_000_000_000L),
            new RecordContext(
                    () -> 0,
                    () -> 1_790_000_000_000L,
                    store,
                    new RecordSettings(
                            "tester",
                            Map.of(),
                            RecordSettings.Merge.DEFAULT,
                            RecordSettings.Standalone.OFF,
                            RecordSettings.BlockFiles.BOTH),
                    List.of(),
                    ResumableLogs.empty()),
            new RecordCounters(metrics, "test"),
            MemoryShare.unlimited());
    private long number;

    @Test
    void blocksAllocateNothing() {
        DataFlashBuilder log = DataFlashBuilder.aLog()
                .fmt(1, "IMU", "QBffff", "TimeUS,I,GX,GY,GZ,T")
                .fmtu("IMU", "s#EEEO", "F-0000")
                .fmt(2, "RFRF", "BB", "FTypes,Slow");
        int head = log.toByteArray().length;
        for (int i = 0; i < 1000; i++) {
            log.record("IMU", 1_000_000L + 2500L * i, i % 3, 1.0, 2.0, 3.0, 4.0).record("RFRF", 1, 2);
        }
        UnsafeBuffer bytes = new UnsafeBuffer(log.toByteArray());
        give(bytes, 0, 0);
        give(bytes, head, 3000 * MS);
        recording.tick(3000 * MS);
        for (int round = 0; round < ROUNDS; round++) {
            give(bytes, head, 3000 * MS);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);
        double stored = stored();

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int round = 0; round < ROUNDS; round++) {
                give(bytes, head, 3000 * MS);
            }
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).as("bytes in %d rounds", ROUNDS).isZero();
        assertThat(stored() - stored).isGreaterThan(ROUNDS * 1900.0);
        assertThat(recording.takesLocal()).isTrue();
    }

    private void give(UnsafeBuffer bytes, int from, long arrivalNs) {
        for (int at = from; at + BlockView.DATA_LENGTH <= bytes.capacity(); at += BlockView.DATA_LENGTH) {
            recording.onBlock(bytes, at, number++, arrivalNs);
        }
    }

    private double stored() {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_record_stored_messages_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
