package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SentLog;
import org.mavlogd.app.SystemTests;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.simulate.Px4Settings;
import org.mavlogd.whole.LogContent;

/**
 * The power is cut while the program records, at random moments: what the file system had not put onto the medium is gone.
 * Every file can be opened, and of what had been sent half a second before, nothing is missing.
 */
final class PowerCutFault implements Fault {
    private static final int MEGABYTES = 256;
    private static final int RATE = 300_000;
    private static final Duration DURABLE = Duration.ofMillis(500);
    private static final int MAX_RECORDING_MS = 2500;
    private static final long REBOOT_NS = 50_000_000;

    @Override
    public String name() {
        return "power-cut";
    }

    @Override
    public String obstacle() {
        String obstacle = LoopDisk.obstacle();
        return obstacle.isEmpty() ? RecorderProcess.obstacle() : obstacle;
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int cuts = form.pick(3, 60);
        Random random = new Random(6);
        int port = SystemTests.freeUdpPort();
        Path home = Host.newDirectory();
        Duration longestLost = Duration.ZERO;
        try (LoopDisk disk = LoopDisk.ofMegabytes(MEGABYTES);
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), vehicle())) {
            Path logs = disk.directory().resolve("logs");
            RecorderProcess.Setup setup = new RecorderProcess.Setup(home, logs, port);
            for (int i = 0; i < cuts; i++) {
                progress.at(i, cuts);
                Duration lost = recordAndCut(setup, disk, vehicle, random.nextInt(MAX_RECORDING_MS));
                longestLost = lost.compareTo(longestLost) > 0 ? lost : longestLost;
            }
            int files = finishWhatIsLeft(setup, vehicle, logs);
            return cuts + " cuts at " + RATE / 1000 + " KB/s: " + files + " files, all can be opened; at most "
                    + longestLost.toMillis() + " ms lost";
        } finally {
            Host.delete(home);
        }
    }

    private static Px4Settings.Builder vehicle() {
        return fastVehicle().rateBytesPerSecond(RATE).loops(true).rebootNs(REBOOT_NS);
    }

    /** How old the oldest sample was that is lost. */
    private static Duration recordAndCut(
            RecorderProcess.Setup setup, LoopDisk disk, FlyingVehicle vehicle, int recordingMs) throws Exception {
        Path logs = disk.directory().resolve("logs");
        int streams = vehicle.sent().size();
        long cutNs;
        try (RecorderProcess recorder = setup.start()) {
            await(
                    "a stream",
                    () -> vehicle.sent().size() > streams
                            && vehicle.sent().get(streams).length() > 100_000);
            long endNs = System.nanoTime() + Duration.ofMillis(recordingMs).toNanos();
            await("the moment", () -> System.nanoTime() - endNs >= 0);
            recorder.requireAlive();
            cutNs = System.nanoTime();
            disk.cutPower();
            recorder.kill();
        }
        disk.unmount();
        disk.mount();
        SentLog sent = vehicle.sent().get(streams);
        int stored = storedSamples(sent, logs);
        // The vehicle lost its companion, and begins a new log with the next one.
        vehicle.order((px4, nowNs) -> px4.reboot(nowNs));
        await("the end of the stream", sent::isEnded);
        Duration lost = Duration.ofNanos(Math.max(0, cutNs - sent.sentNs(endOfSample(sent, stored) - 1)));
        assertThat(lost).as("age of the oldest sample that is lost").isLessThanOrEqualTo(DURABLE);
        return lost;
    }

    /** How many samples the only file of it holds: the first ones, and nothing else. */
    private static int storedSamples(SentLog sent, Path logs) throws IOException {
        LogContent log = LogDirectory.onlyFileOf(sent, logs);
        List<String> stored = LogDirectory.samples(log);
        List<String> all = LogDirectory.samples(LogContent.of("sent", sent.bytes()));
        assertThat(stored.size()).as("samples in %s", log.name()).isBetween(1, all.size());
        assertThat(stored.equals(all.subList(0, stored.size())))
                .as("%s holds the first %d samples that were sent", log.name(), stored.size())
                .isTrue();
        return stored.size();
    }

    /** Where the sample of that number ends in the log that was sent; its length when there is none. */
    private static int endOfSample(SentLog sent, int number) {
        return LogContent.of("sent", sent.bytes()).messages().stream()
                .filter(message -> message.type() == 'D')
                .skip(number)
                .findFirst()
                .map(message -> message.offset() + message.length())
                .orElse(sent.length());
    }

    /** The next start finishes what the cuts left; afterwards every file is whole. */
    private static int finishWhatIsLeft(RecorderProcess.Setup setup, FlyingVehicle vehicle, Path logs)
            throws Exception {
        try (RecorderProcess recorder = setup.start()) {
            await(
                    "left-over files to be finished",
                    () -> LogDirectory.files(logs).stream()
                                    .filter(file -> file.toString().endsWith(".part"))
                                    .count()
                            <= 1);
            recorder.terminate();
        }
        for (SentLog sent : vehicle.sent()) {
            storedSamples(sent, logs);
        }
        List<LogContent> files = LogDirectory.contents(logs);
        for (LogContent file : files) {
            assertThat(file.name()).endsWith(".ulg");
            assertThat(file.isWhole())
                    .as("%s ends with a whole message", file.name())
                    .isTrue();
        }
        return files.size();
    }
}
