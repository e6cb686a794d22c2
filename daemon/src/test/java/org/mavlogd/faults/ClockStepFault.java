package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SentLog;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.whole.LogContent;

/**
 * Steps the program's wall clock: from 1970 to now, as on a computer without a battery, then an hour ahead and back. No
 * data is lost, names stay unique and in order, no time in a log goes backwards.
 */
final class ClockStepFault implements Fault {
    private static final int RATE = 300_000;
    private static final long REBOOT_NS = 50_000_000;
    private static final List<String> STEPS = List.of("+0", "+3600", "+0", "-3600", "+3600");

    @Override
    public String name() {
        return "clock-step";
    }

    @Override
    public String obstacle() {
        if (library().isEmpty()) {
            return "needs libfaketime: apt-get install faketime";
        }
        return RecorderProcess.obstacle();
    }

    private static String library() {
        for (String machine : List.of("x86_64-linux-gnu", "aarch64-linux-gnu", "arm-linux-gnueabihf")) {
            Path found = Path.of("/usr/lib", machine, "faketime/libfaketimeMT.so.1");
            if (Files.exists(found)) {
                return found.toString();
            }
        }
        return "";
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int rounds = form.pick(1, 10);
        int files = 0;
        for (int i = 0; i < rounds; i++) {
            progress.at(i, rounds);
            files += oneRound();
        }
        return rounds + " times from 1970 to now, then " + (STEPS.size() - 1) + " steps of one or two hours: " + files
                + " logs, each with all that was sent, names unique and in order";
    }

    private static int oneRound() throws Exception {
        int port = FreePorts.udp();
        Path home = Host.newDirectory();
        Path logs = home.resolve("logs");
        Path clock = home.resolve("clock");
        set(clock, "@1970-01-01 00:00:30");
        RecorderProcess.Setup setup = new RecorderProcess.Setup(home, logs, port)
                .environment("LD_PRELOAD", library())
                .environment("DONT_FAKE_MONOTONIC", "1")
                // With this workaround of libfaketime, which Java does not need, threads never wake up.
                .environment("FAKETIME_FORCE_MONOTONIC_FIX", "0")
                .environment("FAKETIME_TIMESTAMP_FILE", clock.toString())
                .environment("FAKETIME_CACHE_DURATION", "1")
                .environment("TZ", "UTC");
        try (RecorderProcess recorder = setup.start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), vehicle())) {
            await("the first log", () -> LogDirectory.bytes(logs) > 150_000);
            for (String step : STEPS) {
                set(clock, step);
                long before = LogDirectory.bytes(logs);
                // The library reads the faked time once a second.
                await("data at " + step, () -> LogDirectory.bytes(logs) > before + 3 * RATE / 2);
                int streams = vehicle.sent().size();
                vehicle.order((px4, nowNs) -> px4.reboot(nowNs));
                await(
                        "a log after the step",
                        () -> vehicle.sent().size() > streams
                                && vehicle.sent().get(streams).length() > 150_000);
            }
            recorder.terminate();
            await("STOP heard", () -> !vehicle.isStreaming());
            check(vehicle.sent(), logs);
            return vehicle.sent().size();
        } finally {
            Host.delete(home);
        }
    }

    private static Px4Settings.Builder vehicle() {
        return fastVehicle()
                .rateBytesPerSecond(RATE)
                .loops(true)
                .restartsStreamItself(true)
                .rebootNs(REBOOT_NS);
    }

    private static void set(Path clock, String text) throws IOException {
        Path next = Files.writeString(clock.resolveSibling("clock.new"), text);
        Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void check(List<SentLog> sent, Path logs) throws IOException {
        List<Path> files = LogDirectory.files(logs);
        assertThat(files).as("files").hasSameSizeAs(sent);
        assertThat(files.stream().map(file -> counter(file.getFileName().toString())))
                .as("counters")
                .doesNotHaveDuplicates();
        // Logs that start at the same time after a boot have the same header: their order distinguishes them.
        List<Path> inOrder = files.stream()
                .sorted(Comparator.comparing(file -> counter(file.getFileName().toString())))
                .toList();
        for (int i = 0; i < sent.size(); i++) {
            SentLog log = sent.get(i);
            String name = inOrder.get(i).getFileName().toString();
            LogContent stored = LogContent.of(name, Files.readAllBytes(inOrder.get(i)));
            assertThat(name).endsWith(".ulg");
            assertThat(stored.isComplete())
                    .as("%s ends with a complete message", name)
                    .isTrue();
            // With the same samples, the times in the log are the vehicle's own, which never go backwards.
            assertThat(LogDirectory.samples(stored).equals(LogDirectory.samples(LogContent.of("sent", log.bytes()))))
                    .as("%s holds each sample that was sent", name)
                    .isTrue();
        }
    }

    private static long counter(String name) {
        return Stream.of(name.split("[_.]", -1))
                .filter(part -> part.matches("\\d{6}"))
                .mapToLong(Long::parseLong)
                .reduce((log, file) -> file)
                .orElseThrow(() -> new AssertionError("no counter in " + name));
    }
}
