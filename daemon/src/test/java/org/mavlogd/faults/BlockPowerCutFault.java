package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.mavlogd.app.FlyingArduPilot;
import org.mavlogd.app.SentBlocks;
import org.mavlogd.app.SystemTests;
import org.mavlogd.dataflash.Mapped;

/**
 * {@link PowerCutFault} with an ArduPilot: of what had been sent half a second before a cut nothing is missing, neither
 * among the blocks nor in the ULog, once that has begun.
 */
final class BlockPowerCutFault implements Fault {
    private static final int MEGABYTES = 256;
    private static final int RATE = 100_000;
    private static final Duration DURABLE = Duration.ofMillis(500);
    private static final int MAX_RECORDING_MS = 5000;
    private static final long REBOOT_NS = 50_000_000;
    /** It begins when for two seconds nothing new was learned of the log, whose formats are all in its first moment. */
    private static final Duration ULOG_BEGINS = Duration.ofMillis(3500);

    private Duration longestLost = Duration.ZERO;
    private int ulogs;

    @Override
    public String name() {
        return "power-cut-ardupilot";
    }

    @Override
    public String obstacle() {
        String obstacle = LoopDisk.obstacle();
        return obstacle.isEmpty() ? RecorderProcess.obstacle() : obstacle;
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int cuts = form.pick(3, 50);
        Random random = new Random(16);
        int port = SystemTests.freeUdpPort();
        Path home = Host.newDirectory();
        try (LoopDisk disk = LoopDisk.ofMegabytes(MEGABYTES);
                FlyingArduPilot vehicle = BlockLogs.fly(port, RATE, REBOOT_NS)) {
            Path logs = disk.directory().resolve("logs");
            RecorderProcess.Setup setup = new RecorderProcess.Setup(home, logs, port);
            for (int i = 0; i < cuts; i++) {
                progress.at(i, cuts);
                // The first one lives until there is a ULog.
                int recordingMs = i == 0 ? MAX_RECORDING_MS : random.nextInt(MAX_RECORDING_MS);
                recordAndCut(setup, disk, vehicle, recordingMs);
            }
            finishWhatIsLeft(setup, vehicle, logs);
            return cuts + " cuts at " + RATE / 1000 + " KB/s: "
                    + BlockLogs.files(logs).size() + " files of blocks and "
                    + LogDirectory.files(logs).size() + " ULogs, all can be opened, " + ulogs
                    + " ULogs compared; at most " + longestLost.toMillis() + " ms lost";
        } finally {
            Host.delete(home);
        }
    }

    private void recordAndCut(RecorderProcess.Setup setup, LoopDisk disk, FlyingArduPilot vehicle, int recordingMs)
            throws Exception {
        Path logs = disk.directory().resolve("logs");
        int streams = vehicle.sent().size();
        long cutNs;
        try (RecorderProcess recorder = setup.start()) {
            await(
                    "a stream",
                    () -> vehicle.sent().size() > streams
                            && vehicle.sent().get(streams).count() > RATE / BlockLogs.BLOCK / 2);
            long endNs = System.nanoTime() + Duration.ofMillis(recordingMs).toNanos();
            await("the moment", () -> System.nanoTime() - endNs >= 0);
            recorder.requireAlive();
            cutNs = System.nanoTime();
            disk.cutPower();
            recorder.kill();
        }
        disk.unmount();
        disk.mount();
        SentBlocks sent = vehicle.sent().get(streams);
        checkBlocks(sent, logs, cutNs);
        checkULog(sent, logs, cutNs);
        // The vehicle lost its companion, and begins a new log with the next one.
        vehicle.order((ardupilot, nowNs) -> ardupilot.reboot(nowNs));
        await("the end of the stream", sent::isEnded);
    }

    /** The first blocks, and nothing else; a last one may be torn. */
    private void checkBlocks(SentBlocks sent, Path logs, long cutNs) throws IOException {
        byte[] file = BlockLogs.onlyFileOf(sent, logs);
        int stored = file.length / BlockLogs.BLOCK;
        byte[] whole = Arrays.copyOf(file, stored * BlockLogs.BLOCK);
        assertThat(BlockLogs.fillers(whole, sent.bytes()))
                .as("blocks that never came")
                .isEmpty();
        Duration lost = Duration.ofNanos(Math.max(0, cutNs - sent.sentNs(stored)));
        assertThat(lost).as("age of the oldest block that is lost").isLessThanOrEqualTo(DURABLE);
        longestLost = lost.compareTo(longestLost) > 0 ? lost : longestLost;
    }

    /** In each series the first samples, those of all blocks among them that had been sent half a second before. */
    private void checkULog(SentBlocks sent, Path logs, long cutNs) throws IOException {
        if (cutNs - sent.sentNs(0) < ULOG_BEGINS.toNanos()) {
            return;
        }
        List<Path> files = LogDirectory.files(logs);
        Mapped stored = BlockLogs.ulog(files.get(files.size() - 1));
        Mapped durable = BlockLogs.mapped(before(sent, cutNs - DURABLE.toNanos()));
        Map<String, List<Map<String, Object>>> all =
                BlockLogs.mapped(sent.bytes()).samples();
        durable.samples().forEach((series, samples) -> {
            List<Map<String, Object>> found = stored.samples().getOrDefault(series, List.of());
            assertThat(found.size()).as("samples of %s", series).isGreaterThanOrEqualTo(samples.size());
            assertThat(found.equals(all.getOrDefault(series, List.of()).subList(0, found.size())))
                    .as("the first %d samples of %s are those that were sent", found.size(), series)
                    .isTrue();
        });
        ulogs++;
    }

    private static byte[] before(SentBlocks sent, long timeNs) {
        int blocks = 0;
        while (sent.sentNs(blocks) - timeNs <= 0) {
            blocks++;
        }
        return Arrays.copyOf(sent.bytes(), blocks * BlockLogs.BLOCK);
    }

    /** The next start finishes what the cuts left; afterwards every file is whole. */
    private static void finishWhatIsLeft(RecorderProcess.Setup setup, FlyingArduPilot vehicle, Path logs)
            throws Exception {
        List<SentBlocks> before = List.copyOf(vehicle.sent());
        try (RecorderProcess recorder = setup.start()) {
            await(
                    "left-over files to be finished",
                    () -> BlockLogs.files(logs).stream()
                                    .filter(file -> file.toString().endsWith(".part"))
                                    .count()
                            <= 1);
            recorder.terminate();
        }
        for (SentBlocks sent : before) {
            assertThat(BlockLogs.fillers(BlockLogs.onlyFileOf(sent, logs), sent.bytes()))
                    .isEmpty();
        }
        for (Path file : BlockLogs.files(logs)) {
            assertThat(file.toString()).endsWith(".bin");
        }
        for (Path file : LogDirectory.files(logs)) {
            assertThat(file.toString()).endsWith(".ulg");
            BlockLogs.ulog(file);
        }
    }
}
