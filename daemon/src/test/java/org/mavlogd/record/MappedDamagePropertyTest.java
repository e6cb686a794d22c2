package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/**
 * Real logs with flipped bits, in definitions as well as in data, over a link that loses, swaps and repeats blocks: the
 * {@code .bin} has the received bytes exactly, the ULog is valid, and each of its samples is in the bytes.
 *
 * <p>To run one again: {@code -Dtest=MappedDamagePropertyTest -Dmavlogd.seed=4711}; more:
 * {@code -Dmavlogd.seeds=10000}.
 */
class MappedDamagePropertyTest {
    private static final int BATCH = 10;
    private static final int SEEDS = Integer.getInteger("mavlogd.seeds", 60);
    private static final long ONLY_SEED = Long.getLong("mavlogd.seed", -1);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final int BLOCK = BlockView.DATA_LENGTH;
    private static final int HEAD_BYTES = 75_000;
    // Longer than a record: see MappedRecording.HOLE.
    private static final int HOLE_BYTES = 600;

    static LongStream batches() {
        return ONLY_SEED >= 0
                ? LongStream.of(ONLY_SEED)
                : LongStream.iterate(0, i -> i + BATCH).limit(SEEDS / BATCH);
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("batches")
    void nothingIsMadeUp(long firstSeed) throws IOException {
        long count = ONLY_SEED >= 0 ? 1 : BATCH;
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            new Run(seed).check();
        }
    }

    /** One log over one link. */
    private static final class Run {
        private final long seed;
        private final Random random;
        private final FakeDisk disk = new FakeDisk();
        private final Metrics metrics = new Metrics();
        private final Feed feed = new Feed("test", 1 << 17);
        private final FeedPublisher publisher = feed.publisher();
        private final Keeper keeper;
        private final Recorder recorder;
        private final Map<Integer, byte[]> came = new TreeMap<>();
        private long nowNs = 77_000 * MS;

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
            StoreSettings settings =
                    new StoreSettings(4096, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);
            this.recorder = new Recorder(
                    () -> nowNs,
                    () -> EPOCH_MS + nowNs / MS,
                    new LogStore(disk, () -> EPOCH_MS + nowNs / MS, settings, keeper),
                    metrics,
                    RecordSettings.of("tester 1.0"),
                    new Recorder.Feeds(List.of(feed), List.of()));
        }

        void check() throws IOException {
            fly();

            assertThat(metrics.scrape())
                    .as("seed %d", seed)
                    .contains("mavlogd_contained_errors_total{part=\"mapping.test\"} 0.0");
            checkBlocks(only(".bin"));
            checkSamples();
        }

        private void fly() {
            byte[] bytes = damaged();
            assertThat(publisher.blocksBegin(1, 1, 155, nowNs)).isTrue();
            List<Integer> order = order(bytes.length / BLOCK);
            for (int number : order) {
                nowNs += 5 * MS;
                byte[] block = Arrays.copyOfRange(bytes, number * BLOCK, (number + 1) * BLOCK);
                came.put(number, block);
                give(number, block);
            }
            publisher.sessionEnd(1, SessionEnd.STOPPED, 0, nowNs);
            work();
            recorder.onClose();
            keeper.onClose();
        }

        private byte[] damaged() {
            List<String> names = Captures.names();
            byte[] real = Captures.log(names.get(random.nextInt(names.size())));
            byte[] bytes = Arrays.copyOf(real, Math.min(real.length, 100_000 + random.nextInt(300_000)));
            for (int i = random.nextInt(100); i > 0; i--) {
                boolean isInHead = random.nextInt(3) == 0;
                int at = random.nextInt(isInHead ? Math.min(HEAD_BYTES, bytes.length) : bytes.length);
                bytes[at] ^= (byte) (1 << random.nextInt(8));
            }
            return bytes;
        }

        /** The blocks in the order in which they arrive: some never, some late, some twice. */
        private List<Integer> order(int blocks) {
            List<Integer> order = new ArrayList<>();
            int lossy = random.nextInt(4) == 0 ? 0 : 20 + random.nextInt(300);
            for (int number = 0; number < blocks; number++) {
                if (lossy > 0 && number > 0 && random.nextInt(lossy) == 0) {
                    number += random.nextInt(4);
                } else {
                    int back = random.nextInt(20) == 0 ? random.nextInt(15) : 0;
                    order.add(Math.max(0, order.size() - back), number);
                }
            }
            return order;
        }

        private void give(int number, byte[] block) {
            for (int times = random.nextInt(30) == 0 ? 2 : 1; times > 0; times--) {
                assertThat(publisher.block(1, new BytesBlock(number, block), nowNs))
                        .isTrue();
            }
            work();
        }

        private void work() {
            recorder.doWork();
            keeper.doWork();
        }

        private byte[] only(String kind) {
            List<byte[]> files = files(kind);
            assertThat(files).as("seed %d: %s", seed, kind).hasSize(1);
            return files.get(0);
        }

        private List<byte[]> files(String kind) {
            return disk.contents().entrySet().stream()
                    .filter(file -> file.getKey().endsWith(kind))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        private void checkBlocks(byte[] file) {
            for (int number = 0; number < file.length / BLOCK; number++) {
                byte[] stored = Arrays.copyOfRange(file, number * BLOCK, (number + 1) * BLOCK);
                byte[] sent = came.get(number);
                if (sent == null) {
                    assertThat(new String(stored, StandardCharsets.US_ASCII))
                            .as("seed %d, block %d", seed, number)
                            .contains("log block " + number + " never came");
                } else {
                    assertThat(Arrays.equals(stored, sent))
                            .as("seed %d, block %d", seed, number)
                            .isTrue();
                }
            }
            int last = came.keySet().stream().mapToInt(Integer::intValue).max().orElseThrow();
            assertThat(file).as("seed %d", seed).hasSize((last + 1) * BLOCK);
        }

        /** Checks that no sample occurs twice, and that only a few beside the damage are missing. */
        private void checkSamples() throws IOException {
            Map<String, Integer> said = rows(List.of(Mapped.of(withGaps(), ULogMapper.Values.RAW, 4096)));
            List<Mapped> live = new ArrayList<>();
            for (byte[] ulog : files(".ulg")) {
                live.add(Mapped.read(ulog));
            }
            Map<String, Integer> stored = rows(live);
            int all = said.values().stream().mapToInt(Integer::intValue).sum();
            int kept = 0;
            for (Map.Entry<String, Integer> row : stored.entrySet()) {
                assertThat(row.getValue())
                        .as("seed %d: %s", seed, row.getKey())
                        .isLessThanOrEqualTo(said.getOrDefault(row.getKey(), 0));
                kept += row.getValue();
            }
            assertThat(kept).as("seed %d: of %d samples", seed, all).isGreaterThan(all * 9 / 10);
        }

        private byte[] withGaps() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            int next = 0;
            for (Map.Entry<Integer, byte[]> block : came.entrySet()) {
                if (block.getKey() > next) {
                    bytes.writeBytes(new byte[HOLE_BYTES]);
                }
                bytes.writeBytes(block.getValue());
                next = block.getKey() + 1;
            }
            return bytes.toByteArray();
        }

        /**
         * How often each row of a topic occurs, in any instance: the row has the field that identifies the instance.
         */
        private static Map<String, Integer> rows(List<Mapped> files) {
            Map<String, Integer> rows = new HashMap<>();
            for (Mapped file : files) {
                file.samples()
                        .forEach((series, samples) -> samples.forEach(sample -> rows.merge(
                                series.substring(0, series.lastIndexOf(':')) + " " + sample, 1, Integer::sum)));
            }
            return rows;
        }
    }
}
