package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SentLog;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.whole.LogContent;

/**
 * Cuts the power at random moments while the program records: all data that the file system had not written to the disk
 * is lost. Every file can be opened, and all data sent more than half a second before the cut is stored.
 */
final class PowerCutFault implements Fault {
    private static final int RATE = 300_000;
    private static final int MAX_RECORDING_MS = 2500;
    private static final long REBOOT_NS = 50_000_000;

    @Override
    public String name() {
        return "power-cut";
    }

    @Override
    public String obstacle() {
        return RecorderProcess.obstacleOnLoopDisk();
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int times = form.pick(3, 60);
        Random random = new Random(6);
        try (PowerCuts cuts = new PowerCuts();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(cuts.port()), vehicle())) {
            Map<SentLog, Integer> stored = new HashMap<>();
            for (int i = 0; i < times; i++) {
                progress.at(i, times);
                recordAndCut(cuts, vehicle, random.nextInt(MAX_RECORDING_MS), stored);
            }
            cuts.finishWhatIsLeft("ulg");
            int files = checkComplete(vehicle, cuts.logs(), stored);
            return times + " cuts at " + RATE / 1000 + " KB/s: " + files + " files, all can be opened; at most "
                    + cuts.longestLost().toMillis() + " ms lost";
        }
    }

    private static Px4Settings.Builder vehicle() {
        return fastVehicle().rateBytesPerSecond(RATE).loops(true).rebootNs(REBOOT_NS);
    }

    private static void recordAndCut(
            PowerCuts cuts, FlyingVehicle vehicle, int recordingMs, Map<SentLog, Integer> storedOf) throws Exception {
        int streams = vehicle.sent().size();
        PowerCuts.Cut cut = cuts.recordAndCut(
                () -> vehicle.sent().size() > streams
                        && vehicle.sent().get(streams).length() > 100_000,
                recordingMs);
        SentLog sent = vehicle.sent().get(streams);
        int stored = storedSamples(sent, cuts.logs());
        storedOf.put(sent, stored);
        // The vehicle lost its companion, and starts a new log with the next run.
        vehicle.order((px4, nowNs) -> px4.reboot(nowNs));
        await("the end of the stream", sent::isEnded);
        cuts.checkLost(cut, sent.sentNs(endOfSample(sent, stored) - 1));
    }

    /**
     * The number of samples in the only file of a log, which must be the log's first samples and no others. 0 if the
     * power was cut before the first force: {@link PowerCuts#checkLost} judges whether that was too late.
     */
    private static int storedSamples(SentLog sent, Path logs) throws IOException {
        if (LogDirectory.filesOf(sent, logs).isEmpty()) {
            return 0;
        }
        LogContent log = LogDirectory.onlyFileOf(sent, logs);
        List<String> stored = LogDirectory.samples(log);
        List<String> all = LogDirectory.samples(LogContent.of("sent", sent.bytes()));
        assertThat(stored.size()).as("samples in %s", log.name()).isLessThanOrEqualTo(all.size());
        assertThat(stored.equals(all.subList(0, stored.size())))
                .as("%s holds the first %d samples that were sent", log.name(), stored.size())
                .isTrue();
        return stored.size();
    }

    /** The position at which the sample with this number ends in the sent log; the log's length if there is none. */
    private static int endOfSample(SentLog sent, int number) {
        return LogContent.of("sent", sent.bytes()).messages().stream()
                .filter(message -> message.type() == 'D')
                .skip(number)
                .findFirst()
                .map(message -> message.offset() + message.length())
                .orElse(sent.length());
    }

    /** Checks that each log still has the samples that it had after its cut. Returns the number of files. */
    private static int checkComplete(FlyingVehicle vehicle, Path logs, Map<SentLog, Integer> stored)
            throws IOException {
        for (SentLog sent : vehicle.sent()) {
            // The last log ended without a cut, perhaps amid its definitions.
            int ofLast = Math.min(
                    1, LogDirectory.samples(LogContent.of("sent", sent.bytes())).size());
            assertThat(storedSamples(sent, logs))
                    .as("samples after the next start")
                    .isGreaterThanOrEqualTo(stored.getOrDefault(sent, ofLast));
        }
        List<LogContent> files = LogDirectory.contents(logs);
        for (LogContent file : files) {
            assertThat(file.name()).endsWith(".ulg");
            assertThat(file.isComplete())
                    .as("%s ends with a whole message", file.name())
                    .isTrue();
        }
        return files.size();
    }
}
