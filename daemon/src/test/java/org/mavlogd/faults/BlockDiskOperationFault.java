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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.mavlogd.faults.FailingDisk.Kind;
import org.mavlogd.simulate.ArduPilotSettings;
import org.mavlogd.simulate.DataFlashImage;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.FillerBlock;
import org.mavlogd.vehicle.RecordingMode;
import org.mavlogd.whole.ArduPilotFlight;
import org.mavlogd.whole.BlockTruth;
import org.mavlogd.whole.DataFlashBytes;
import org.mavlogd.whole.WholeRecorder;

/**
 * {@link DiskOperationFault} with an ArduPilot: its blocks go into one file and its ULog into another, and what fails for the
 * one does no harm to the other. One block comes late, and is written over its filler. No file of blocks has one twice, out
 * of its place or made up; every ULog can be read.
 */
final class BlockDiskOperationFault implements Fault {
    private static final int RATE = 20_000;
    private static final long ALARM_NS = SECOND_NS;
    private static final long BACK_NS = 2 * SECOND_NS;
    // A batch as old as it gets, and a second until the disk is tried again.
    private static final int MAX_MISSING_BLOCKS = RATE * 3 / 2 / BlockLogs.BLOCK;
    private static final int MAX_WAITING_BLOCKS = RATE * 3 / BlockLogs.BLOCK;
    private static final int MAX_FILES = 24;
    // Comes when others waited for it in vain, and before the reboot.
    private static final int LATE = 20;
    private static final long LATE_NS = 3600 * MILLISECOND_NS;

    private int flights;
    private long slowestAlarmNs;
    private int mostMissing;

    @Override
    public String name() {
        return "disk-operation-ardupilot";
    }

    @Override
    public String run(Form form, Progress progress) throws IOException {
        int logs = form.pick(1, 5);
        // In every build a quarter of them, others for each kind.
        int step = form.pick(4, 1);
        int operations = 0;
        for (int seed = 1; seed <= logs; seed++) {
            FailingDisk sound = FailingDisk.sound();
            fly(seed, sound);
            List<String> names = sound.operations();
            operations += names.size();
            assertThat(names).as("operations of a sound flight").containsOnlyOnce("rewrite");
            int from = 0;
            for (Kind kind : Kind.values()) {
                int phase = from++ % step;
                for (int n = 0; n < names.size(); n++) {
                    progress.at((seed - 1) * names.size() + n, logs * names.size());
                    boolean isDue = n % step == phase || names.get(n).equals("rewrite");
                    if (isDue && kind.hits(names.get(n))) {
                        fail(seed, kind, n, names.get(n), false);
                        fail(seed, kind, n, names.get(n), true);
                    }
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "%d flights of %d different, each of %d operations failing as EIO, ENOSPC, short write, failing fsync:"
                        + " 0 crashes, 0 wrong files, slowest alarm %d ms, at most %d blocks lost by a single failure",
                flights,
                logs,
                operations,
                slowestAlarmNs / MILLISECOND_NS,
                mostMissing);
    }

    /** A flight with a reboot amid it, so that files are finished and others begun meanwhile. */
    private static Flown fly(int seed, FailingDisk failing) {
        FakeDisk disk = new FakeDisk().seenThrough(failing::before);
        WholeRecorder.Setup setup = new WholeRecorder.Setup(RecordingMode.ALWAYS, 0, true, 1 << 20, disk);
        LossySettings channel =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS);
        DataFlashImage log = DataFlashImage.of(DataFlashBytes.make(seed, 300_000, RATE));
        ArduPilotSettings vehicle = ArduPilotSettings.builder()
                .rateBytesPerSecond(RATE)
                .rebootNs(400 * MILLISECOND_NS)
                .build();
        ArduPilotFlight flight = new ArduPilotFlight(setup, log, vehicle, channel, channel);
        failing.clock(flight::nowNs);
        try (Alarms alarms = new Alarms(flight::nowNs)) {
            long startNs = flight.nowNs();
            flight.withhold(LATE, startNs + LATE_NS);
            flight.runUntil(startNs + 4 * SECOND_NS);
            flight.vehicle().reboot(flight.nowNs());
            flight.runUntil(startNs + 9 * SECOND_NS);
            flight.finish(10 * SECOND_NS);
            return new Flown(flight, disk, alarms.all(), startNs + LATE_NS);
        }
    }

    private void fail(int seed, Kind kind, int n, String operation, boolean forEver) throws IOException {
        String what = String.format(
                Locale.ROOT,
                "log %d, operation %d (%s) fails %s as %s",
                seed,
                n,
                operation,
                forEver ? "for ever" : "once",
                kind);
        FailingDisk failing = new FailingDisk(kind, n, forEver);
        flights++;
        try {
            Flown flown = fly(seed, failing);
            assertThat(failing.failures()).as("failures").isPositive();
            if (failing.isGrave() && (forEver || !DiskOperationFault.QUESTIONS.contains(operation))) {
                tellAlarm(flown, kind, failing.firstFailureNs(), forEver);
            }
            assertThat(flown.disk().contents().size()).as("files").isLessThanOrEqualTo(MAX_FILES);
            checkBlocks(flown, forEver, failing.firstFailureNs());
            checkULogs(flown);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(what + ": " + e.getMessage(), e);
        }
    }

    /** While others wait for the late block nothing is written: what failed by then was a question, or a note. */
    private void tellAlarm(Flown flown, Kind kind, long failureNs, boolean forEver) {
        long waitNs = forEver ? Math.max(0, flown.lateNs() - failureNs) : 0;
        long delayNs = Alarms.delayNs(flown.alarms(), kind.message(), failureNs, ALARM_NS + waitNs);
        slowestAlarmNs = Math.max(slowestAlarmNs, waitNs == 0 ? delayNs : 0);
    }

    private void checkBlocks(Flown flown, boolean forEver, long failureNs) {
        List<BlockTruth.Log> logs = flown.flight().truth().logs();
        Map<BlockTruth.Log, Set<Integer>> stored = new HashMap<>();
        flown.disk().contents().forEach((name, bytes) -> {
            if (name.contains(".bin") && !name.startsWith(".") && bytes.length >= BlockLogs.BLOCK) {
                addBlocks(name, bytes, logs, stored);
            }
        });
        int missing = 0;
        for (BlockTruth.Log log : logs) {
            missing += log.count() - stored.getOrDefault(log, Set.of()).size();
        }
        WholeRecorder recorder = flown.flight().recorder();
        double lost = recorder.metric("record_lost_chunks") - recorder.metric("record_placed_chunks");
        assertThat((double) missing * BlockLogs.BLOCK)
                .as("missing blocks are counted")
                .isLessThanOrEqualTo(recorder.metric("record_discarded_bytes") + lost * BlockLogs.BLOCK);
        if (!forEver) {
            BlockTruth.Log last = logs.get(logs.size() - 1);
            boolean early = flown.flight().nowNs() - failureNs > BACK_NS;
            assertThat(!early || stored.getOrDefault(last, Set.of()).contains(last.count() - 1))
                    .as("goes on: the last block is stored")
                    .isTrue();
            // What waited for the late block comes to the disk at once, perhaps with the write that fails.
            int waited = failureNs <= flown.lateNs() + SECOND_NS / 2 ? MAX_WAITING_BLOCKS : 0;
            assertThat(missing).as("missing blocks").isLessThanOrEqualTo(MAX_MISSING_BLOCKS + waited);
            mostMissing = Math.max(mostMissing, missing);
        }
    }

    /**
     * Whole blocks of one log, in order and without a hole but for the one that came late; a file that failed may end in a
     * part of one.
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

    /** Whether it stands there for the late block, which may cover the half of it. */
    private static boolean isFiller(byte[] bytes, int at) {
        byte[] text = ("mavlogd: log block " + LATE + " never came\n").getBytes(StandardCharsets.US_ASCII);
        int from = at + FillerBlock.TEXT_OFFSET;
        return Arrays.equals(bytes, from, from + text.length, text, 0, text.length);
    }

    /** Each can be read, and holds only what was sent, and that once. */
    private static void checkULogs(Flown flown) throws IOException {
        Set<String> genuine = new HashSet<>();
        for (BlockTruth.Log log : flown.flight().truth().logs()) {
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            for (int i = 0; i < log.count(); i++) {
                sent.writeBytes(log.block(i));
            }
            genuine.addAll(BlockLogs.samples(BlockLogs.mapped(sent.toByteArray())));
        }
        Set<String> stored = new HashSet<>();
        for (Map.Entry<String, byte[]> file : flown.disk().contents().entrySet()) {
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

    private record Flown(ArduPilotFlight flight, FakeDisk disk, List<Alarms.Alarm> alarms, long lateNs) {}
}
