package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.LogBytes.Message;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/**
 * On any bad link, each stored message is on disk within the limit after its last byte was received: in virtual time,
 * with a link that lets it wait in the kernel, a recorder that polls as rarely as allowed and a disk that uses its full
 * time limit.
 */
class DurabilitySimulationTest {
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SEEDS = 15;
    private static final int SAMPLES = 1200;
    private static final int BATCH_BYTES = 4096;

    private record Arrival(int chunk, long timeNs) {}

    private record Forced(long timeNs, int length) {}

    private static final class Run {
        private final Random random;
        private final boolean waitsInKernel;
        private final StoreSettings.Durability durability;
        private final byte[] log;
        private final Map<Integer, Long> arrivals = new HashMap<>();
        private final List<Forced> forced = new ArrayList<>();
        private final FakeDisk disk = new FakeDisk();
        private final FeedPublisher publisher;
        private final Recorder recorder;
        private final Keeper keeper;
        private final long beginNs = 5_000 * MILLISECOND_NS;
        private long nowNs = beginNs;

        Run(long seed, long limitMs, boolean waitsInKernel) {
            random = new Random(seed);
            this.waitsInKernel = waitsInKernel;
            durability = StoreSettings.Durability.ofMs(limitMs);
            log = log();
            StoreSettings settings = new StoreSettings(BATCH_BYTES, durability);
            keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
            LogStore store = new LogStore(disk, () -> 1_795_269_839_000L, settings, keeper);
            Feed feed = new Feed("test", 1 << 20);
            publisher = feed.publisher();
            recorder = new Recorder(
                    () -> nowNs,
                    () -> 1_795_269_839_000L + nowNs / MILLISECOND_NS,
                    store,
                    new Metrics(),
                    "tester",
                    List.of(feed));
        }

        private static byte[] log() {
            LogBytes log = LogBytes.withTopic();
            for (int i = 0; i < SAMPLES; i++) {
                log.sample(2_000_000 + 1000L * i);
            }
            return log.toBytes();
        }

        /** Bursts, pauses, loss and reordering in amounts given by the seed. */
        private List<Arrival> arrivals() {
            double loss = random.nextInt(3) * 0.02;
            double late = random.nextInt(3) * 0.03;
            int pauseEvery = 5 + random.nextInt(60);
            List<Arrival> planned = new ArrayList<>();
            int chunks = (log.length + LogBytes.CHUNK_LENGTH - 1) / LogBytes.CHUNK_LENGTH;
            long sentNs = nowNs;
            for (int chunk = 0; chunk < chunks; chunk++) {
                sentNs += random.nextInt(pauseEvery) == 0
                        ? random.nextInt(1500) * MILLISECOND_NS
                        : random.nextInt(9_000_000);
                long delayNs = random.nextDouble() < late ? random.nextInt(60) * MILLISECOND_NS : 0;
                if (chunk == 0 || random.nextDouble() >= loss) {
                    planned.add(new Arrival(chunk, sentNs + (chunk == 0 ? 0 : delayNs)));
                }
            }
            planned.sort(Comparator.comparingLong(Arrival::timeNs));
            return planned;
        }

        void play() {
            int[] offsets = LogBytes.firstMessageOffsets(log, LogBytes.CHUNK_LENGTH);
            long nextLookNs = nowNs + random.nextInt((int) durability.lookNs());
            long readNs = nowNs;
            long beforeNs = nowNs;
            long estimateNs = nowNs;
            for (Arrival arrival : arrivals()) {
                while (arrival.timeNs() - readNs > 0) {
                    beforeNs = readNs;
                    readNs += isNextPrompt() ? arrival.timeNs() - readNs : durability.gatherNs();
                }
                if (readNs != nowNs) {
                    nextLookNs = lookUntil(nextLookNs, readNs);
                    nowNs = readNs;
                }
                if (arrivals.isEmpty()) {
                    assertThat(publisher.sessionBegin(1, 1, 1, nowNs)).isTrue();
                    nextLookNs = nowNs; // it wakes the recorder
                }
                if (isNextPrompt()) {
                    estimateNs = readNs;
                } else {
                    // The link knows only that it came between two readings, and perhaps the usual rate.
                    publisher.waited(beforeNs);
                    estimateNs = Math.max(estimateNs, readNs - (long) (random.nextDouble() * (readNs - beforeNs)));
                }
                assertThat(publisher.chunk(1, BytesChunk.of(log, offsets, arrival.chunk()), 0, 0, estimateNs))
                        .isTrue();
                publisher.waitedEnd();
                arrivals.put(arrival.chunk(), arrival.timeNs());
            }
            lookUntil(nextLookNs, nowNs + 2 * durability.limitNs());
        }

        /** Whether the next chunk wakes the link: the first of the log, or any on a link where nothing waits. */
        private boolean isNextPrompt() {
            return arrivals.isEmpty() || !waitsInKernel;
        }

        private long lookUntil(long firstNs, long endNs) {
            long lookNs = firstNs;
            while (lookNs - endNs <= 0) {
                nowNs = lookNs;
                while (recorder.doWork() > 0) {
                    // until it would sleep
                }
                keeper.doWork();
                int length = disk.storedNames().isEmpty()
                        ? 0
                        : disk.forcedLength(disk.storedNames().get(0));
                if (forced.isEmpty() || forced.get(forced.size() - 1).length() != length) {
                    forced.add(new Forced(nowNs + durability.forceBudgetNs(), length));
                }
                lookNs += Math.max(1, recorder.sleepNs());
            }
            return lookNs;
        }

        /** Returns the number of stored samples. */
        int check(String what) {
            byte[] file = disk.bytes(disk.storedNames().get(0));
            Map<Long, Message> sent = new HashMap<>();
            LogBytes.messages(log).forEach(message -> sent.put(message.timestampUs(), message));
            int samples = 0;
            for (Message message : LogBytes.messages(file)) {
                if (message.type() == 'D') {
                    samples++;
                    long waitedNs = forcedNs(message.end())
                            - receivedNs(Objects.requireNonNull(sent.get(message.timestampUs())));
                    assertThat(waitedNs)
                            .as("%s: sample at %d us", what, message.timestampUs())
                            .isLessThanOrEqualTo(durability.limitNs());
                }
            }
            return samples;
        }

        private long forcedNs(int end) {
            return forced.stream()
                    .filter(force -> force.length() >= end)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("never forced"))
                    .timeNs();
        }

        private long receivedNs(Message message) {
            long lastNs = Long.MIN_VALUE;
            int last = (message.end() - 1) / LogBytes.CHUNK_LENGTH;
            for (int chunk = message.offset() / LogBytes.CHUNK_LENGTH; chunk <= last; chunk++) {
                lastNs = Math.max(lastNs, Objects.requireNonNull(arrivals.get(chunk)));
            }
            return lastNs;
        }

        double forcesPerSecond() {
            return disk.count(FakeDisk.Operation.FORCE) * 1e9 / (nowNs - beginNs);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {50, 100, 500, 2000, 10_000})
    void everyStoredMessageIsOnTheMediumInTime(long limitMs) {
        int stored = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed, limitMs, seed % 2 == 0);
            run.play();
            stored += run.check("limit " + limitMs + " ms, seed " + seed);
        }

        assertThat(stored).isGreaterThan(SEEDS * SAMPLES * 4 / 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {500})
    void theMediumIsAskedAtMostThreeTimesASecond(long limitMs) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed, limitMs, seed % 2 == 0);
            run.play();

            assertThat(run.forcesPerSecond()).as("seed %d", seed).isLessThan(3);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {50, 51, 99, 500, 501, 3_333, 10_000})
    void noShareOfTheLimitIsGivenAwayTwice(long limitMs) {
        StoreSettings.Durability durability = StoreSettings.Durability.ofMs(limitMs);

        assertThat(durability.flushAgeNs()).isPositive();
        assertThat(durability.lookNs()).isPositive();
        assertThat(durability.forceBudgetNs()).isPositive();
        assertThat(durability.flushAgeNs() + durability.forceBudgetNs()).isLessThan(durability.limitNs());
        assertThat(durability.gatherNs() + durability.lookNs()).isLessThan(durability.flushAgeNs());
        assertThat(durability.idleLookNs()).isPositive();
        assertThat(durability.writeAgeNs()).isLessThanOrEqualTo(durability.flushAgeNs());
        assertThat(durability.urgentDistanceNs()).isLessThanOrEqualTo(durability.flushAgeNs());
    }
}
