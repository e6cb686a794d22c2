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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.logtools.Progress;
import org.mavlogd.record.MergedLog;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.whole.LogContent;

/** The daemon records a vehicle and a companion computer in one log. */
@Timeout(120)
class MergedLogSystemTest {
    private static final Set<String> ALWAYS_THERE =
            Set.of("companion_cpu", "companion_memory", "companion_storage", "companion_recorder");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void thisComputersStateIsInTheVehiclesLogAndTheVehiclesBytesAreUntouched() throws Exception {
        int port = FreePorts.udp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .measuring()
                        .start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle())) {
            await("end of log", vehicle::isAtLogEnd);
            daemon.stop();

            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            MergedLog merged = MergedLog.of(log.bytes());
            assertThat(merged.formats()).containsKeys(ALWAYS_THERE.toArray(String[]::new));
            assertThat(merged.units()).containsEntry("companion_storage", "total=B,available=B");
            assertThat(merged.samples("companion_cpu")).hasSizeGreaterThan(3);
            assertThat(LogContent.of("rest", MergedLog.withoutLocal(log.bytes()))
                            .fromVehicle())
                    .isEqualTo(roverLog());
            assertThat(readTopics(Path.of(log.name())))
                    .containsAll(ALWAYS_THERE)
                    .contains("vehicle_status");
            assertThat(summary(Path.of(log.name())))
                    .containsSubsequence("sensor_combined", "Topic of the companion computer", "companion_cpu");
        }
    }

    /** The output of {@code mavlogd info}. The vehicle's topics do not hide the computer's, however small they are. */
    private static String summary(Path file) throws Exception {
        StringWriter out = new StringWriter();
        SurveyText.print(
                "log.ulg", LogSurvey.of(file, Progress.NONE), SurveyText.Shown.DEFAULT, new PrintWriter(out, true));
        return out.toString();
    }

    @Test
    void withoutAVehicleThisComputerHasALogOfItsOwnUntilOneComes() throws Exception {
        int port = FreePorts.udp();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                .udpListen("air", port)
                .measuring()
                .standaloneAfterS(1)
                .start()) {
            await(
                    "a log of this computer",
                    () -> daemon.recordings().stream()
                            .anyMatch(log -> log.file().contains("_local_")
                                    && log.figures().storedMessages() > 20));
            assertThat(daemon.status("recordings"))
                    .anySatisfy(log -> assertThat(log).containsEntry("link", "local"));

            try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle())) {
                await("end of log", vehicle::isAtLogEnd);
                daemon.stop();
            }

            List<Path> files = daemon.files();
            assertThat(files).extracting(Path::toString).anyMatch(name -> name.contains("_local_"));
            assertThat(files).extracting(Path::toString).anyMatch(name -> name.contains("_sys001_"));
            for (Path file : files) {
                assertThat(readTopics(file)).as("%s", file).contains("companion_cpu");
                assertThat(MergedLog.of(Files.readAllBytes(file)).samples("companion_cpu"))
                        .isNotEmpty();
            }
        }
    }

    /** Names of the topics with samples in the file. */
    private static Set<String> readTopics(Path file) throws Exception {
        Set<String> topics = new TreeSet<>();
        ULogReader.read(file, new ULogHandler() {
            @Override
            public void onSample(SampleView sample) {
                topics.add(sample.topic().name());
            }
        });
        return topics;
    }
}
