package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;

/** Reading the earlier part of a log of blocks that continues. */
class PastScanTest {
    private static final String STEM = "2026-11-21_14-03-59_sys001_000042";
    private static final String PART = STEM + ".bin.part";
    private static final int RECORDS = 60_000;

    private final FakeDisk disk = new FakeDisk();
    private final ContainedPart contained = ContainedPart.unlisted("test", Recovery.CONTINUES);
    private final byte[] bytes = log();
    private final UnfinishedLog log = new UnfinishedLog(STEM, bytes.length, ByteBuffer.allocate(0), ticket());

    private static ResumeTicket ticket() {
        return new ResumeTicket(new ResumeTicket.Facts(
                1, 155, 0, 0, 7, 0, 0, 0, 0, -1, 0, List.of(), new KnownTopics.Collector().topics()));
    }

    private static byte[] log() {
        DataFlashBuilder log = DataFlashBuilder.aLog().fmt(1, "IMU", "QBf", "TimeUS,I,GX");
        for (int i = 0; i < RECORDS; i++) {
            log.record("IMU", 5_000_000L + i * 1600L, i % 2, 0.5 * i);
        }
        return log.fmt(2, "LATE", "QB", "TimeUS,I").record("LATE", 7L, 1).toByteArray();
    }

    @Test
    void readsTheWholeLogInSteps() throws IOException {
        disk.put(PART, bytes);
        PastScan scan = new PastScan(disk, log, MemoryShare.unlimited(), contained);
        assertThat(scan.step()).as("nobody wants it").isFalse();
        log.wantPast();

        int steps = 0;
        while (scan.step()) {
            assertThat(log.takePast()).isNull();
            steps++;
        }

        assertThat(steps).isBetween(2, 10);
        HeadCollector past = Objects.requireNonNull(log.takePast());
        past.feed(new byte[600], 0, 600); // the decoder reads half a KiB ahead
        past.dataBegins();
        assertThat(past.head().definitions().types()).hasSize(5);
        assertThat(log.takePast()).as("it is given away once").isNull();
        assertThat(log.isPastAwaited()).isFalse();
        disk.grow(PART, bytes.length); // no other file handle is open any more
    }

    /** Endless parameters use no more heap than unfinished logs may have. */
    @Test
    void whatItKnowsComesOutOfTheMemoryBudget() throws IOException {
        DataFlashBuilder parameters = DataFlashBuilder.aLog().fmt(1, "PARM", "QNff", "TimeUS,Name,Value,Default");
        for (int i = 0; i < 12_000; i++) {
            parameters.record("PARM", 7L, "P" + i, 1.0, 1.0);
        }
        byte[] hostile = parameters.toByteArray();
        disk.put(PART, hostile);
        UnfinishedLog large = new UnfinishedLog(STEM, hostile.length, ByteBuffer.allocate(0), ticket());
        large.wantPast();
        MemoryBudget budget = new MemoryBudget(8 << 20);
        MemoryShare share = budget.share(Requester.UNFINISHED_LOG);
        PastScan scan = new PastScan(disk, large, share, contained);

        while (scan.step()) {
            assertThat(budget.used()).isBetween(1L, 1L << 20);
        }

        assertThat(budget.part(Requester.UNFINISHED_LOG).refused()).isPositive();
        HeadCollector past = Objects.requireNonNull(large.takePast());
        assertThat(past.head().parameters().size()).isBetween(500, 11_000);
        share.close();
        assertThat(budget.used()).isZero();
    }

    @Test
    void withoutMemoryTheLogContinuesWithWhatItsStartSays() {
        disk.put(PART, bytes);
        log.wantPast();

        assertThat(new PastScan(disk, log, new MemoryBudget(1 << 20).share(Requester.UNFINISHED_LOG), contained).step())
                .isFalse();

        assertThat(log.isPastAwaited()).isFalse();
        assertThat(log.takePast()).isNull();
    }

    @Test
    void whatCannotBeReadIsToldAndNotWaitedFor() {
        log.wantPast();

        assertThat(new PastScan(disk, log, MemoryShare.unlimited(), contained).step())
                .isFalse();

        assertThat(log.isPastAwaited()).isFalse();
        assertThat(log.takePast()).isNull();
    }

    /** The keeper continues with its other files. */
    @Test
    void aMistakeEndsNothingElse() {
        disk.put(PART, bytes);
        log.wantPast();
        Disk broken = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("a mistake");
                });

        assertThat(new PastScan(broken, log, MemoryShare.unlimited(), contained).step())
                .isFalse();

        assertThat(log.isPastAwaited()).isFalse();
        assertThat(contained.errors()).isEqualTo(1);
    }
}
