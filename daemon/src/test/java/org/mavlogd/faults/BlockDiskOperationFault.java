package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.recovery.FillerBlock;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.whole.ArduPilotFlight;
import org.mavlogd.whole.BlockTruth;
import org.mavlogd.whole.WholeRecorder;

/**
 * {@link OperationFailures} with an ArduPilot: its blocks go into one file and its ULog into another, and a failure of
 * one does not affect the other. One block arrives late and replaces its filler. No file of blocks contains a block
 * twice, in a wrong place or never sent; every ULog can be read.
 */
final class BlockDiskOperationFault implements Fault, OperationFailures.Subject<ArduPilotFlight> {
    private static final int RATE = 20_000;
    private static final int MAX_WAITING_BYTES = RATE * 3;
    private static final int MAX_FILES = 24;
    // Arrives after the recorder gave up on it, and before the reboot.
    private static final int LATE = 20;
    private static final long LATE_NS = 3600 * MILLISECOND_NS;

    @Override
    public String name() {
        return "disk-operation-ardupilot";
    }

    @Override
    public String run(Form form, Progress progress) throws IOException {
        // Every build tries a quarter of the operations.
        return new OperationFailures<>(this, RATE, MAX_FILES).run(form.pick(1, 5), form.pick(4, 1), progress);
    }

    @Override
    public ArduPilotFlight begin(int seed, WholeRecorder.Setup setup, LossySettings channel) {
        DataFlashImage log = DataFlashImage.of(DataFlashBytes.make(seed, 300_000, RATE));
        ArduPilotSettings vehicle = ArduPilotSettings.builder()
                .rateBytesPerSecond(RATE)
                .rebootNs(400 * MILLISECOND_NS)
                .build();
        return new ArduPilotFlight(setup, log, vehicle, channel, channel);
    }

    @Override
    public void fly(ArduPilotFlight flight) {
        flight.withhold(LATE, flight.nowNs() + LATE_NS);
        flight.runFor(4 * SECOND_NS);
        flight.vehicle().reboot(flight.nowNs());
        flight.runFor(5 * SECOND_NS);
        awaitArrival(flight);
    }

    /**
     * Waits until all sent blocks have arrived: the vehicle still has a block that is under way when the recorder ends.
     */
    private static void awaitArrival(ArduPilotFlight flight) {
        int logged;
        do {
            logged = lastLog(flight).count();
            flight.runFor(2 * MILLISECOND_NS);
        } while (lastLog(flight).count() != logged);
    }

    private static BlockTruth.Log lastLog(ArduPilotFlight flight) {
        List<BlockTruth.Log> logs = flight.truth().logs();
        return logs.get(logs.size() - 1);
    }

    /** The operation that writes the late block over its filler. */
    @Override
    public Set<String> rareOperations() {
        return Set.of("rewrite");
    }

    /**
     * While the recorder waits for the late block it writes nothing: an operation that failed by then was a query or a
     * note.
     */
    @Override
    public long alarmWaitNs(long failureNs) {
        return Math.max(0, LATE_NS - failureNs);
    }

    /** Blocks that waited for the late one go to the disk together, perhaps in the write that fails. */
    @Override
    public long maxWaitingBytes(long failureNs) {
        return failureNs <= LATE_NS + SECOND_NS / 2 ? MAX_WAITING_BYTES : 0;
    }

    @Override
    public OperationFailures.Missing check(ArduPilotFlight flight, Map<String, byte[]> files) throws IOException {
        List<BlockTruth.Log> logs = flight.truth().logs();
        checkULogs(logs, files);
        Map<BlockTruth.Log, Set<Integer>> stored = storedBlocks(logs, files);
        long missing = 0;
        for (BlockTruth.Log log : logs) {
            missing += log.count() - stored.getOrDefault(log, Set.of()).size();
        }
        BlockTruth.Log last = lastLog(flight);
        return new OperationFailures.Missing(
                missing * BlockLogs.BLOCK, stored.getOrDefault(last, Set.of()).contains(last.count() - 1));
    }

    /** A block with a filler in the log counts as lost, not as discarded. */
    @Override
    public double countedBytes(WholeRecorder recorder) {
        double lost = recorder.metric("record_lost_chunks") - recorder.metric("record_placed_chunks");
        return recorder.metric("record_discarded_bytes") + lost * BlockLogs.BLOCK;
    }

    private static Map<BlockTruth.Log, Set<Integer>> storedBlocks(
            List<BlockTruth.Log> logs, Map<String, byte[]> files) {
        Map<BlockTruth.Log, Set<Integer>> stored = new HashMap<>();
        files.forEach((name, bytes) -> {
            if (name.contains(".bin") && !name.startsWith(".") && bytes.length >= BlockLogs.BLOCK) {
                addBlocks(name, bytes, logs, stored);
            }
        });
        return stored;
    }

    /**
     * Complete blocks of one log, in order and without a gap except for the late one; a file that failed may end in a
     * partial block.
     */
    private static void addBlocks(
            String name, byte[] bytes, List<BlockTruth.Log> logs, Map<BlockTruth.Log, Set<Integer>> stored) {
        int count = bytes.length / BlockLogs.BLOCK;
        for (BlockTruth.Log log : logs) {
            int first = indexOf(log, Arrays.copyOf(bytes, BlockLogs.BLOCK));
            if (first >= 0 && isOf(log, first, bytes, count)) {
                Set<Integer> its = stored.computeIfAbsent(log, any -> new HashSet<>());
                for (int i = 0; i < count; i++) {
                    boolean isThere = first + i != LATE || isGenuine(log, LATE, bytes, i);
                    assertThat(!isThere || its.add(first + i))
                            .as("block %d of %s is nowhere else", first + i, name)
                            .isTrue();
                }
                return;
            }
        }
        throw new AssertionError(name + " is no part of a log");
    }

    private static int indexOf(BlockTruth.Log log, byte[] block) {
        for (int i = 0; i < log.count(); i++) {
            if (Arrays.equals(log.block(i), block)) {
                return i;
            }
        }
        return isFiller(block, 0) ? LATE : -1;
    }

    private static boolean isOf(BlockTruth.Log log, int first, byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            boolean isMissing = first + i == LATE && isFiller(bytes, i * BlockLogs.BLOCK);
            if (!isMissing && !isGenuine(log, first + i, bytes, i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isGenuine(BlockTruth.Log log, int number, byte[] bytes, int index) {
        int at = index * BlockLogs.BLOCK;
        return number < log.count()
                && Arrays.equals(log.block(number), 0, BlockLogs.BLOCK, bytes, at, at + BlockLogs.BLOCK);
    }

    /** Whether the filler of the late block starts here; the late block may already cover half of it. */
    private static boolean isFiller(byte[] bytes, int at) {
        byte[] text = ("mavlogd: log block " + LATE + " never came\n").getBytes(StandardCharsets.US_ASCII);
        int from = at + FillerBlock.TEXT_OFFSET;
        return Arrays.equals(bytes, from, from + text.length, text, 0, text.length);
    }

    /** Every ULog can be read, and contains only samples that were sent, each once. */
    private static void checkULogs(List<BlockTruth.Log> logs, Map<String, byte[]> files) throws IOException {
        Set<String> genuine = new HashSet<>();
        for (BlockTruth.Log log : logs) {
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            for (int i = 0; i < log.count(); i++) {
                sent.writeBytes(log.block(i));
            }
            genuine.addAll(BlockLogs.samples(BlockLogs.mapped(sent.toByteArray())));
        }
        Set<String> stored = new HashSet<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (file.getKey().startsWith(".") || !file.getKey().contains(".ulg") || file.getValue().length == 0) {
                continue;
            }
            for (String sample : BlockLogs.samples(BlockLogs.ulog(file.getValue()))) {
                assertThat(genuine.contains(sample))
                        .as("a sample in %s was sent", file.getKey())
                        .isTrue();
                assertThat(stored.add(sample))
                        .as("a sample in %s is nowhere else", file.getKey())
                        .isTrue();
            }
        }
    }
}
