package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.mavlogd.app.FlyingArduPilot;
import org.mavlogd.app.SentBlocks;
import org.mavlogd.dataflash.Mapped;

/**
 * {@link PowerCutFault} with an ArduPilot: all data sent more than half a second before a cut is stored, as blocks and,
 * once the ULog has started, also in the ULog.
 */
final class BlockPowerCutFault implements Fault {
    private static final int RATE = 100_000;
    private static final int MAX_RECORDING_MS = 5000;
    private static final long REBOOT_NS = 50_000_000;
    /**
     * The ULog starts after two seconds without new definitions in the log; this log's formats are all in its first
     * moment. Its file is then made, and forced.
     */
    private static final Duration ULOG_BEGINS = Duration.ofMillis(2500);

    private final List<SentBlocks> recorded = new ArrayList<>();
    private Duration slowestForce = Duration.ZERO;
    private int ulogs;

    @Override
    public String name() {
        return "power-cut-ardupilot";
    }

    @Override
    public String obstacle() {
        return RecorderProcess.obstacleOnLoopDisk();
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int times = form.pick(3, 50);
        Random random = new Random(16);
        try (PowerCuts cuts = new PowerCuts();
                FlyingArduPilot vehicle = BlockLogs.fly(cuts.port(), RATE, REBOOT_NS)) {
            for (int i = 0; i < times; i++) {
                progress.at(i, times);
                // The first run lives until there is a ULog.
                int recordingMs = i == 0 ? MAX_RECORDING_MS : random.nextInt(MAX_RECORDING_MS);
                recordAndCut(cuts, vehicle, recordingMs);
            }
            cuts.finishWhatIsLeft("bin");
            checkComplete(cuts.logs());
            return times + " cuts at " + RATE / 1000 + " KB/s: "
                    + BlockLogs.files(cuts.logs()).size() + " files of blocks and "
                    + LogDirectory.files(cuts.logs()).size() + " ULogs, all can be opened, " + ulogs
                    + " ULogs compared; at most " + cuts.longestLost().toMillis() + " ms lost, longest force "
                    + slowestForce.toMillis() + " ms" + (Host.isBusy() ? "; the machine was busy" : "");
        }
    }

    private void recordAndCut(PowerCuts cuts, FlyingArduPilot vehicle, int recordingMs) throws Exception {
        int streams = vehicle.sent().size();
        PowerCuts.Cut cut = cuts.recordAndCut(
                () -> vehicle.sent().size() > streams && latest(vehicle).count() > RATE / BlockLogs.BLOCK / 2,
                recordingMs);
        Duration force = cut.longestForce();
        slowestForce = force.compareTo(slowestForce) > 0 ? force : slowestForce;
        SentBlocks sent = latest(vehicle);
        recorded.add(sent);
        checkBlocks(cuts, sent, cut);
        checkULog(sent, cuts.logs(), cut);
        // The vehicle lost its companion, and starts a new log with the next run.
        vehicle.order((ardupilot, nowNs) -> ardupilot.reboot(nowNs));
        await("the end of the stream", sent::isEnded);
    }

    /**
     * The vehicle's latest log. A vehicle that sent nothing for 3 s, as on a machine that stands still, is asked to begin
     * another one.
     */
    private static SentBlocks latest(FlyingArduPilot vehicle) {
        return vehicle.sent().get(vehicle.sent().size() - 1);
    }

    /**
     * The file has the first blocks of the log and no others. The last block may be torn, and the file's length may
     * include bytes that never reached the disk.
     */
    private static void checkBlocks(PowerCuts cuts, SentBlocks sent, PowerCuts.Cut cut) throws IOException {
        byte[] file = BlockLogs.onlyFileOf(sent, cuts.logs());
        int stored = lengthWithoutZeros(file) / BlockLogs.BLOCK;
        byte[] whole = Arrays.copyOf(file, stored * BlockLogs.BLOCK);
        assertThat(BlockLogs.fillers(whole, sent.bytes()))
                .as("blocks that never came")
                .isEmpty();
        cuts.checkLost(cut, sent.sentNs(stored));
    }

    private static int lengthWithoutZeros(byte[] file) {
        int length = file.length;
        while (length > 0 && file[length - 1] == 0) {
            length--;
        }
        return length;
    }

    /**
     * Each series has its first samples, including all samples of blocks that were sent half a second before the cut.
     */
    private void checkULog(SentBlocks sent, Path logs, PowerCuts.Cut cut) throws IOException {
        Duration begun = ULOG_BEGINS.plus(cut.durable().multipliedBy(2));
        if (cut.timeNs() - sent.sentNs(0) < begun.toNanos()) {
            return;
        }
        List<Path> files = LogDirectory.files(logs);
        Mapped stored = BlockLogs.ulog(files.get(files.size() - 1));
        Mapped promised =
                BlockLogs.mapped(before(sent, cut.timeNs() - cut.durable().toNanos()));
        Map<String, List<Map<String, Object>>> all =
                BlockLogs.mapped(sent.bytes()).samples();
        promised.samples().forEach((series, samples) -> {
            List<Map<String, Object>> found = stored.samples().getOrDefault(series, List.of());
            assertThat(found.size()).as("samples of %s", series).isGreaterThanOrEqualTo(samples.size());
            List<Map<String, Object>> expected = all.getOrDefault(series, List.of());
            for (int i = 0; i < found.size(); i++) {
                assertThat(found.get(i))
                        .as("sample %d of %d of %s", i, found.size(), series)
                        .isEqualTo(expected.get(i));
            }
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

    private void checkComplete(Path logs) throws IOException {
        for (SentBlocks sent : recorded) {
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
