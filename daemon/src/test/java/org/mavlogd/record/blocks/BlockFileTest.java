package org.mavlogd.record.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.StrictFeedHandler;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.BytesBlock;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.recovery.FillerBlock;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/** The verbatim file on working and failing disks. */
class BlockFileTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final int BATCH_BYTES = 4096;

    private final FakeDisk disk = new FakeDisk();
    private long nowNs = 77_000 * MS;
    private final Keeper keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
    private final Feed feed = new Feed("test", 1 << 17);
    private final FeedPublisher publisher = feed.publisher();
    private final Feed other = new Feed("other", 1 << 17);
    private final FeedPublisher otherPublisher = other.publisher();
    private final Metrics metrics = new Metrics();
    private final Recorder recorder = recorder(RecordSettings.BlockFiles.VERBATIM);

    private Recorder recorder(RecordSettings.BlockFiles files) {
        // Rotation is for ULog: a file of blocks is never divided.
        StoreSettings settings = new StoreSettings(
                BATCH_BYTES, StoreSettings.Durability.ofMs(500), new StoreSettings.RotationPolicy(5000, 0));
        LogStore store = new LogStore(disk, () -> EPOCH_MS + nowNs / MS, settings, keeper);
        return new Recorder(
                () -> nowNs,
                () -> EPOCH_MS + nowNs / MS,
                store,
                metrics,
                new RecordSettings(
                        "tester 1.0", Map.of(), RecordSettings.Merge.DEFAULT, RecordSettings.Standalone.OFF, files),
                new Recorder.Feeds(List.of(feed), List.of()));
    }

    @Test
    void putsEachBlockInItsPlaceInOneFile() {
        begin();
        blocks(0, 10);
        block(12);
        block(11);
        blocks(13, 99);
        end();

        assertThat(files()).hasSize(1);
        assertThat(files().keySet()).allMatch(name -> name.matches("[-_0-9]+sys001_000001\\.bin"));
        byte[] file = files().values().iterator().next();
        assertThat(file).hasSize(100 * BlockView.DATA_LENGTH);
        for (int number = 0; number < 100; number++) {
            assertThat(file[number * BlockView.DATA_LENGTH]).isEqualTo((byte) number);
        }
    }

    @Test
    void fillsAHoleAndCountsIt() {
        begin();
        block(0);
        block(3);
        end();

        byte[] file = files().values().iterator().next();
        assertThat(file).hasSize(4 * BlockView.DATA_LENGTH);
        assertThat(new String(file, 200 + FillerBlock.TEXT_OFFSET, 34, StandardCharsets.US_ASCII))
                .isEqualTo("mavlogd: log block 1 never came\n\0\0");
        assertThat(new String(file, 400 + FillerBlock.TEXT_OFFSET, 34, StandardCharsets.US_ASCII))
                .isEqualTo("mavlogd: log block 2 never came\n\0\0");
        assertThat(metrics.scrape()).contains("mavlogd_record_lost_chunks_total{cause=\"link\",link=\"test\"} 2.0");
    }

    /** The vehicle may keep a block longer than the recorder lets later ones wait for it. */
    @Test
    void putsABlockInItsPlaceThatComesAfterItsFiller() {
        begin();
        block(0);
        for (int number = 2; number < 100; number++) {
            block(number);
            pass(50);
        }
        assertThat(metrics.scrape()).contains("mavlogd_record_lost_chunks_total{cause=\"link\",link=\"test\"} 1.0");

        pass(600);
        int forces = disk.count(FakeDisk.Operation.FORCE);
        block(1);
        pass(1);
        pass(260);
        assertThat(recorder.statuses().get(0).unforcedMs()).isEqualTo(260);
        assertThat(disk.count(FakeDisk.Operation.FORCE)).isEqualTo(forces);
        pass(260); // as soon as any other data, and together
        pass(260);
        assertThat(recorder.statuses().get(0).unforcedMs()).isZero();
        assertThat(disk.count(FakeDisk.Operation.FORCE)).isEqualTo(forces + 1);
        blocks(100, 102);
        block(50); // already in its place: nothing is overwritten
        end();

        byte[] file = files().values().iterator().next();
        assertThat(file).hasSize(103 * BlockView.DATA_LENGTH);
        for (int number = 0; number < 103; number++) {
            assertThat(file[number * BlockView.DATA_LENGTH]).isEqualTo((byte) number);
        }
        assertThat(metrics.scrape())
                .contains("mavlogd_record_placed_chunks_total{link=\"test\"} 1.0")
                .contains("mavlogd_record_late_chunks_total{link=\"test\"} 2.0");
    }

    /** Data that waits to be written goes first; either write may fail. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aLateBlockThatTheDiskDoesNotTakeStaysLost(int failing) {
        begin();
        block(0);
        for (int number = 2; number < 80; number++) {
            block(number);
            pass(50);
        }
        pass(600);
        int next = disk.count(FakeDisk.Operation.WRITE) + failing;
        disk.fail(FakeDisk.Operation.WRITE, count -> count == next);
        block(80);
        block(1);
        pass(1);
        blocks(81, 90);
        end();

        assertThat(metrics.scrape())
                .contains("mavlogd_record_lost_chunks_total{cause=\"link\",link=\"test\"} 1.0")
                .contains("mavlogd_record_placed_chunks_total{link=\"test\"} 0.0")
                .contains("mavlogd_record_disk_failures_total{link=\"test\"} 1.0");
        assertThat(files()).hasSize(2);
        byte[] second = files().values().stream().skip(1).findFirst().orElseThrow();
        assertThat(second).hasSize(10 * BlockView.DATA_LENGTH);
        assertThat(second[0]).isEqualTo((byte) 81);
    }

    @Test
    void aLateBlockOfAnEarlierFileIsCountedOnly() {
        begin();
        block(0);
        for (int number = 2; number < 80; number++) {
            block(number);
            pass(50);
        }
        int next = disk.count(FakeDisk.Operation.WRITE);
        disk.fail(FakeDisk.Operation.WRITE, count -> count == next);
        for (int number = 80; number < 160; number++) {
            block(number);
            pass(50);
        }
        assertThat(files()).hasSize(2);
        block(1);
        end();

        assertThat(metrics.scrape())
                .contains("mavlogd_record_placed_chunks_total{link=\"test\"} 0.0")
                .contains("mavlogd_record_late_chunks_total{link=\"test\"} 1.0");
        for (byte[] file : files().values()) {
            int first = file[0] & 0xFF;
            for (int at = 2 * BlockView.DATA_LENGTH; at < file.length; at += BlockView.DATA_LENGTH) {
                assertThat(file[at] & 0xFF).isEqualTo(first + at / BlockView.DATA_LENGTH);
            }
        }
    }

    @Test
    void goesOnInANextFileAfterAFailureOfTheDisk() {
        disk.fail(FakeDisk.Operation.WRITE, count -> count == 1);
        begin();
        for (int number = 0; number < 100; number++) {
            block(number);
            pass(20);
        }
        end();

        assertThat(files()).hasSize(2);
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        files().values().forEach(joined::writeBytes);
        byte[] second = files().values().stream().skip(1).findFirst().orElseThrow();
        int first = second[0] & 0xFF;
        assertThat(first).isBetween(1, 98);
        for (int at = 0; at < second.length; at += BlockView.DATA_LENGTH) {
            assertThat(second[at]).isEqualTo((byte) (first + at / BlockView.DATA_LENGTH));
        }
        assertThat(joined.size()).isLessThan(100 * BlockView.DATA_LENGTH);
        assertThat(metrics.scrape()).contains("mavlogd_record_disk_failures_total{link=\"test\"} 1.0");
    }

    @Test
    void handsTheSameToOthersAndKeepsNothingWhenNothingIsToBeKept() {
        StringBuilder heard = new StringBuilder();
        BlockRecording recording = recording(false, new BlockSink() {
            @Override
            public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
                heard.append(number).append(' ');
            }

            @Override
            public void onHole(long firstNumber, long count, long holeNs) {
                heard.append("hole ")
                        .append(firstNumber)
                        .append('+')
                        .append(count)
                        .append(' ');
            }

            @Override
            public boolean tick(long tickNs) {
                return false;
            }

            @Override
            public void onEnd(SessionEnd reason, long endNs) {
                heard.append(reason);
            }
        });
        give(recording, 0);
        give(recording, 2);
        recording.end(SessionEnd.REBOOT, nowNs);
        keeper.onClose();

        assertThat(heard).hasToString("0 hole 1+1 2 REBOOT");
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void isNotHarmedByWhatGoesWrongBesideIt(int where) {
        List<String> heard = new ArrayList<>();
        BlockRecording recording = recording(true, new BlockSink() {
            @Override
            public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
                heard.add("block " + number);
                failIf(where == 1 && number == 1);
            }

            @Override
            public void onHole(long firstNumber, long count, long holeNs) {
                heard.add("hole");
                failIf(where == 2);
            }

            @Override
            public boolean tick(long tickNs) {
                return false;
            }

            @Override
            public void onEnd(SessionEnd reason, long endNs) {
                heard.add("end");
                failIf(where == 3);
            }

            @Override
            public void abandon(long endNs) {
                heard.add("abandoned");
                failIf(true); // even now
            }

            private void failIf(boolean isHere) {
                if (isHere) {
                    throw new IllegalStateException("a mistake");
                }
            }
        });
        give(recording, 0);
        give(recording, 1);
        recording.tick(nowNs);
        give(recording, 3);
        recording.end(SessionEnd.STOPPED, nowNs);
        keeper.onClose();

        assertThat(heard).endsWith("abandoned").containsOnlyOnce("abandoned");
        assertThat(files().values())
                .singleElement()
                .satisfies(file -> assertThat(file).hasSize(4 * BlockView.DATA_LENGTH));
        assertThat(metrics.part("mapping.other", Recovery.CONTINUES).errors()).isBetween(1L, 2L);
    }

    private BlockRecording recording(boolean isVerbatim, BlockSink other) {
        StoreSettings settings =
                new StoreSettings(BATCH_BYTES, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);
        LogStore store = new LogStore(disk, () -> EPOCH_MS + nowNs / MS, settings, keeper);
        RecordSettings record = new RecordSettings(
                "tester 1.0",
                Map.of(),
                RecordSettings.Merge.DEFAULT,
                RecordSettings.Standalone.OFF,
                new RecordSettings.BlockFiles(isVerbatim, !isVerbatim, false));
        return new BlockRecording(
                new RecordingIdentity("other", 1, 1, 155, nowNs, EPOCH_MS),
                new RecordContext(
                        () -> nowNs, () -> EPOCH_MS + nowNs / MS, store, record, List.of(), ResumableLogs.empty()),
                new RecordCounters(metrics, "other"),
                List.of(() -> other),
                MemoryShare.unlimited());
    }

    private void give(BlockRecording recording, long number) {
        Feed.Consumer consumer = other.consumer(new StrictFeedHandler() {
            @Override
            public void onBlock(int session, BlockView block) {
                recording.onBlock(block, nowNs);
            }
        });
        block(otherPublisher, number);
        consumer.drain(1);
    }

    private void begin() {
        assertThat(publisher.blocksBegin(1, 1, 155, nowNs)).isTrue();
    }

    private void end() {
        publisher.sessionEnd(1, SessionEnd.STOPPED, 0, nowNs);
        pass(20);
        recorder.onClose();
        keeper.onClose();
    }

    private void pass(long ms) {
        nowNs += ms * MS;
        recorder.doWork();
        recorder.doWork();
        keeper.doWork();
    }

    private void blocks(int first, int last) {
        for (int number = first; number <= last; number++) {
            block(number);
        }
    }

    private void block(long number) {
        block(publisher, number);
    }

    private void block(FeedPublisher target, long number) {
        byte[] bytes = new byte[BlockView.DATA_LENGTH];
        Arrays.fill(bytes, (byte) number);
        assertThat(target.block(1, new BytesBlock(number, bytes), nowNs)).isTrue();
    }

    private Map<String, byte[]> files() {
        return disk.contents();
    }
}
