package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.record.MergedLog;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.store.StoreSettings;

/** An independent reader finds every sample of a merged log, the vehicle's and the companion's. */
class IndependentReaderTest {
    private static final Path SCRIPT =
            Path.of(System.getProperty("basedir", "."), "../ulog-writer/src/test/node/print.mjs");

    private static final Path ROVER =
            Path.of(System.getProperty("basedir", "."), "../simulator/src/demo/11_rover_ackermann.ulg.gz");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void readsEverySampleOfEachFile() throws Exception {
        assumeThat(hasNode())
                .as("node is missing, or its packages: run \"npm ci\" in ulog-writer/src/test/node")
                .isTrue();
        checkAll(fly(new StoreSettings.RotationPolicy(500_000, 0)));
    }

    @Test
    void readsEverySampleOfAnArduPilotsLog() throws Exception {
        assumeThat(hasNode())
                .as("node is missing, or its packages: run \"npm ci\" in ulog-writer/src/test/node")
                .isTrue();
        // The first file also holds the vehicle's earlier data, which is written at once when the file starts.
        checkAll(drive(new StoreSettings.RotationPolicy(500_000, 0)));
    }

    private void checkAll(List<LogContent> files) throws Exception {
        assertThat(files).hasSizeGreaterThan(2);
        for (LogContent file : files) {
            Map<Integer, Integer> read = read(file);

            MergedLog merged = MergedLog.of(file.bytes());
            Map<Integer, Integer> local = new HashMap<>();
            merged.samples().forEach(sample -> local.merge(sample.messageId(), 1, Integer::sum));
            assertThat(local).hasSize(4);
            assertThat(read).containsAllEntriesOf(local);
            assertThat(read.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo((int) file.count('D'));
        }
    }

    private static List<LogContent> fly(StoreSettings.RotationPolicy rotation) throws Exception {
        LossySettings channel = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, 1);
        SimulatedFlight flight = new SimulatedFlight(
                WholeRecorder.Setup.plain().rotating(rotation),
                LogImage.read(ROVER),
                Px4Settings.builder().rateBytesPerSecond(200_000).seed(1).build(),
                channel,
                channel);
        Companion.of(flight.recorder());
        flight.runUntil(flight.nowNs() + 9 * WholeRecorder.SECOND_NS);
        flight.finish(10 * WholeRecorder.SECOND_NS);
        return flight.recorder().logs();
    }

    private static List<LogContent> drive(StoreSettings.RotationPolicy rotation) {
        LossySettings channel = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, 1);
        ArduPilotFlight flight = new ArduPilotFlight(
                WholeRecorder.Setup.plain().rotating(rotation),
                DataFlashImage.of(Captures.log("s1_clean_rover.mav.bin")),
                ArduPilotSettings.builder().bufferKb(53).build(),
                channel,
                channel);
        Companion.of(flight.recorder());
        flight.runUntil(flight.nowNs() + 20 * WholeRecorder.SECOND_NS);
        flight.finish(10 * WholeRecorder.SECOND_NS);
        return flight.recorder().disk().contents().entrySet().stream()
                .filter(file -> file.getKey().endsWith(".ulg"))
                .map(file -> LogContent.of(file.getKey(), file.getValue()))
                .toList();
    }

    /** The number of samples of each message id. */
    private Map<Integer, Integer> read(LogContent log) throws IOException, InterruptedException {
        Path file = Files.write(directory.resolve(log.name()), log.bytes());
        Path output = directory.resolve(log.name() + ".txt");
        ProcessBuilder reader = new ProcessBuilder("node", SCRIPT.toString(), file.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        reader.environment().put("NODE_NO_WARNINGS", "1");
        Process node = reader.start();
        assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Map<Integer, Integer> counts = new HashMap<>();
        for (String line : Files.readAllLines(output, StandardCharsets.UTF_8)) {
            String[] words = line.split(" ", 3);
            assertThat(words[0]).as(line).isIn("D", "L");
            if (words[0].equals("D")) {
                counts.merge(Integer.parseInt(words[1]), 1, Integer::sum);
            }
        }
        return counts;
    }

    private static boolean hasNode() throws InterruptedException {
        if (!Files.isDirectory(SCRIPT.resolveSibling("node_modules"))) {
            return false;
        }
        try {
            return new ProcessBuilder("node", "--version").start().waitFor(50, TimeUnit.SECONDS);
        } catch (IOException missing) {
            return false;
        }
    }
}
