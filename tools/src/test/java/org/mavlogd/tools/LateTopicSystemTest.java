package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.roverLog;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.FlyingArduPilot;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.SystemTests;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.record.MergedLog;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/** The example of the README, published while a log is being written. */
@Timeout(120)
class LateTopicSystemTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path elsewhere;

    private final StringWriter err = new StringWriter();

    private Path socket() {
        return elsewhere.resolve("p.sock");
    }

    private int publish(String... words) {
        List<String> command = new ArrayList<>(List.of("publish", "--socket", socket().toString()));
        command.addAll(List.of(words));
        return Main.commandLine().setErr(new PrintWriter(err, true)).execute(command.toArray(String[]::new));
    }

    private static long stored(RunningDaemon daemon) throws Exception {
        return published(daemon, "mavlogd_merge_stored_samples_total");
    }

    /** The sum of a metric of published data over all its labels. */
    private static long published(RunningDaemon daemon, String metric) throws Exception {
        return daemon.get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(metric) && line.contains("publish"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Samples in the order of the files. */
    private List<MergedLog.Sample> samples(RunningDaemon daemon, String topic) throws Exception {
        List<MergedLog.Sample> samples = new ArrayList<>();
        for (Path file : daemon.files()) {
            if (file.toString().endsWith(".ulg")) {
                samples.addAll(MergedLog.of(Files.readAllBytes(file)).samples(topic));
            }
        }
        return samples;
    }

    private void publishMidway(RunningDaemon daemon) throws Exception {
        assertThat(publish("winch", "load_kg=12.4", "turns=3"))
                .as(err.toString())
                .isZero();
        await("the sample is in the log", () -> stored(daemon) == 1);
        assertThat(publish("winch", "load_kg=12.5", "turns=4"))
                .as(err.toString())
                .isZero();
        await("the next one too", () -> stored(daemon) == 2);
    }

    private void checkSamples(RunningDaemon daemon) throws Exception {
        assertThat(samples(daemon, "winch"))
                .extracting(MergedLog.Sample::firstInt)
                .containsExactly((int) Double.doubleToLongBits(12.4), (int) Double.doubleToLongBits(12.5));
    }

    @Test
    void sampleOfANewTopicIsInThePx4LogThatIsBeingWritten() throws Exception {
        int port = FreePorts.udp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .publishing(socket())
                        .start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle())) {
            await("a log", () -> daemon.chunks() > 1000);
            publishMidway(daemon);
            await("end of log", vehicle::isAtLogEnd);
            daemon.stop();

            assertThat(daemon.logs()).hasSize(2);
            checkSamples(daemon);
            byte[] first = MergedLog.withoutLocal(daemon.logs().get(0).bytes());
            assertThat(daemon.logs().get(0).fromVehicle().length).isLessThan(roverLog().length);
            assertThat(MergedLog.of(first).names()).isEmpty();
        }
    }

    @Test
    void sampleOfANewTopicIsInTheArduPilotLogThatIsBeingWritten() throws Exception {
        int port = FreePorts.udp();
        byte[] log = DataFlashBytes.make(7, 400_000, 40_000);
        ArduPilotSettings settings = SystemTests.arduPilot()
                .bufferKb(53)
                .rateBytesPerSecond(40_000)
                .loops(true)
                .build();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .publishing(socket())
                        .start();
                FlyingArduPilot vehicle =
                        new FlyingArduPilot(VehicleWire.udpTo(port), settings, DataFlashImage.of(log))) {
            await("a vehicle that may arm", vehicle::isStreaming);
            vehicle.order((simulated, timeNs) -> simulated.arm(timeNs));
            await("a log", () -> daemon.chunks() > 200);
            publishMidway(daemon);
            daemon.stop();

            checkSamples(daemon);
            assertThat(daemon.files())
                    .filteredOn(file -> file.toString().endsWith(".bin"))
                    .hasSize(1);
        }
    }

    @Test
    void withoutALogTheCommandSaysSo() throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                .udpListen("air", FreePorts.udp())
                .publishing(socket())
                .start()) {
            await("the socket", () -> Files.exists(socket()));

            // The command waits half a second for the recorder to tell, which is not always enough on a busy machine.
            await("the answer", () -> publish("winch", "load_kg=12.4", "turns=3") == ExitCode.FAILED);

            assertThat(err.toString())
                    .isEqualTo("mavlogd publish: topic \"winch\" is not recorded: no log is being written\n");
            assertThat(published(daemon, "mavlogd_merge_lost_samples_total")).isPositive();
            assertThat(published(daemon, "mavlogd_publish_not_recorded_total")).isPositive();
        }
    }
}
