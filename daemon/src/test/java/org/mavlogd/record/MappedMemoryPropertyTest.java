package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.LogBytes.Message;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/**
 * An ArduPilot's log while others take memory and release it: the {@code .ulg} is valid, and if it lacks anything, the
 * {@code .bin} is kept, although only the {@code .ulg} is wanted.
 *
 * <p>To run one seed again: {@code -Dtest=MappedMemoryPropertyTest -Dmavlogd.seed=4711}; more:
 * {@code -Dmavlogd.seeds=10000}.
 */
class MappedMemoryPropertyTest {
    private static final int SEEDS = Integer.getInteger("mavlogd.seeds", 60);
    private static final long ONLY_SEED = Long.getLong("mavlogd.seed", -1);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final int BLOCK = BlockView.DATA_LENGTH;
    private static final int TYPES = 60;
    private static final int ROUNDS = 20;
    private static final int PLACES = 28;
    private static final int MEBI = 1 << 20;
    private static final int MAX_FREE = 400 << 10;

    @Test
    void nothingIsMissingInBothFiles() {
        int kept = 0;
        int deleted = 0;
        for (long seed = Math.max(0, ONLY_SEED); seed < (ONLY_SEED >= 0 ? ONLY_SEED + 1 : SEEDS); seed++) {
            boolean isKept = new Run(seed).check();
            kept += isKept ? 1 : 0;
            deleted += isKept ? 0 : 1;
        }
        assertThat(ONLY_SEED >= 0 || (kept > 0 && deleted > 0))
                .as("%d kept, %d deleted", kept, deleted)
                .isTrue();
    }

    /** One log. */
    private static final class Run {
        private final long seed;
        private final Random random;
        private final MemoryBudget memory = new MemoryBudget(21 * MEBI);
        private final MemoryShare others = memory.beside(200);
        private final FakeDisk disk = new FakeDisk();
        private final Feed feed = new Feed("test", 1 << 17);
        private final FeedPublisher publisher = feed.publisher();
        private final Keeper keeper;
        private final Recorder recorder;
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
                    new Metrics(),
                    new RecordSettings(
                            "tester 1.0",
                            Map.of(),
                            RecordSettings.Merge.DEFAULT,
                            RecordSettings.Standalone.OFF,
                            new RecordSettings.BlockFiles(false, true, false),
                            TelemetryLogs.Limits.DEFAULT,
                            Map.of(),
                            memory),
                    new Recorder.Feeds(List.of(feed), List.of()));
        }

        /** Whether the {@code .bin} was kept. */
        boolean check() {
            for (int i = 0; i < PLACES; i++) {
                memory.vehicle(100 + i);
            }
            byte[] log = log();
            fly(log);

            List<byte[]> binaries = files(".bin");
            int samples = 0;
            int parameters = 0;
            for (byte[] file : files(".ulg")) {
                samples += samples(file);
                parameters += LogBytes.types(file).replaceAll("[^P]", "").length();
            }
            if (binaries.isEmpty()) {
                assertThat(samples).as("seed %d", seed).isEqualTo(TYPES * ROUNDS + TYPES);
                assertThat(parameters).as("seed %d", seed).isGreaterThanOrEqualTo(TYPES);
            } else {
                assertThat(binaries).as("seed %d", seed).containsExactly(log);
            }
            return !binaries.isEmpty();
        }

        private void fly(byte[] log) {
            assertThat(publisher.blocksBegin(1, 1, 155, nowNs)).isTrue();
            int blocksBetween = 1 << random.nextInt(11);
            for (int number = 0; number < log.length / BLOCK; number++) {
                leave(
                        random.nextInt(blocksBetween) == 0
                                ? random.nextInt(random.nextBoolean() ? 1000 : MAX_FREE)
                                : MEBI);
                byte[] block = Arrays.copyOfRange(log, number * BLOCK, (number + 1) * BLOCK);
                assertThat(publisher.block(1, new BytesBlock(number, block), nowNs))
                        .isTrue();
                nowNs += 50 * MS;
                work();
            }
            publisher.sessionEnd(1, SessionEnd.STOPPED, 0, nowNs);
            work();
            recorder.onClose();
            keeper.onClose();
        }

        /** Others take memory until that much is free, or release some. */
        private void leave(long bytes) {
            MemoryBudget.Part strangers = memory.part(Requester.STRANGER);
            long more = strangers.limit() - strangers.used() - bytes;
            if (more > 0) {
                others.take(more);
            } else {
                others.release(Math.min(-more, others.held()));
            }
        }

        private void work() {
            recorder.doWork();
            keeper.doWork();
        }

        /** Types and parameters first, then their records; like every log, it ends within a message. */
        private static byte[] log() {
            DataFlashBuilder log = DataFlashBuilder.aLog().fmt(2, "PARM", "QNff", "TimeUS,Name,Value,Default");
            for (int i = 0; i < TYPES; i++) {
                log.fmt(10 + i, name(i), "QfffffH", "TimeUS,Alpha,Bravo,Charlie,Delta,Echo,Golf");
            }
            for (int i = 0; i < TYPES; i++) {
                log.record("PARM", 1_000_000L + i, "P" + i, 1.0 * i, 2.0);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < TYPES; i++) {
                    log.record(name(i), 2_000_000L + (round * TYPES + i) * 1000L, 1.0, 2.0, 3.0, 4.0, 5.0, round);
                }
            }
            for (int i = 0; i < 4; i++) {
                log.fmt(2, "PARM", "QNff", "TimeUS,Name,Value,Default");
            }
            byte[] all = log.toByteArray();
            return Arrays.copyOf(all, all.length / BLOCK * BLOCK);
        }

        private static String name(int type) {
            return "T" + (char) ('A' + type / 26) + (char) ('A' + type % 26);
        }

        private List<byte[]> files(String kind) {
            return disk.contents().entrySet().stream()
                    .filter(file -> file.getKey().endsWith(kind))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        /** Number of samples; each has a subscription before it, which has a format. */
        private int samples(byte[] file) {
            assertThat(new String(file, 0, 4, StandardCharsets.ISO_8859_1)).isEqualTo("ULog");
            Set<String> formats = new HashSet<>();
            Set<Integer> subscribed = new HashSet<>();
            int samples = 0;
            ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
            for (Message message : LogBytes.messages(file)) {
                int payload = message.offset() + LogBytes.MESSAGE_HEADER_LENGTH;
                String text = new String(file, payload, message.end() - payload, StandardCharsets.ISO_8859_1);
                switch (message.type()) {
                    case 'F' -> formats.add(text.substring(0, text.indexOf(':')));
                    case 'A' -> {
                        assertThat(formats).as("seed %d", seed).contains(text.substring(3));
                        assertThat(subscribed.add((int) in.getShort(payload + 1)))
                                .as("seed %d", seed)
                                .isTrue();
                    }
                    case 'D' -> {
                        assertThat(subscribed).as("seed %d", seed).contains((int) in.getShort(payload));
                        samples++;
                    }
                    default -> {}
                }
            }
            return samples;
        }
    }
}
